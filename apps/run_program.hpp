#pragma once

#include <cstdio>

#include <CLI/CLI.hpp>

#include "apps/failure.hpp"
#include "apps/process.hpp"

namespace maxwell_dg {

/// Prepares the process, reads the command line and calls run(); what they throw is said on stderr by `report`, and its
/// exit code is returned. What was printed and did not arrive is an error, too.
template <class Run, class Report = ExitCode (*)()>
[[nodiscard]] int run_program(CLI::App& app, int argc, char** argv, const Run& run,
                              const Report& report = report_failure) {
  try {
    prepare_process();
    try {
      app.parse(argc, argv);
      run();
    } catch (const CLI::Success& help_was_asked_for) {
      app.exit(help_was_asked_for);
    }
    flush_standard_output();
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(ExitCode::config);
  } catch (...) {
    return static_cast<int>(report());
  }
  return 0;
}

}  // namespace maxwell_dg
