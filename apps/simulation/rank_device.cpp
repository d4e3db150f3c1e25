#include "apps/simulation/rank_device.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "core/counted.hpp"
#include "core/device/several_devices.hpp"
#include "core/error.hpp"

namespace maxwell_dg::simulation {

namespace {

core::DeviceChoice device_of_all(const std::string& spec, const std::vector<core::DeviceInfo>& all,
                                 const core::Communicator& here) {
  if (all.size() != static_cast<std::size_t>(here.size())) {
    throw ConfigError("device '" + spec + "' stands for " + core::counted(all.size(), "device", "devices") + " on " +
                      core::host_name() + ", and " +
                      core::counted(static_cast<std::size_t>(here.size()), "rank is", "ranks are") +
                      " there; start one for each, as the program maxwell_dg does if it is started alone, or name one "
                      "device");
  }
  return {all[static_cast<std::size_t>(here.rank())], "the one of this rank's number"};
}

/// [rank][device] of what each sees.
std::vector<std::vector<std::string>> identities_seen(const std::vector<core::DeviceInfo>& mine,
                                                      const core::Communicator& here) {
  std::string text;
  for (const core::DeviceInfo& info : mine) text += core::identity_of(info) + "\n";
  std::vector<std::vector<std::string>> seen;
  for (const std::string& of_rank : here.gather_to_all(text)) {
    std::istringstream lines(of_rank);
    seen.emplace_back();
    for (std::string line; std::getline(lines, line);) seen.back().push_back(line);
  }
  return seen;
}

}  // namespace

core::DeviceChoice device_of_rank(const std::string& spec, const core::Communicator& here) {
  if (const auto all = core::all_devices(spec)) return device_of_all(spec, *all, here);
  const core::DeviceChoice choice = core::choose_device(spec);
  if (here.size() == 1) return choice;
  std::vector<core::DeviceInfo> devices = core::list_devices();
  std::erase_if(devices, [&](const core::DeviceInfo& info) { return info.backend != choice.info.backend; });
  if (choice.info.is_cpu) devices.clear();
  const auto seen = identities_seen(devices, here);  // all of them ask, also where they have no GPU
  if (choice.info.is_cpu) return choice;
  if (spec.find(':') != std::string::npos) {
    throw ConfigError("device '" + spec + "' is one device, and " + std::to_string(here.size()) +
                      " ranks would share it on " + core::host_name() +
                      "; leave the number out: each rank then takes one of its own");
  }
  if (const auto numbers = core::shared_out(seen)) {
    return {devices[numbers->at(static_cast<std::size_t>(here.rank()))], "one that no other rank here has"};
  }
  std::set<std::string> gpus;
  for (const auto& identities : seen) gpus.insert(identities.begin(), identities.end());
  throw DeviceError(core::host_name() + " has " + core::counted(gpus.size(), "GPU", "GPUs") + " for " +
                    std::to_string(here.size()) + " ranks; start at most one for each GPU");
}

}  // namespace maxwell_dg::simulation
