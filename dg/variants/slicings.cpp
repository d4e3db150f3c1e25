#include "dg/variants/slicings.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "dg/variants/stage_generator.hpp"

namespace maxwell_dg::dg {

namespace {

template <class... S>
std::array<Slicing, sizeof...(S)> kernels_of_each(const std::variant<S...>& /*any*/) {
  return {kernels_of(S{})...};
}

}  // namespace

std::span<const Slicing> all_slicings() {
  static const auto all = kernels_of_each(AnySlicing{});
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
