#include "dg/operator/exchange/nccl_transport.hpp"

#include <algorithm>

namespace maxwell_dg::dg {

NcclTransport::NcclTransport(const HaloTraces& traces, const core::Communicator& communicator)
    : traces_(traces),
      messages_(core::make_device_messages(traces.setting().device(), communicator)),
      sent_(allocate(traces.sent())),
      received_(allocate(traces.received())) {}

NcclTransport::~NcclTransport() {
  messages_.reset();  // where something was thrown, this ends what the stream waits for
  traces_.end_exchange([] {});
}

NcclTransport::Memory NcclTransport::allocate(const HaloTraces::Side& side) const {
  Memory memory{.device = traces_.setting().device().allocate(std::max<std::size_t>(side.bytes, 1)), .pieces = {}};
  for (std::size_t link = 0; link < traces_.ranks().size(); ++link) {
    memory.pieces.push_back(
        {.rank = traces_.ranks()[link], .offset = side.offsets[link], .bytes = side.bytes_of(link)});
  }
  return memory;
}

void NcclTransport::begin(const core::Buffer& state) {
  traces_.gather(state, sent_.device);
  if (!sent_.pieces.empty()) {
    messages_->exchange(traces_.setting().stream, sent_.device, sent_.pieces, received_.device, received_.pieces);
  }
}

void NcclTransport::finish(const core::Buffer& state) {
  traces_.scatter(state, received_.device);
}

}  // namespace maxwell_dg::dg
