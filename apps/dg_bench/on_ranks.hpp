#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/dg_bench/bench.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg::bench {

/// What ranks, one or several, reach together: one line of the report.
struct AnswerOfRanks {
  std::string system;
  int order{};
  Dtype precision{};
  int ranks{};
  std::size_t elements{};         ///< of the whole box
  std::size_t most_elements{};    ///< of the rank that has most
  double us_per_stage{};          ///< microseconds, of the slowest rank
  double ns_per_element_stage{};  ///< us_per_stage over most_elements: beside that of one rank with as many elements
  double gdof_per_second{};       ///< of all ranks
  std::string transport;          ///< of traces between them; "none" of one rank
  std::string variant;
  double max_relative_error{};  ///< see Answer
};

/// Times steps of five stages, as a run takes them, on a box that is divided among the ranks as a run divides it. One
/// answer a schedule, the same on all ranks; of a question without schedules, for the one that a run would take. Throws
/// as `run` does. Collective.
[[nodiscard]] std::vector<AnswerOfRanks> run_on_ranks(rtcg::Compiler& compiler, Boxes& boxes, const Question& question,
                                                      const core::Communicator& ranks);

}  // namespace maxwell_dg::bench
