#include "dg/operator/exchange/host_transport.hpp"

#include <algorithm>
#include <utility>

namespace maxwell_dg::dg {

namespace {

constexpr int traces_tag = 1;  // of the messages of a stage

}  // namespace

HostTransport::HostTransport(const HaloTraces& traces, core::Communicator communicator)
    : traces_(traces),
      communicator_(std::move(communicator)),
      sent_(allocate(traces.sent())),
      received_(allocate(traces.received())) {}

/// Messages and copies that are on their way use memory of this object. Something was thrown where not all have
/// arrived.
HostTransport::~HostTransport() {
  traces_.end_exchange([&] {
    communicator_.cancel(arriving_);
    communicator_.wait_for(leaving_);
  });
}

HostTransport::Memory HostTransport::allocate(const HaloTraces::Side& side) const {
  const core::Device& device = traces_.setting().device();
  const std::size_t bytes = std::max<std::size_t>(side.bytes, 1);
  return {.device = device.allocate(bytes), .host = {device.allocate_host(bytes), device.allocate_host(bytes)}};
}

std::span<std::byte> HostTransport::part(const Memory& memory, const HaloTraces::Side& side, std::size_t link) const {
  return memory.host.at(turn_).bytes().subspan(side.offsets[link], side.bytes_of(link));
}

void HostTransport::begin(const core::Buffer& state) {
  const core::Stream& stream = traces_.setting().stream;
  turn_ = 1 - turn_;
  arriving_.clear();
  for (std::size_t link = 0; link < traces_.ranks().size(); ++link) {
    arriving_.push_back(
        communicator_.receive(part(received_, traces_.received(), link), traces_.ranks()[link], traces_tag));
  }
  traces_.gather(state, sent_.device);
  stream.read(sent_.device, 0, sent_.host.at(turn_).bytes().first(traces_.sent().bytes));
  packed_ = stream.record(core::EventKind::order);
}

void HostTransport::finish(const core::Buffer& state) {
  packed_.synchronize();
  communicator_.wait_for(leaving_);  // of the exchange before
  leaving_.clear();
  for (std::size_t link = 0; link < traces_.ranks().size(); ++link) {
    leaving_.push_back(communicator_.send(part(sent_, traces_.sent(), link), traces_.ranks()[link], traces_tag));
  }
  communicator_.wait_for(arriving_);
  arriving_.clear();
  traces_.setting().stream.write(received_.device, 0, received_.host.at(turn_).bytes().first(traces_.received().bytes));
  traces_.scatter(state, received_.device);
}

}  // namespace maxwell_dg::dg
