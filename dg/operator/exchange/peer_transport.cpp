#include "dg/operator/exchange/peer_transport.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>

#include "core/device/peer_memory.hpp"
#include "core/device/several_devices.hpp"
#include "core/mpi/first_error.hpp"
#include "core/round_up.hpp"
#include "dg/codegen/kernel_generator.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr int offers_tag = 2;         // of messages about memory
constexpr double patience = 2;        // seconds for neighbours to close what they have opened
constexpr std::size_t aligned = 256;  // bytes: where places begin

/// What a neighbour needs to write the traces that it sends to this rank.
struct Offer {
  core::PeerMemory memory;
  std::size_t flag{};                   ///< its offset in the memory, in bytes
  std::array<std::size_t, 2> places{};  ///< [exchange mod 2] the offsets of the neighbour's traces
};

/// Why this rank's device and those of its neighbours cannot write each other's memory; "" where they may.
std::string obstacle(const HaloTraces& traces, const core::Communicator& communicator) {
  const core::Device& device = traces.setting().device();
  const bool is_cuda = device.info().backend == core::Backend::cuda;
  const std::string here = core::host_name() + (is_cuda ? "\n" + core::identity_of(device.info()) : std::string());
  const std::vector<std::string> all = communicator.gather_to_all(here);
  if (!is_cuda) return "only CUDA devices have it";
  for (const int rank : traces.ranks()) {
    const std::string& there = all[static_cast<std::size_t>(rank)];
    if (there == here) return "rank " + std::to_string(rank) + " has the same device";
    if (there.substr(0, there.find('\n')) != core::host_name()) {
      return "rank " + std::to_string(rank) + " is on another host";
    }
  }
  return {};
}

}  // namespace

PeerTransport::Made PeerTransport::make(const HaloTraces& traces, const core::Module& module,
                                        const core::Communicator& communicator) {
  std::string absence = communicator.first_reason(obstacle(traces, communicator));
  if (!absence.empty()) return {nullptr, absence};
  std::unique_ptr<PeerTransport> transport(new PeerTransport(traces, module, communicator));
  absence = core::first_error<DeviceError>(communicator, [&] { transport->open_neighbours(); });
  if (!absence.empty()) return {nullptr, absence};
  return {std::move(transport), {}};
}

PeerTransport::PeerTransport(const HaloTraces& traces, const core::Module& module, core::Communicator communicator)
    : traces_(traces),
      communicator_(std::move(communicator)),
      places_(round_up(std::max<std::size_t>(traces.ranks().size(), 1) * sizeof(std::int32_t), aligned)),
      place_bytes_(round_up(std::max<std::size_t>(traces.received().bytes, 1), aligned)),
      push_(module.kernel("push_traces")),
      receive_(module.kernel("receive_traces")),
      exceptions_(std::uncaught_exceptions()) {
  const StageSetting& setting = traces_.setting();
  memory_ = setting.device().allocate(places_ + 2 * place_bytes_);
  counters_ = setting.device().allocate(4 * sizeof(std::int32_t));
  abandoned_ = setting.device().allocate_host(sizeof(std::int32_t), core::HostMemory::mapped);
  abandoned_.as<std::int32_t>()[0] = 0;
  setting.stream.fill_zero(memory_);
  setting.stream.fill_zero(counters_);
  setting.stream.synchronize();  // before a neighbour writes
}

void PeerTransport::open_neighbours() {
  const HaloTraces::Side &sent = traces_.sent(), &received = traces_.received();
  const std::size_t links = traces_.ranks().size(), faces = sent.count;
  std::vector<Offer> mine(links), theirs(links);
  std::vector<core::Message> messages;
  for (std::size_t link = 0; link < links; ++link) {
    mine[link] = {.memory = core::share(memory_),
                  .flag = link * sizeof(std::int32_t),
                  .places = {places_ + received.offsets[link], places_ + place_bytes_ + received.offsets[link]}};
    const int rank = traces_.ranks()[link];
    messages.push_back(communicator_.receive(std::as_writable_bytes(std::span(&theirs[link], 1)), rank, offers_tag));
    messages.push_back(communicator_.send(std::as_bytes(std::span(&mine[link], 1)), rank, offers_tag));
  }
  communicator_.wait_for(messages);

  std::vector<std::uint64_t> flags, addresses(2 * faces);
  for (std::size_t link = 0; link < links; ++link) {
    opened_.push_back(core::open_shared(traces_.setting().device(), theirs[link].memory));
    const std::uint64_t base = opened_.back().raw();
    flags.push_back(base + theirs[link].flag);
    const std::size_t first = sent.offsets[link] / traces_.bytes_of_face();
    const std::size_t end = sent.offsets[link + 1] / traces_.bytes_of_face();
    for (std::size_t face = first; face < end; ++face) {
      for (std::size_t turn = 0; turn < 2; ++turn) {
        addresses[turn * faces + face] = base + theirs[link].places.at(turn) + (face - first) * traces_.bytes_of_face();
      }
    }
  }
  flags_ = traces_.setting().upload(flags);
  addresses_ = traces_.setting().upload(addresses);
  traces_.setting().stream.synchronize();
}

/// Memory that a neighbour has open may not go, and what a neighbour sends must have arrived. Where something was
/// thrown, neighbours are not waited for: the process ends.
PeerTransport::~PeerTransport() {
  const bool is_normal = std::uncaught_exceptions() == exceptions_;
  if (!is_normal) abandoned_.as<std::int32_t>()[0] = 1;
  traces_.end_exchange([&] {
    if (is_normal) (void)communicator_.all_arrive_within(patience);
    opened_.clear();
    if (is_normal) (void)communicator_.all_arrive_within(patience);
  });
}

/// Few, as each takes a place from the elements that are computed meanwhile, while what it has written is on its way or
/// a flag is not raised yet; but with an eighth of these an exchange of many faces takes longer than it is hidden.
std::size_t PeerTransport::groups(const HaloTraces::Side& side) const {
  const auto most = static_cast<std::size_t>(2 * traces_.setting().device().info().compute_units);
  return std::min(traces_.groups(side), most);
}

void PeerTransport::begin(const core::Buffer& state) {
  const HaloTraces::Side& sent = traces_.sent();
  push_.launch(traces_.setting().stream,
               {.groups = {groups(sent), 1, 1}, .group_size = {KernelGenerator::point_items, 1, 1}},
               {state, addresses_, sent.faces, traces_.face_nodes(), static_cast<std::int32_t>(sent.count), flags_,
                static_cast<std::int32_t>(traces_.ranks().size()), counters_});
}

void PeerTransport::finish(const core::Buffer& state) {
  const HaloTraces::Side& received = traces_.received();
  receive_.launch(traces_.setting().stream,
                  {.groups = {groups(received), 1, 1}, .group_size = {KernelGenerator::point_items, 1, 1}},
                  {state, memory_, static_cast<std::int64_t>(places_), static_cast<std::int64_t>(place_bytes_),
                   received.faces, traces_.face_nodes(), static_cast<std::int32_t>(received.count),
                   static_cast<std::int32_t>(traces_.ranks().size()), counters_, abandoned_.device_view()});
}

}  // namespace maxwell_dg::dg
