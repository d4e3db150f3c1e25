#include "dg/operator/state_energies.hpp"

#include <algorithm>
#include <cmath>

#include "core/round_up.hpp"
#include "dg/operator/device_arrays.hpp"

namespace maxwell_dg::dg {

namespace {

std::size_t groups_for(const StateLayout& layout, const KernelGenerator& generator) {
  return std::min(ceil_divide(layout.K, index(generator.elements_per_group())), most_groups_of_a_sum);
}

std::size_t partial_bytes(std::size_t groups, std::size_t energies) {
  return groups * std::max<std::size_t>(energies, 1) * sizeof(double);
}

}  // namespace

StateEnergies::StateEnergies(const DeviceProblem& problem, const KernelGenerator& generator)
    : problem_(problem),
      straight_end_(problem.layout().K),
      groups_(groups_for(problem.layout(), generator)),
      group_items_(static_cast<std::size_t>(generator.group_items())) {
  const StateLayout& layout = problem.layout();
  const Discretization& d = problem.discretization();
  const CurvedCells& curved = d.mesh.curved;
  const auto counts_here = [&](std::size_t k) { return k < d.own() && !curved.is_curved(k); };
  while (straight_end_ > 0 && !counts_here(straight_end_ - 1)) --straight_end_;
  jacobian_ = problem.setting().upload_reals(
      layout.K, [&](std::size_t k) { return counts_here(k) ? std::abs(d.geometry.J[k]) : 0.0; });
  const Eigen::MatrixXd& M = d.reference.M;
  M_ = problem.setting().upload_reals(static_cast<std::size_t>(M.size()), [&](std::size_t i) {
    return M(static_cast<Eigen::Index>(i) / M.cols(), static_cast<Eigen::Index>(i) % M.cols());
  });
  if (d.curved) curved_.emplace(problem);
  partial_ = problem.setting().device().allocate(partial_bytes(all_groups(), count()));
}

std::vector<rtcg::KernelSource> StateEnergies::sources(const KernelGenerator& generator) const {
  std::vector<rtcg::KernelSource> sources{generator.energy()};
  if (curved_) sources.push_back(curved_->source());
  return sources;
}

void StateEnergies::load(std::span<const core::Module> modules) {
  energy_ = modules[0].kernel("energy");
  total_energy_ = modules[0].kernel("total_energy");
  if (curved_) curved_->load(modules[1]);
}

void StateEnergies::write_record(const core::Buffer& totals, std::int32_t record) const {
  StageKernels& stages = problem_.stages();
  const ElementConstants constants = stages.constants();
  energy_.launch(problem_.stream(), {.groups = {groups_, 1, 1}, .group_size = {group_items_, 1, 1}},
                 {stages.cartesian_state(), jacobian_, constants.values, constants.material, M_, partial_,
                  static_cast<std::int32_t>(straight_end_)});
  if (curved_) curved_->write(partial_, groups_);
  const auto items = static_cast<std::size_t>(KernelGenerator::total_items);
  total_energy_.launch(problem_.stream(), {.group_size = {items, 1, 1}},
                       {partial_, totals, record, static_cast<std::int32_t>(all_groups())});
}

std::size_t StateEnergies::forecast_bytes(const StateLayout& layout, const KernelGenerator& generator, int Np,
                                          Dtype precision, std::size_t energies) {
  const std::size_t reals = layout.K + static_cast<std::size_t>(Np) * static_cast<std::size_t>(Np);
  return reals * size_of(precision) + partial_bytes(groups_for(layout, generator), energies);
}

}  // namespace maxwell_dg::dg
