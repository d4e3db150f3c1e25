#include <algorithm>
#include <cstdio>
#include <string>

#include "apps/failure.hpp"
#include "apps/maxwell_dg/all_devices.hpp"
#include "apps/maxwell_dg/check.hpp"
#include "apps/maxwell_dg/command_line.hpp"
#include "apps/maxwell_dg/inspect.hpp"
#include "apps/maxwell_dg/kernels.hpp"
#include "apps/maxwell_dg/plot.hpp"
#include "apps/maxwell_dg/run.hpp"
#include "apps/maxwell_dg/tune.hpp"
#include "apps/process.hpp"
#include "apps/ranks.hpp"
#include "core/device/trace.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/mpi/file_of_rank.hpp"

namespace {

using maxwell_dg::CommandLine;
using maxwell_dg::ExitCode;

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  maxwell_dg::flush_standard_output();
}

ExitCode execute(const CommandLine& command, const maxwell_dg::core::Communicator& ranks) {
  using Action = CommandLine::Action;
  const bool is_of_all =
      command.action == Action::run || command.action == Action::check || command.action == Action::tune;
  if (!is_of_all && !ranks.is_first()) return ExitCode::done;  // the first rank does it
  switch (command.action) {
    case Action::run: return maxwell_dg::run(command, ranks);
    case Action::check: print(maxwell_dg::check(command, ranks)); break;
    case Action::tune: print(maxwell_dg::tune(command, ranks)); break;
    case Action::kernels: print(maxwell_dg::write_kernels(command)); break;
    case Action::convert: maxwell_dg::convert(command); break;
    case Action::plot: return maxwell_dg::plot(command);
    case Action::devices: print(maxwell_dg::describe_devices()); break;
    case Action::schema: print(maxwell_dg::schema()); break;
    case Action::show_cache: print(maxwell_dg::describe_cache()); break;
    case Action::clear_cache: print(maxwell_dg::clear_cache()); break;
    case Action::print_and_leave: print(command.text); break;
  }
  return ExitCode::done;
}

}  // namespace

int main(int argc, char** argv) {
  maxwell_dg::core::Communicator ranks;
  try {
    maxwell_dg::prepare_process();
    ranks = maxwell_dg::begin_ranks();
    CommandLine command = maxwell_dg::parse_command_line(argc, argv);
    if (const auto code = maxwell_dg::run_on_all_devices(command, {argv + std::min(1, argc), argv + argc})) {
      return static_cast<int>(*code);
    }
    if (command.quiet && ranks.is_first()) maxwell_dg::set_log_level(maxwell_dg::LogLevel::warning);
    if (command.trace)
      maxwell_dg::core::start_trace_timeline(
          ranks.is_first() ? *command.trace : maxwell_dg::core::file_of_rank(*command.trace, ranks.rank()));
    const ExitCode code = execute(command, ranks);
    maxwell_dg::core::stop_trace();
    return static_cast<int>(code);
  } catch (...) {
    return static_cast<int>(maxwell_dg::report_failure_of(ranks));
  }
}
