#include "apps/ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sched.h>

#include "apps/failure.hpp"
#include "core/counted.hpp"
#include "core/log.hpp"
#include "core/mpi/rank_warnings.hpp"

namespace maxwell_dg {

namespace {

constexpr double patience = 8;  // seconds for other ranks to fail as well

/// The cores that this process may use: those to which its launcher has bound it, or all of the host's.
std::vector<int> allowed_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  return cores;
}

/// Of the ranks of this host: [core] how many of them may use it.
std::map<int, int> users_of_cores(const core::Communicator& here) {
  std::map<int, int> users;
  const std::vector<int> mine = allowed_cores();
  for (const auto& cores : here.gather_to_all(std::as_bytes(std::span(mine)))) {
    for (const int core : core::values_of<int>(cores)) ++users[core];
  }
  return users;
}

}  // namespace

core::Communicator begin_ranks() {
  core::Communicator ranks = core::Communicator::world();
  if (ranks.size() == 1) return ranks;
  if (!ranks.is_first()) set_log_level(LogLevel::error);
  const std::map<int, int> users = users_of_cores(ranks.on_this_host());
  double share = 0;  // a core that n ranks may use is an nth of one for each
  for (const int core : allowed_cores()) share += 1.0 / users.at(core);
  ::setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(std::max(1, static_cast<int>(share + 1e-9))).c_str(), 0);
  return ranks;
}

void warn_of_too_few_cores(const core::Communicator& ranks) {
  if (ranks.size() == 1) return;
  const core::Communicator here = ranks.on_this_host();
  const std::size_t cores = users_of_cores(here).size();
  const bool is_short = cores < static_cast<std::size_t>(here.size());
  const std::string mine =
      is_short && here.is_first()
          ? core::host_name() + ": " + std::to_string(here.size()) + " ranks on " +
                core::counted(cores, "core", "cores") +
                " wait for each other at every stage; start at most one rank a core, and if the host has more cores"
                " than that, bind ranks apart: mpirun --bind-to core, srun --cpu-bind=cores"
          : "";
  for (const std::string& text : ranks.gather(mine)) {
    if (!text.empty()) log_warning(text);
  }
}

ExitCode report_failure_of(const core::Communicator& ranks, const std::vector<std::string>& warnings) {
  if (ranks.size() == 1) return report_failure();
  std::vector<std::string> lines;
  ExitCode code = ExitCode::internal;
  {
    const LogScope scope([&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    code = report_failure();
  }
  const auto name_of = [](int rank, const std::string& host) {
    return "rank " + std::to_string(rank) + " on " + host + ": ";
  };
  if (ranks.is_first()) {
    for (const std::string& line : lines) log_error(line);
  }
  try {
    if (ranks.all_arrive_within(patience)) {
      const std::vector<std::string> hosts = ranks.gather(core::host_name());
      const std::vector<std::string> texts = ranks.gather(lines.empty() ? "" : lines.front());
      for (std::size_t r = 1; r < texts.size(); ++r) {
        if (texts[r] != texts.front()) log_error(name_of(static_cast<int>(r), hosts[r]) + texts[r]);
      }
      RankWarnings(ranks).tell(warnings);
      return code;
    }
  } catch (const Error& error) {
    log_error(error.what());
  }
  if (!ranks.is_first()) {
    set_log_level(LogLevel::warning);
    const std::string name = name_of(ranks.rank(), core::host_name());
    for (const std::string& warning : warnings) log_warning(name + warning);
    for (const std::string& line : lines) log_error(name + line);
  }
  ranks.abort(code);
}

}  // namespace maxwell_dg
