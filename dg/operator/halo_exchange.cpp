#include "dg/operator/halo_exchange.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

#include "core/log.hpp"
#include "core/round_up.hpp"
#include "dg/codegen/kernel_generator.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr int tag = 1;  // of the messages of a stage

}  // namespace

HaloExchange::HaloExchange(const StageSetting& setting, const core::Module& module, core::Communicator communicator)
    : setting_(setting), communicator_(std::move(communicator)) {
  std::vector<std::vector<std::int32_t>> sent, received;
  for (const Halo::Link& link : setting.discretization.halo.links) {
    ranks_.push_back(link.rank);
    sent.push_back(face_numbers(link.sent));
    received.push_back(face_numbers(link.received));
  }
  sent_ = make_side(sent);
  received_ = make_side(received);
  face_nodes_ = setting.upload(setting.discretization.reference.face_nodes());
  gather_ = module.kernel("gather_traces");
  scatter_ = module.kernel("scatter_traces");
}

/// Messages and copies that are on their way use memory of this object. Something was thrown where not all have
/// arrived.
HaloExchange::~HaloExchange() {
  try {
    setting_.stream.synchronize();
    communicator_.cancel(arriving_);
    communicator_.wait_for(leaving_);
  } catch (const Error& error) {
    log_warning(std::string("traces on their way to other ranks were lost: ") + error.what());
  }
}

HaloExchange::Side HaloExchange::make_side(const std::vector<std::vector<std::int32_t>>& faces_of_links) const {
  const Discretization& d = setting_.discretization;
  const std::size_t of_face = index(setting_.layout.fields() * d.Nfp()) * size_of(setting_.precision);
  Side side;
  std::vector<std::int32_t> faces;
  for (const std::vector<std::int32_t>& of_link : faces_of_links) {
    side.offsets.push_back(faces.size() * of_face);
    faces.insert(faces.end(), of_link.begin(), of_link.end());
  }
  side.count = faces.size();
  side.bytes = faces.size() * of_face;
  side.offsets.push_back(side.bytes);
  if (side.bytes / size_of(setting_.precision) > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("HaloExchange numbers the values of an exchange in 32 bits, which " +
                                std::to_string(side.count) + " faces exceed; take more ranks");
  }
  side.faces = setting_.upload(faces);
  side.traces = setting_.device().allocate(std::max<std::size_t>(side.bytes, 1));
  for (core::HostBuffer& host : side.host) host = setting_.device().allocate_host(std::max<std::size_t>(side.bytes, 1));
  return side;
}

void HaloExchange::launch(const core::Kernel& kernel, const core::Buffer& state, const Side& side) const {
  if (side.count == 0) return;
  constexpr auto items = static_cast<std::size_t>(KernelGenerator::point_items);
  const std::size_t values = side.bytes / size_of(setting_.precision);
  kernel.launch(setting_.stream, {.groups = {ceil_divide(values, items), 1, 1}, .group_size = {items, 1, 1}},
                {state, side.traces, side.faces, face_nodes_, static_cast<std::int32_t>(side.count)});
}

std::span<std::byte> HaloExchange::part(const Side& side, std::size_t link) const {
  return side.host.at(turn_).bytes().subspan(side.offsets[link], side.offsets[link + 1] - side.offsets[link]);
}

void HaloExchange::begin(const core::Buffer& state) {
  turn_ = 1 - turn_;
  arriving_.clear();
  for (std::size_t link = 0; link < ranks_.size(); ++link) {
    arriving_.push_back(communicator_.receive(part(received_, link), ranks_[link], tag));
  }
  launch(gather_, state, sent_);
  setting_.stream.read(sent_.traces, 0, sent_.host.at(turn_).bytes().first(sent_.bytes));
  packed_ = setting_.stream.record(core::EventKind::order);
}

void HaloExchange::finish(const core::Buffer& state) {
  packed_.synchronize();
  communicator_.wait_for(leaving_);  // of the exchange before
  leaving_.clear();
  for (std::size_t link = 0; link < ranks_.size(); ++link) {
    leaving_.push_back(communicator_.send(part(sent_, link), ranks_[link], tag));
  }
  communicator_.wait_for(arriving_);
  arriving_.clear();
  setting_.stream.write(received_.traces, 0, received_.host.at(turn_).bytes().first(received_.bytes));
  launch(scatter_, state, received_);
}

}  // namespace maxwell_dg::dg
