#include "core/cuda/link.hpp"

#include <array>

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {
namespace {

CUjitInputType type_of(LinkInput kind) {
  switch (kind) {
    case LinkInput::cubin: return CU_JIT_INPUT_CUBIN;
    case LinkInput::ptx: return CU_JIT_INPUT_PTX;
    case LinkInput::fatbin: return CU_JIT_INPUT_FATBINARY;
    case LinkInput::object: return CU_JIT_INPUT_OBJECT;
    case LinkInput::library: return CU_JIT_INPUT_LIBRARY;
  }
  return CU_JIT_INPUT_CUBIN;
}

/// A linker at work, with its log.
class Linker {
 public:
  Linker() {
    check(driver().cuLinkCreate_v2(static_cast<unsigned>(options_.size()), options_.data(), values_.data(), &state_),
          "cuLinkCreate");
  }
  ~Linker() { driver().cuLinkDestroy(state_); }
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;

  void add(const LinkUnit& unit) {
    // PTX is text and must end in a NUL; the driver only reads.
    std::vector<std::byte> bytes(unit.bytes.begin(), unit.bytes.end());
    if (unit.kind == LinkInput::ptx && (bytes.empty() || bytes.back() != std::byte{})) bytes.push_back(std::byte{});
    check(driver().cuLinkAddData_v2(state_, type_of(unit.kind), bytes.data(), bytes.size(), unit.name.c_str(), 0,
                                    nullptr, nullptr),
          "cuLinkAddData", "unit '" + unit.name + "'" + log());
  }

  [[nodiscard]] std::vector<std::byte> complete() {
    void* image = nullptr;
    std::size_t size = 0;
    const CUresult code = driver().cuLinkComplete(state_, &image, &size);
    check(code, "cuLinkComplete", "the units do not fit together" + log());
    const auto* first = static_cast<const std::byte*>(image);  // the linker's own
    return {first, first + size};
  }

 private:
  [[nodiscard]] std::string log() const { return log_[0] == '\0' ? "" : std::string(": ") + log_.data(); }

  std::array<char, 8192> log_{};
  // The driver writes to these as long as the linker lives, and takes numbers in place of pointers.
  std::array<CUjit_option, 2> options_{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values_{log_.data(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(log_.size() - 1))};
  CUlinkState state_{};
};

}  // namespace

std::vector<std::byte> link(const Device& device, std::span<const LinkUnit> units) {
  const auto state = cuda_device(device, "linker of compiled units");
  const Current current(*state);
  Linker linker;
  for (const LinkUnit& unit : units) linker.add(unit);
  return linker.complete();
}

}  // namespace maxwell_dg::core::cuda
