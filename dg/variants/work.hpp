#pragma once

#include "core/dtype.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/tune/ceilings.hpp"

namespace maxwell_dg::dg {

/// The work of one stage (a right-hand side and a low-storage Runge-Kutta update) for one element, counted by formulas,
/// not by what a kernel really does. Speeds are compared by this measure (docs/performance.md).
struct StageWork {
  double dofs;   ///< fields Np
  double bytes;  ///< least memory traffic: q and res are each read once and written once
  /// Nominal operations, for F fields: 6 F Np^2 differentiation + 8 F Np Nfp lifting + 4 X Nfp fluxes + 4 F Np update,
  /// with X = System::nominal_flux_operations.
  double flops;
};

[[nodiscard]] StageWork stage_work(const System& system, int N, Dtype precision);

/// The fractions of the device's highest measured rates (rtcg::Ceilings) that a speed reaches: of memory bandwidth, and
/// of arithmetic. `stages_per_second` counts stages of one element. 0 if the device's rate is not known.
struct RooflineFractions {
  double bandwidth;
  double compute;
  [[nodiscard]] double larger() const { return bandwidth > compute ? bandwidth : compute; }
};
[[nodiscard]] RooflineFractions roofline(const StageWork& work, double stages_per_second,
                                         const rtcg::Ceilings& ceilings, Dtype precision);

}  // namespace maxwell_dg::dg
