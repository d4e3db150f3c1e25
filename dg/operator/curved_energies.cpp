#include "dg/operator/curved_energies.hpp"

#include <algorithm>
#include <vector>

#include "dg/codegen/curved/curved_energy.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/operator/stage_arrays.hpp"

namespace maxwell_dg::dg {

CurvedEnergies::CurvedEnergies(const DeviceProblem& problem) : problem_(problem) {
  const StageSetting& setting = problem.setting();
  const Discretization& d = problem.discretization();
  const CurvedGeometry& geometry = d.curved.value();
  std::vector<std::int32_t> elements;
  std::vector<double> volumes;
  for (std::size_t k = 0; k < d.own(); ++k) {
    if (!d.mesh.curved.is_curved(k)) continue;
    elements.push_back(static_cast<std::int32_t>(k));
    const std::vector<double> of_element = d.volume_weights(k);
    volumes.insert(volumes.end(), of_element.begin(), of_element.end());
  }
  count_ = elements.size();
  groups_ = groups_for(count_);
  elements_ = setting.upload(elements);
  volumes_ = setting.upload_reals(volumes);
  metric_at_nodes_ = setting.upload_by_points(geometry.at_nodes, index(d.Np()));
  metric_at_points_ = setting.upload_by_points(geometry.at_volume_points, geometry.quadrature.volume.size());
  constants_at_points_ = upload_at_volume_points(setting, &VaryingMedia::at_point);
  at_volume_ = setting.upload_columns(geometry.quadrature.at_volume);
}

rtcg::KernelSource CurvedEnergies::source() const {
  const StageSetting& setting = problem_.setting();
  const CurvedSystem system = CurvedSystem::of(problem_.lowered(), problem_.problem().system.name);
  return curved_energy_kernel(
      problem_.lowered(), system, problem_.discretization().curved.value().quadrature.volume_points(),
      setting.curved_problem().options, setting.problem.varying.any() ? ConstantsOf::points : ConstantsOf::elements);
}

void CurvedEnergies::load(const core::Module& module) {
  kernel_ = module.kernel("curved_energy");
}

void CurvedEnergies::write(const core::Buffer& partial, std::size_t first_row) const {
  if (count_ == 0) return;  // of a part of a mesh whose ghosts alone are curved
  StageKernels& stages = problem_.stages();
  const ElementConstants constants = stages.constants();
  kernel_.launch(problem_.stream(), {.groups = {groups_, 1, 1}, .group_size = {index(curved_energy_items), 1, 1}},
                 {stages.cartesian_state(), elements_, metric_at_nodes_, metric_at_points_, volumes_, constants.values,
                  constants.material, constants_at_points_, at_volume_, partial, static_cast<std::int32_t>(first_row),
                  static_cast<std::int32_t>(count_)});
}

std::size_t CurvedEnergies::groups_for(std::size_t curved_elements) {
  return std::min(curved_elements, most_groups_of_a_sum);
}

std::size_t CurvedEnergies::forecast_bytes(std::size_t curved_elements, std::size_t volume_points, int Np,
                                           Dtype precision) {
  const std::size_t reals = curved_elements * (9 * index(Np) + 10 * volume_points) + volume_points * index(Np);
  return reals * size_of(precision) + curved_elements * sizeof(std::int32_t);
}

}  // namespace maxwell_dg::dg
