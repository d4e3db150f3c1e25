#pragma once

namespace maxwell_dg::core {

/// Whether this build can run as one of several ranks.
[[nodiscard]] bool has_mpi();

/// How many processes a launcher has started with this one, by its environment variables; 1 without a launcher.
[[nodiscard]] int launched_processes();

/// Whether mpirun has started this process, be it alone.
[[nodiscard]] bool is_under_mpirun();

}  // namespace maxwell_dg::core
