#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "core/device/device.hpp"
#include "core/dtype.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// What the kernels of a stage are generated for. Refers to `lowered`.
struct StageProblem {
  const LoweredSystem& lowered;
  int N{};
  Dtype precision{};
  [[nodiscard]] int fields() const { return static_cast<int>(lowered.volume.size()); }
};

/// Whether a schedule fits a problem and a device; if not, why.
struct Fit {
  std::string why_not{};
  explicit operator bool() const { return why_not.empty(); }
};

/// Throws std::invalid_argument if it does not fit: "schedule NAME: why not".
void require(const Fit& fit, const Schedule& schedule);

/// A function that says whether a schedule of one slicing fits a problem, and the device unless it is null. It caches
/// what depends on the problem alone, so only one thread at a time may call it.
using FitRules = std::function<Fit(const Schedule& schedule, const core::DeviceInfo* device)>;

// Rules that several slicings share.

/// What a work-group needs of a device.
struct GroupDemand {
  int items{};                 ///< work-items
  std::size_t shared_bytes{};  ///< of shared memory
  int resident_groups = 1;     ///< groups that a multiprocessor of a GPU should hold
};
/// Whether a device can run such groups (any device, if it is null: at most 1024 work-items).
[[nodiscard]] Fit group_fits(const GroupDemand& group, const core::DeviceInfo* device);
/// Whether tables of so many bytes fit in constant memory.
[[nodiscard]] Fit tables_fit(std::size_t bytes);
/// Whether a device has tensor cores that multiply in a precision.
[[nodiscard]] Fit tensor_cores_fit(Dtype precision, const core::DeviceInfo& device);
/// Whether the state can be stored in the schedule's basis. `basis`: element_basis of the system.
[[nodiscard]] Fit basis_fits(const Schedule& schedule, const std::optional<ElementBasis>& basis);

/// The largest number of work-items that a multiprocessor holds at a time, and of registers of a work-item.
inline constexpr int most_resident_items = 2048, most_registers = 255;

}  // namespace maxwell_dg::dg
