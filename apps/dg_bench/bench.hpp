#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/operator/schedule.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/tune/ceilings.hpp"

namespace maxwell_dg::bench {

struct Question {
  dg::System system;
  int order{};
  Dtype precision{};
  std::size_t elements{};  ///< about; 0: the standard number of the order for this kind of device
  std::vector<dg::Schedule> schedules{};  ///< empty: the one that is taken by default
};

/// One line of the report. Counting rules: docs/performance.md.
struct Answer {
  std::string system;
  int order{};
  Dtype precision{};
  std::size_t elements{};
  double ns_per_element_stage{};
  double gdof_per_second{};
  double gflops{};         ///< nominal
  double gb_per_second{};  ///< least traffic
  double bandwidth_fraction{};
  double compute_fraction{};
  double roofline_fraction{};
  std::string variant;
  double max_relative_error{};  ///< of one right-hand side on random fields against the reference
};

/// Times stages on a conducting box of distorted tetrahedra, random fields; verifies on a small one of the same kind.
/// One answer a schedule.
[[nodiscard]] std::vector<Answer> run(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, const Question& question);

}  // namespace maxwell_dg::bench
