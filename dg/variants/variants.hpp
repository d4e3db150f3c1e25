#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/configuration.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/tune/search_space.hpp"

/// Which schedules a tuner can try, and which one is used where nothing was measured. Nothing here is special to a
/// system.
namespace maxwell_dg::dg {

/// What the fastest schedule depends on, besides the device.
struct VariantQuestion {
  const LoweredSystem& lowered;
  std::string system;  ///< its name
  int N{};
  Dtype precision{};
  // The following make no difference on CPUs, and are always false there.
  bool has_additions = false;  ///< whether stages have additions
  bool has_curved = false;     ///< whether there are curved elements

  /// The key of wisdom: "stage 1 maxwell N4 float32", "stage 1 maxwell N4 float32 with additions", "... with curved
  /// elements" or "... with curved elements and additions". The first number is the version of the search spaces.
  /// Raising it invalidates all earlier answers, also those that are shipped.
  [[nodiscard]] std::string text() const;
};

/// Whether the stages of a problem have additions (StageAddition): terms or, if `powers`, integrals of powers. These
/// read and write components along x, y and z, so the state cannot be in the basis of the element.
[[nodiscard]] bool has_additions(const Problem& problem, bool powers);

/// The question for the stages of a problem. Refers to `lowered`.
struct StagesOfProblem {
  int N{};
  Dtype precision{};
  bool powers = false;
  bool has_curved = false;  ///< whether elements of the mesh are curved
};
[[nodiscard]] VariantQuestion question_of(const LoweredSystem& lowered, const Problem& problem,
                                          const StagesOfProblem& stages, const core::DeviceInfo& device);

/// The schedules that are worth a trial on a device and that fit it: a space for each layout of the state, the most
/// promising first. Configurations are those of `configuration_of`; spaces refer to `question.lowered`.
///
/// On GPUs: Tiles (on tensor cores if there are any) with each distance between elements (Tiles::Rows), Elements at low
/// orders, and Nodes in five layouts. With Tiles and Elements, vectors are in the basis of the element (if the system
/// has one and stages have no additions) or along x, y and z. On CPUs: Lanes, with as many elements as a vector
/// register holds, half or twice as many; fewer if the local memory of a work-group is too small. With curved elements,
/// those whose stage is one kernel: a stage of curved elements takes its place.
[[nodiscard]] std::vector<rtcg::SearchSpace> variant_spaces(const core::DeviceInfo& device,
                                                            const VariantQuestion& question);
/// The spaces of one slicing ("nodes"), or of all if `slicing` is empty. Throws std::invalid_argument if there are
/// none.
[[nodiscard]] std::vector<rtcg::SearchSpace> variant_spaces(const core::DeviceInfo& device,
                                                            const VariantQuestion& question,
                                                            const std::string& slicing);

/// Whether a schedule is in one of these spaces or is the default: a file of wisdom may name any schedule.
[[nodiscard]] bool is_offered(const Schedule& schedule, const core::DeviceInfo& device,
                              const VariantQuestion& question);

/// The answers that are shipped with the program: the files of dg/variants/wisdom, as the tuner wrote them.
[[nodiscard]] std::string_view shipped_wisdom();

/// A digest of all kernel templates: what was tuned with other templates is tuned again.
[[nodiscard]] std::string_view kernel_texts_digest();

/// A schedule that works, without a measurement: the shipped answer for this device, or for the most similar one if it
/// fits; otherwise a rule of thumb. With curved elements, of which none ship, the answer without them.
[[nodiscard]] Schedule default_schedule(const core::DeviceInfo& device, const VariantQuestion& question);

}  // namespace maxwell_dg::dg
