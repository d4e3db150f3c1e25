#include "dg/operator/exchange/halo_exchange.hpp"

#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "dg/operator/exchange/host_transport.hpp"
#include "dg/operator/exchange/nccl_transport.hpp"
#include "dg/operator/exchange/peer_transport.hpp"

namespace maxwell_dg::dg {

std::string_view name_of(Transport transport) {
  constexpr std::array<std::string_view, 3> names{"peer memory", "NCCL", "MPI"};
  return names.at(static_cast<std::size_t>(transport));
}

namespace {

/// Seconds of an exchange of the slowest rank, nothing else at work. Collective.
double seconds_of(TraceTransport& transport, const StageSetting& setting, const core::Communicator& communicator,
                  const core::Buffer& state) {
  const auto run = [&](int exchanges) {
    double seconds = 0;
    communicator.max({&seconds, 1});  // all begin together
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < exchanges; ++i) {
      transport.begin(state);
      transport.finish(state);
    }
    setting.stream.synchronize();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / exchanges;
    communicator.max({&seconds, 1});
    return seconds;
  };
  run(3);
  return run(20);
}

}  // namespace

HaloExchange::HaloExchange(const StageSetting& setting, const core::Module& module,
                           const core::Communicator& communicator, std::optional<Transport> wanted,
                           const core::Buffer& state)
    : traces_(setting, module) {
  struct Candidate {
    Transport transport;
    std::unique_ptr<TraceTransport> made;
  };
  std::vector<Candidate> candidates;
  const auto may_be = [&](Transport transport) { return wanted.value_or(transport) == transport; };
  if (may_be(Transport::peer_memory)) {
    PeerTransport::Made peer = PeerTransport::make(traces_, module, communicator);
    if (!peer.transport && wanted) throw DeviceError("ranks cannot exchange by peer memory: " + peer.absence);
    if (peer.transport) candidates.push_back({Transport::peer_memory, std::move(peer.transport)});
  }
  // Beside peer memory NCCL takes more than a second to begin, and is slower at every size (docs/performance.md).
  if (may_be(Transport::nccl) && candidates.empty()) {
    try {
      candidates.push_back({Transport::nccl, std::make_unique<NcclTransport>(traces_, communicator)});
    } catch (const DeviceError& error) {
      if (wanted) throw DeviceError(std::string("ranks cannot exchange by NCCL: ") + error.what());
    }
  }
  if (may_be(Transport::host)) {
    candidates.push_back({Transport::host, std::make_unique<HostTransport>(traces_, communicator)});
  }
  std::size_t fastest = 0;
  if (candidates.size() > 1) {
    std::vector<double> seconds;
    for (const Candidate& candidate : candidates) {
      seconds.push_back(seconds_of(*candidate.made, setting, communicator, state));
      if (seconds.back() < seconds[fastest]) fastest = seconds.size() - 1;
    }
  }
  transport_ = candidates.at(fastest).transport;
  used_ = std::move(candidates[fastest].made);
}

}  // namespace maxwell_dg::dg
