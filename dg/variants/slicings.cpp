#include "dg/variants/slicings.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "dg/codegen/elements/element_slicing.hpp"
#include "dg/codegen/lanes/lane_slicing.hpp"
#include "dg/codegen/nodes/node_slicing.hpp"
#include "dg/codegen/tiles/tile_slicing.hpp"
#include "dg/variants/stage_generator.hpp"

namespace maxwell_dg::dg {

std::span<const Slicing> all_slicings() {
  static const std::array all{node_slicing(), tile_slicing(), element_slicing(), lane_slicing()};
  static_assert(all.size() == std::variant_size_v<decltype(Schedule::slicing)>);
  return all;
}

const Slicing& slicing_of(const Schedule& schedule) {
  return all_slicings()[schedule.slicing.index()];
}

Fit fits(const Schedule& schedule, const StageProblem& problem, const core::DeviceInfo* device) {
  return slicing_of(schedule).rules(problem)(schedule, device);
}

std::unique_ptr<FusedGenerator> make_stage_generator(const LoweredSystem& lowered, FusedGenerator::Options options) {
  const Slicing& slicing = slicing_of(options.schedule);
  if (slicing.make_fused == nullptr) {
    throw std::invalid_argument("schedule " + options.schedule.name() + ": its stage is several kernels, not one");
  }
  return slicing.make_fused(lowered, std::move(options));
}

}  // namespace maxwell_dg::dg
