#include "dg/operator/stage_kernels.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "dg/operator/fused_stage.hpp"
#include "dg/operator/split_stage.hpp"
#include "dg/variants/slicings.hpp"

namespace maxwell_dg::dg {

bool StageSetting::has_layout_of(const Schedule& other) const {
  return other.slicing.index() == schedule.slicing.index() && other.basis() == schedule.basis() &&
         (!terms || other.lanes() == schedule.lanes()) &&
         StateLayout(other, precision, layout.K, layout.fields(), layout.Np) == layout;
}

StageSetting StageSetting::with(const Schedule& other) const {
  StageSetting changed = *this;
  changed.schedule = other;
  if (!has_layout_of(other)) {
    throw std::invalid_argument("schedule " + other.name() + " needs another layout than " + schedule.name());
  }
  return changed;
}

void StageSetting::append_range(std::size_t range, std::vector<core::KernelArgument>& arguments) const {
  if (!has_ranges()) return;
  const ElementRange& elements = ranges()[range];
  arguments.insert(arguments.end(),
                   {static_cast<std::int32_t>(elements.begin), static_cast<std::int32_t>(elements.end)});
}

CurvedProblem StageSetting::curved_problem() const {
  return {
      .lowered = lowered,
      .reference = discretization.reference,
      .quadrature = discretization.curved.value().quadrature,
      .options = {.system = problem.system.name, .N = discretization.N(), .precision = precision, .schedule = schedule},
      .media_vary = problem.varying.any()};
}

core::KernelArgument StageSetting::real(double value) const {
  if (precision == Dtype::float32) return static_cast<float>(value);
  return value;
}

core::Buffer StageSetting::zero_state() const {
  core::Buffer buffer = device().allocate(layout.size() * size_of(precision) + StateLayout::bytes_behind);
  stream.fill_zero(buffer);
  return buffer;
}

void StageKernels::advance(double a, double b, double dt, double t) {
  (void)stored_state();  // throws where ranges are not level
  advance_all(a, b, dt, t);
}

std::vector<std::size_t> StageKernels::in_turn() const {
  std::vector<std::size_t> ranges(ranges_);
  std::iota(ranges.begin(), ranges.end(), std::size_t{0});
  if (is_backwards()) std::ranges::reverse(ranges);
  return ranges;
}

void StageKernels::advance_all(double a, double b, double dt, double t) {
  for (const std::size_t range : in_turn()) advance_range(range, a, b, dt, t);
}

std::unique_ptr<StageKernels> make_stage_kernels(const StageSetting& setting) {
  const StageProblem problem{
      .lowered = setting.lowered, .N = setting.discretization.N(), .precision = setting.precision};
  require(fits(setting.schedule, problem, &setting.device().info()), setting.schedule);
  if (setting.schedule.is_fused()) return std::make_unique<FusedStage>(setting);
  return std::make_unique<SplitStage>(setting);
}

}  // namespace maxwell_dg::dg
