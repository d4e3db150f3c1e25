#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/outputs/rank_rows.hpp"
#include "apps/simulation/plan.hpp"
#include "dg/observe/antenna_figures.hpp"
#include "dg/observe/error_norms.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/tune/ceilings.hpp"

namespace maxwell_dg::simulation {

/// What came of a run; quantities in the config's units.
struct Summary {
  std::string outcome;     ///< done, interrupted, diverged
  std::string ended_by{};  ///< of a run that was done: time, decay, at_most
  std::string kernel_variant;
  long steps{};       ///< done, of the whole run
  long first_step{};  ///< that this start began with: more than zero where it was resumed
  long made{};        ///< steps done since
  double time_end{};  ///< reached
  double wall_seconds{};
  double setup_seconds{};  ///< from the start of the program to the first step
  double loop_seconds{};   ///< first step to last, outputs included
  rtcg::CompileStatistics compile{};
  double initial_energy{}, final_energy{};
  std::vector<Decay> decays{};                ///< of the run, or of the share of each driven port
  std::vector<dg::ErrorNorm> errors{};        ///< empty without a reference solution
  std::vector<dg::AntennaFigures> antenna{};  ///< the rows of antenna.csv
  std::size_t device_bytes{};                 ///< allocated at most
  std::vector<std::string> warnings{};
  std::vector<RankRow> ranks{};              ///< of a run of several, on the first one
  std::optional<dg::Transport> transport{};  ///< between them
  std::optional<rtcg::Ceilings> ceilings{};  ///< of the device, where they are known
};

/// Degrees of freedom updated in a second / 1e9: dofs x stages x steps made / loop_seconds.
[[nodiscard]] double gdof_per_second(const Summary& summary, const Plan& plan);

/// The text of summary.json.
[[nodiscard]] std::string summary_json(const Summary& summary, const Plan& plan);

/// summary.json, atomically. Throws OutputError.
void write_summary(const Summary& summary, const Plan& plan, const std::filesystem::path& file);

/// A few lines for people.
[[nodiscard]] std::string summary_text(const Summary& summary, const Plan& plan);

}  // namespace maxwell_dg::simulation
