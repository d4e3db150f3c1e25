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

std::string address_of(const DeviceInfo& info) {
  for (const BackendEntry& entry : backends()) {
    if (entry.backend == info.backend && entry.address != nullptr) return entry.address(info);
  }
  return std::to_string(info.index);
}

std::optional<std::vector<std::size_t>> shared_out(const std::vector<std::vector<std::string>>& seen) {
  std::set<std::string> taken;
  std::vector<std::size_t> numbers;
  for (const std::vector<std::string>& addresses : seen) {
    const auto mine = std::ranges::find_if(addresses, [&](const std::string& a) { return taken.insert(a).second; });
    if (mine == addresses.end()) return std::nullopt;
    numbers.push_back(static_cast<std::size_t>(mine - addresses.begin()));
  }
  return numbers;
}

}  // namespace maxwell_dg::core
