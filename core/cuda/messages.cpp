#include <array>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "core/cuda/nccl.hpp"
#include "core/cuda/of_cuda.hpp"
#include "core/device/device_messages.hpp"

namespace maxwell_dg::core::cuda {
namespace {

constexpr const char* kMessages = "messages between devices";
constexpr int bytes_type = 0;  // ncclInt8

void check_nccl(int code, const char* call) {
  if (code == 0) return;
  throw DriverError({.api = "NCCL",
                     .call = call,
                     .code = code,
                     .name = "an error",
                     .meaning = nccl_state().nccl->ncclGetErrorString(code),
                     .remedy = "NCCL_DEBUG=WARN in the environment makes it say more"});
}

/// The communicator of NCCL that belongs to a Communicator.
class NcclMessages final : public DeviceMessages {
 public:
  NcclMessages(std::shared_ptr<CudaDevice> device, const Communicator& ranks)
      : device_(std::move(device)), nccl_(*nccl_state().nccl), exceptions_(std::uncaught_exceptions()) {
    const Current current(*device_);
    NcclId id{};
    int code = ranks.is_first() ? nccl_.ncclGetUniqueId(&id) : 0;
    id = values_of<NcclId>(ranks.broadcast(std::as_bytes(std::span(&id, 1)))).at(0);
    code = values_of<int>(ranks.broadcast(std::as_bytes(std::span(&code, 1)))).at(0);
    check_nccl(code, "ncclGetUniqueId");  // all of them: the others would wait for the first
    check_nccl(nccl_.ncclCommInitRank(&communicator_, ranks.size(), id, ranks.rank()), "ncclCommInitRank");
  }
  /// Where something was thrown, what is on its way is given up.
  ~NcclMessages() override {
    const ScopedContext current(device_->context());
    if (communicator_ == nullptr || !current.is_current()) return;
    const bool is_normal = std::uncaught_exceptions() == exceptions_;
    (void)(is_normal ? nccl_.ncclCommDestroy(communicator_) : nccl_.ncclCommAbort(communicator_));
  }

  void exchange(const Stream& stream, const Buffer& sent, std::span<const Piece> pieces_sent, const Buffer& received,
                std::span<const Piece> pieces_received) override {
    const Current current(*device_);
    void* const queue = cuda_stream(stream, kMessages).get();
    const auto at = [](const Buffer& buffer, std::size_t offset) {
      return reinterpret_cast<void*>(cuda_buffer(buffer, kMessages).get() + offset);
    };
    check_nccl(nccl_.ncclGroupStart(), "ncclGroupStart");
    int code = 0;
    for (const Piece& piece : pieces_sent) {
      if (code != 0) break;
      code = nccl_.ncclSend(at(sent, piece.offset), piece.bytes, bytes_type, piece.rank, communicator_, queue);
    }
    for (const Piece& piece : pieces_received) {
      if (code != 0) break;
      code = nccl_.ncclRecv(at(received, piece.offset), piece.bytes, bytes_type, piece.rank, communicator_, queue);
    }
    const int ended = nccl_.ncclGroupEnd();
    check_nccl(code, "ncclSend or ncclRecv");
    check_nccl(ended, "ncclGroupEnd");
  }

 private:
  std::shared_ptr<CudaDevice> device_;
  const Nccl& nccl_;
  NcclCommunicator communicator_ = nullptr;
  int exceptions_;  // that were on their way when it was made
};

}  // namespace

std::string CudaDevice::absence_of_messages() {
  return nccl_state().absence;
}

std::unique_ptr<DeviceMessages> CudaDevice::make_messages(const Communicator& ranks) {
  return std::make_unique<NcclMessages>(self(), ranks);
}

}  // namespace maxwell_dg::core::cuda
