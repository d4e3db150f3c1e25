#pragma once

#include <cstdio>

#include <CLI/CLI.hpp>

#include "core/error.hpp"

namespace maxwell_dg {

/// Reads the command line and calls run(); an error is one line on stderr, and its exit code is returned.
template <class Run>
[[nodiscard]] int run_program(CLI::App& app, int argc, char** argv, const Run& run) {
  try {
    app.parse(argc, argv);
    run();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // help was asked for
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(ExitCode::config);
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}

}  // namespace maxwell_dg
