#pragma once

#include <string>

#include "apps/simulation/outputs/summary.hpp"
#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// How long a run is expected to take on this device, by what is known of it.
struct Expected {
  double stage_seconds{};    ///< of this plan's stages, outputs included
  double prepare_seconds{};  ///< from the plan to the first step: kernels, the operator, the initial state
  bool is_guess{};           ///< of a device or of equations that are not quite these
  std::string source;        ///< "a run like this one on this device"
};
/// The first of these that there is: an earlier run of the same system, order, precision, terms and outputs on this
/// device; one with other terms or outputs; what tuning measured on this device; what was measured on a device like it,
/// as many times as it has more cores; a rule of thumb. Of another mesh, curved elements and the auxiliary variables of
/// terms count by what they cost where it was measured. Reads files, runs nothing.
[[nodiscard]] Expected expected(const Plan& plan);

/// Keeps how fast a run was that is done, among the files of wisdom, for `expected`. Short ones tell nothing, and are
/// not kept. A file that cannot be written is said, no more.
void note_rate(const Plan& plan, const Summary& summary);

}  // namespace maxwell_dg::simulation
