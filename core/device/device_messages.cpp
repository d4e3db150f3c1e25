#include "core/device/device_messages.hpp"

#include <string>

#include "core/device/backend.hpp"
#include "core/mpi/first_error.hpp"

namespace maxwell_dg::core {

std::string DeviceState::absence_of_messages() {
  return std::string(name_of(info().backend)) + " has no messages between devices";
}

std::unique_ptr<DeviceMessages> DeviceState::make_messages(const Communicator& /*ranks*/) {
  throw UnsupportedFeature(absence_of_messages());
}

std::unique_ptr<DeviceMessages> make_device_messages(const Device& device, const Communicator& ranks) {
  const std::string absence = ranks.first_reason(device.state().absence_of_messages());
  if (!absence.empty()) throw DeviceError("no messages between devices: " + absence);
  std::unique_ptr<DeviceMessages> made;
  on_all_ranks<DeviceError>(ranks, [&] { made = device.state().make_messages(ranks); });
  return made;
}

}  // namespace maxwell_dg::core
