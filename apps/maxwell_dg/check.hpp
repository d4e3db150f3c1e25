#pragma once

#include <string>

#include "apps/maxwell_dg/command_line.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg {

/// The resolved config, and as YAML comments behind it the forecast: elements by region, the mesh's size, degrees of
/// freedom, device memory, dt, steps, points per wavelength, what sources do when, files, the time that the run takes.
/// Of several ranks: how the mesh is
/// divided, and each rank's memory; the time is that of the costliest part. The first rank has the text, the others an
/// empty one. Runs nothing, writes nothing. Throws what a run would throw before its first step. Collective.
[[nodiscard]] std::string check(const CommandLine& command, const core::Communicator& ranks);

}  // namespace maxwell_dg
