#pragma once

#include "core/dtype.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/tune/ceilings.hpp"

namespace maxwell_dg::dg {

/// What one stage (a right-hand side and a low-storage Runge-Kutta update) of one element must do, whatever a kernel
/// really does: the measure that speeds are compared by (docs/performance.md).
struct StageWork {
  double dofs;   ///< fields Np
  double bytes;  ///< least traffic: q and res each read once and written once
  double flops;  ///< nominal: 6 F Np^2 differentiation + 8 F Np Nfp lifting + 4 Nfp flux + 4 F Np update, F fields
};

[[nodiscard]] StageWork stage_work(const System& system, int N, Dtype precision);

/// Which part of what the device can do at best is done by so many stages of an element a second. 0 where its ceiling
/// is not known.
struct RooflineFractions {
  double bandwidth;
  double compute;
  [[nodiscard]] double larger() const { return bandwidth > compute ? bandwidth : compute; }
};
[[nodiscard]] RooflineFractions roofline(const StageWork& work, double stages_per_second,
                                         const rtcg::Ceilings& ceilings, Dtype precision);

}  // namespace maxwell_dg::dg
