#pragma once

#include <string>

#include "core/device/device.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg::simulation {

/// The device of one of the ranks `here`, those of a host, which all ask for the same `spec`. Each takes a GPU of its
/// own, of all that it sees or of the one that its launcher shows it; a CPU serves all of them, unless each is to have
/// a device of its own (`opencl:all`). Throws as choose_device does; ConfigError for one GPU by its number, and where
/// `cuda:all` stands for more or fewer devices than there are ranks; DeviceError for fewer GPUs than ranks. Collective.
[[nodiscard]] core::DeviceChoice device_of_rank(const std::string& spec, const core::Communicator& here);

}  // namespace maxwell_dg::simulation
