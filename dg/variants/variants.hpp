#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/configuration.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/tune/search_space.hpp"

/// Which schedules there are, and which is taken where nothing was measured. Nothing here is special to a system.
namespace maxwell_dg::dg {

/// What the fastest schedule depends on besides the device.
struct VariantQuestion {
  const LoweredSystem& lowered;
  std::string system;  ///< its name
  int N{};
  Dtype precision{};
  bool has_additions = false;  ///< only where schedules differ in that, not on CPUs

  /// "stage 1 maxwell N4 float32", "stage 1 maxwell N4 float32 with additions". The first number is the version of the
  /// space: it changes when earlier answers should be forgotten, also those that come with the program.
  [[nodiscard]] std::string text() const;
};

/// Whether stages of a problem have additions (StageAddition): terms or, if `powers`, integrals of powers. Those read
/// and write components along x, y and z, so that the state cannot be in the basis of the element.
[[nodiscard]] bool has_additions(const Problem& problem, bool powers);

/// What to ask for the stages of a problem. Refers to `lowered`.
[[nodiscard]] VariantQuestion question_of(const LoweredSystem& lowered, const Problem& problem, int N, Dtype precision,
                                          bool powers, const core::DeviceInfo& device);

/// Every schedule that the generators can make kernels of and that fits on the device, a space for each layout of the
/// state, the most promising first. Configurations are those of `configuration_of`; spaces refer to `question.lowered`.
///
/// On GPUs: vectors in the basis of the element, where the system has one and stages have no additions, or along x, y
/// and z; a stage in one kernel, products on tensor cores where there are any, elements in memory as far apart as on
/// the chip, close together or in blocks, or by plain arithmetic; three kernels a stage, in five
/// layouts. On CPUs: a stage in one kernel, as many elements side by side as a vector register holds, half or twice as
/// many; fewer where the memory of a work-group is too small.
[[nodiscard]] std::vector<rtcg::SearchSpace> variant_spaces(const core::DeviceInfo& device,
                                                            const VariantQuestion& question);
/// Those of one slicing ("nodes"), of all where that is empty. Throws std::invalid_argument where there are none.
[[nodiscard]] std::vector<rtcg::SearchSpace> variant_spaces(const core::DeviceInfo& device,
                                                            const VariantQuestion& question,
                                                            const std::string& slicing);

/// Whether a schedule is in one of these spaces, or the one that is taken by default: what a file asks for may be any.
[[nodiscard]] bool is_offered(const Schedule& schedule, const core::DeviceInfo& device,
                              const VariantQuestion& question);

/// A schedule as a point of its space and back. The other way throws std::out_of_range for what is no such point.
[[nodiscard]] rtcg::Configuration configuration_of(const Schedule& schedule);
[[nodiscard]] Schedule schedule_of(const rtcg::Configuration& configuration);

/// Answers that come with the program: the files of dg/variants/wisdom, as the tuner wrote them.
[[nodiscard]] std::string_view shipped_wisdom();

/// Changes with any kernel text of dg/codegen: what was tuned with other texts is tuned again.
[[nodiscard]] std::string_view kernel_texts_digest();

/// A schedule that works, without a measurement: what ships for this device or else for the one most like it, as far as
/// it fits; a rule of thumb where nothing does.
[[nodiscard]] Schedule default_schedule(const core::DeviceInfo& device, const VariantQuestion& question);

}  // namespace maxwell_dg::dg
