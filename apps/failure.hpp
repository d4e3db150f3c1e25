#pragma once

#include "core/error.hpp"

namespace maxwell_dg {

/// In a catch block: says what was thrown, as error lines, and returns what it means for the exit code.
[[nodiscard]] ExitCode report_failure();

}  // namespace maxwell_dg
