#pragma once

#include "apps/maxwell_dg/command_line.hpp"
#include "apps/simulation/simulation.hpp"
#include "core/error.hpp"

namespace maxwell_dg {

/// A run in memory for each angle of the config's sweep. After each of them monostatic.csv in the options' directory
/// has its rows, in the order of angles, then frequencies: those of rcs.csv, theta and phi being where the wave comes
/// from. Returns `done`, or the code of an interrupt. Throws what runs throw, and ConfigError for a sweep that is to be
/// resumed.
ExitCode sweep(const config::Config& config, const CommandLine& command, const simulation::Options& options);

}  // namespace maxwell_dg
