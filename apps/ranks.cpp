#include "apps/ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sched.h>

#include "apps/failure.hpp"
#include "core/log.hpp"

namespace maxwell_dg {

namespace {

constexpr double patience = 8;  // seconds for other ranks to fail as well

/// The cores that this process may use: what its launcher has bound it to, or its share of the host's.
int own_cores(int ranks_here) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int all = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) < all) return CPU_COUNT(&allowed);
  return std::max(1, all / ranks_here);
}

}  // namespace

core::Communicator begin_ranks() {
  core::Communicator ranks = core::Communicator::world();
  if (ranks.size() == 1) return ranks;
  if (!ranks.is_first()) set_log_level(LogLevel::error);
  const std::string threads = std::to_string(own_cores(ranks.on_this_host().size()));
  ::setenv("POCL_MAX_PTHREAD_COUNT", threads.c_str(), 0);
  return ranks;
}

ExitCode report_failure_of(const core::Communicator& ranks) {
  if (ranks.size() == 1) return report_failure();
  std::vector<std::string> lines;
  ExitCode code = ExitCode::internal;
  {
    const LogScope scope([&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    code = report_failure();
  }
  const auto said_by = [&](int rank, const std::string& host, const std::string& line) {
    log_error("rank " + std::to_string(rank) + " on " + host + ": " + line);
  };
  if (ranks.is_first()) {
    for (const std::string& line : lines) log_error(line);
  }
  try {
    if (ranks.all_arrive_within(patience)) {
      const std::vector<std::string> hosts = ranks.gather(core::host_name());
      const std::vector<std::string> texts = ranks.gather(lines.empty() ? "" : lines.front());
      for (std::size_t r = 1; r < texts.size(); ++r) {
        if (texts[r] != texts.front()) said_by(static_cast<int>(r), hosts[r], texts[r]);
      }
      return code;
    }
  } catch (const Error& error) {
    log_error(error.what());
  }
  if (!ranks.is_first()) {
    for (const std::string& line : lines) said_by(ranks.rank(), core::host_name(), line);
  }
  ranks.abort(code);
}

}  // namespace maxwell_dg
