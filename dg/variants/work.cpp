#include "dg/variants/work.hpp"

#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

StageWork stage_work(const System& system, int N, Dtype precision) {
  const double F = system.field_count();
  const double Np = node_count(N), Nfp = face_node_count(N);
  return {.dofs = F * Np,
          .bytes = 4 * F * Np * static_cast<double>(size_of(precision)),
          .flops = 6 * F * Np * Np + 8 * F * Np * Nfp + 4 * system.nominal_flux_operations * Nfp + 4 * F * Np};
}

RooflineFractions roofline(const StageWork& work, double stages_per_second, const rtcg::Ceilings& ceilings,
                           Dtype precision) {
  constexpr double giga = 1e9;
  const auto fraction = [](double done, double possible) { return possible > 0 ? done / possible : 0.0; };
  return {.bandwidth = fraction(work.bytes * stages_per_second / giga, ceilings.copy_gb_s),
          .compute = fraction(work.flops * stages_per_second / giga, ceilings.best_gflops(precision))};
}

}  // namespace maxwell_dg::dg
