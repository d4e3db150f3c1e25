#include "core/device/several_devices.hpp"

#include <algorithm>
#include <set>

#include "core/device/backends.hpp"

namespace maxwell_dg::core {

std::optional<std::vector<DeviceInfo>> all_devices(std::string_view spec) {
  for (const BackendEntry& entry : backends()) {
    if (spec != std::string(entry.prefix) + ":all") continue;
    (void)choose_device(entry.prefix);  // says what is missing, if there are none
    return list_devices(entry).devices;
  }
  return std::nullopt;
}

std::string identity_of(const DeviceInfo& info) {
  for (const BackendEntry& entry : backends()) {
    if (entry.backend == info.backend && entry.identity != nullptr) return entry.identity(info);
  }
  return std::to_string(info.index);
}

std::optional<std::vector<std::size_t>> shared_out(const std::vector<std::vector<std::string>>& seen) {
  std::set<std::string> taken;
  std::vector<std::size_t> numbers;
  for (const std::vector<std::string>& identities : seen) {
    const auto mine = std::ranges::find_if(identities, [&](const std::string& i) { return taken.insert(i).second; });
    if (mine == identities.end()) return std::nullopt;
    numbers.push_back(static_cast<std::size_t>(mine - identities.begin()));
  }
  return numbers;
}

}  // namespace maxwell_dg::core
