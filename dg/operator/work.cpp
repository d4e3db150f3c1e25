#include "dg/operator/work.hpp"

namespace maxwell_dg::dg {

StageWork stage_work(const System& system, int N, Dtype precision) {
  const double F = system.field_count();
  const double Np = (N + 1) * (N + 2) * (N + 3) / 6.0, Nfp = (N + 1) * (N + 2) / 2.0;
  return {.dofs = F * Np,
          .bytes = 4 * F * Np * static_cast<double>(size_of(precision)),
          .flops = 6 * F * Np * Np + 8 * F * Np * Nfp + 4 * system.nominal_flux_operations * Nfp + 4 * F * Np};
}

}  // namespace maxwell_dg::dg
