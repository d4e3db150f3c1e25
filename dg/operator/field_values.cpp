#include "dg/operator/field_values.hpp"

#include <algorithm>
#include <cstdint>

#include "core/error.hpp"
#include "core/round_up.hpp"

namespace maxwell_dg::dg {

FieldValues::FieldValues(const DeviceProblem& problem, const KernelGenerator& generator, FieldsByFactors fields)
    : problem_(problem),
      stream_(problem.stream()),
      device_(problem.setting().device()),
      dtype_(problem.setting().precision),
      points_(problem.layout().K * index(problem.layout().Np)),
      count_(fields.fields.size()) {
  const core::DeviceInfo& info = device().info();
  if (info.backend == core::Backend::opencl && !info.is_cpu) {
    throw UnsupportedFeature("OpenCL device '" + info.name +
                             "' has no memory that other libraries can be shown; take the device cuda or cpu, or copy "
                             "the fields");
  }
  const StageSetting& setting = problem.setting();
  fields_ = setting.upload(std::vector<std::int32_t>(fields.fields.begin(), fields.fields.end()));
  factors_ = setting.upload_reals(fields.factors);
  const std::size_t bytes = std::max<std::size_t>(1, count_ * points_ * size_of(dtype()));
  if (info.is_cpu) {
    host_ = device().allocate_host(bytes, core::HostMemory::mapped);
    values_ = host_.device_view();
  } else {
    values_ = device().allocate(bytes);
  }
  stream().fill_zero(values_);
  kernel_ = rtcg::Compiler(setting.compiler).compile(generator.field_values()).kernel("field_values");
}

void FieldValues::update() const {
  if (count_ == 0) return;
  constexpr auto items = static_cast<std::size_t>(KernelGenerator::point_items);
  kernel_.launch(stream(), {.groups = {ceil_divide(points_, items), count_, 1}, .group_size = {items, 1, 1}},
                 {problem_.stages().cartesian_state(), fields_, factors_, values_, static_cast<std::int64_t>(points_)});
}

}  // namespace maxwell_dg::dg
