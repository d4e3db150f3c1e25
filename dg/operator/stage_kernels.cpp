#include "dg/operator/stage_kernels.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "dg/operator/exchange/halo_exchange.hpp"
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

StageKernels::StageKernels(const ElementRanges& ranges) {
  for (std::size_t range = 0; range < ranges.size(); ++range) {
    const ElementRange::Place place = ranges[range].place;
    if (place == ElementRange::Place::ghost) {
      ghosts_.push_back(range);
      continue;
    }
    own_.push_back(range);
    (place == ElementRange::Place::partition_edge ? edge_ : interior_).push_back(range);
  }
}

void StageKernels::advance(double a, double b, double dt, double t, Since since) {
  (void)stored_state();  // throws where ranges are not level
  const bool backwards = is_backwards();
  const auto in_turn = [&](std::vector<std::size_t> ranges) {
    if (backwards) std::ranges::reverse(ranges);
    return ranges;
  };
  if (!exchanges()) {
    advance_ranges(in_turn(own_), a, b, dt, t);
    return;
  }
  const core::Buffer written = written_by(ghosts_.front());
  const std::vector<std::size_t> interior = in_turn(interior_);
  begin_beside(interior, a, b, dt, t, since);
  for (const std::size_t range : in_turn(edge_)) advance_range(range, a, b, dt, t);
  exchange_->begin(written);
  end_beside(interior, a, b, dt, t);
  exchange_->finish(written);
  for (const std::size_t range : ghosts_) count_stage_of(range);
}

void StageKernels::update_ghosts() {
  if (!exchanges()) return;
  exchange_->begin(stored_state());
  exchange_->finish(stored_state());
}

void StageKernels::advance_ranges(std::span<const std::size_t> ranges, double a, double b, double dt, double t) {
  for (const std::size_t range : ranges) advance_range(range, a, b, dt, t);
}

std::unique_ptr<StageKernels> make_stage_kernels(const StageSetting& setting) {
  const StageProblem problem{
      .lowered = setting.lowered, .N = setting.discretization.N(), .precision = setting.precision};
  require(fits(setting.schedule, problem, &setting.device().info()), setting.schedule);
  if (setting.schedule.is_fused()) return std::make_unique<FusedStage>(setting);
  return std::make_unique<SplitStage>(setting);
}

}  // namespace maxwell_dg::dg
