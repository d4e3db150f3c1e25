#pragma once

#include <cstdio>

#include <CLI/CLI.hpp>

#include "apps/failure.hpp"

namespace maxwell_dg {

/// Reads the command line and calls run(); what either throws is said on stderr, and its exit code is returned.
template <class Run>
[[nodiscard]] int run_program(CLI::App& app, int argc, char** argv, const Run& run) {
  try {
    app.parse(argc, argv);
    run();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help was asked for
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(ExitCode::config);
  } catch (...) {
    return static_cast<int>(report_failure());
  }
  return 0;
}

}  // namespace maxwell_dg
