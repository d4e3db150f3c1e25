#pragma once

#include "apps/maxwell_dg/command_line.hpp"
#include "apps/simulation/simulation.hpp"
#include "core/error.hpp"

namespace maxwell_dg {

/// A run in memory for each angle of the config's sweep, on the config's device; on `cuda:all` or `opencl:all` as many
/// at a time as there are devices, each on one of them, unless several ranks compute each angle together. As angles are
/// done monostatic.csv in the options' directory grows by their rows, in the order of angles, then frequencies: those
/// of rcs.csv, theta and phi being where the wave comes from. Returns `done`, or the code of an interrupt. Throws what
/// runs throw, with the angle, and ConfigError for a sweep that is to be resumed; the file has the rows of all angles
/// that were done.
ExitCode sweep(const config::Config& config, const CommandLine& command, const simulation::Options& options);

}  // namespace maxwell_dg
