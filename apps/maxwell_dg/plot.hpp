#pragma once

#include "apps/maxwell_dg/command_line.hpp"
#include "core/error.hpp"

namespace maxwell_dg {

/// --plot: draws every result file of the runs by the Python package maxwell_dg_results, which is found beside the
/// program (../share/maxwell_dg, or ../.. in an installed package of Python). Returns what that returns. The
/// interpreter is $MAXWELL_DG_PYTHON, else the first of python3 in the path and /usr/bin/python3 that has NumPy and
/// Matplotlib. Throws ConfigError where there is none.
[[nodiscard]] ExitCode plot(const CommandLine& command);

}  // namespace maxwell_dg
