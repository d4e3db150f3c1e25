#include "core/mpi/standing.hpp"

#include <algorithm>

#include "core/mpi/of_all.hpp"

namespace maxwell_dg::core {

namespace {

struct Run {
  std::int32_t first, count;
};

std::vector<Run> runs_of(std::vector<std::int32_t> numbers) {
  std::ranges::sort(numbers);
  std::vector<Run> runs;
  for (const std::int32_t number : numbers) {
    if (runs.empty() || runs.back().first + runs.back().count != number) runs.push_back({number, 0});
    ++runs.back().count;
  }
  return runs;
}

}  // namespace

Standing standing_of(const Communicator& ranks, const std::vector<std::int32_t>& numbers) {
  std::vector<Run> runs = all_of(ranks, runs_of(numbers));
  std::ranges::sort(runs, {}, &Run::first);
  std::vector<std::size_t> before;  // [run]
  Standing standing;
  for (const Run& run : runs) {
    before.push_back(standing.count);
    standing.count += static_cast<std::size_t>(run.count);
  }
  for (const std::int32_t number : numbers) {
    const auto run = std::ranges::upper_bound(runs, number, {}, &Run::first) - runs.begin() - 1;
    const auto r = static_cast<std::size_t>(run);
    standing.at.push_back(before[r] + static_cast<std::size_t>(number - runs[r].first));
  }
  return standing;
}

}  // namespace maxwell_dg::core
