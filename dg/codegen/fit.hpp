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

/// What the kernels of a stage are made for. Refers to `lowered`.
struct StageProblem {
  const LoweredSystem& lowered;
  int N{};
  Dtype precision{};
  [[nodiscard]] int fields() const { return static_cast<int>(lowered.volume.size()); }
};

/// Whether a schedule fits a problem and a device; where it does not, why.
struct Fit {
  std::string why_not{};
  explicit operator bool() const { return why_not.empty(); }
};

/// Throws std::invalid_argument where it does not fit: "schedule NAME: why not".
void require(const Fit& fit, const Schedule& schedule);

/// Says whether schedules of a slicing fit a problem, and a device where one is given. Keeps what depends on the
/// problem alone: not for several threads at once.
using FitRules = std::function<Fit(const Schedule& schedule, const core::DeviceInfo* device)>;

// Rules that several slicings have.

/// What a group takes.
struct GroupDemand {
  int items{};
  std::size_t shared_bytes{};  ///< of shared memory
  int resident_groups = 1;     ///< that a multiprocessor of a GPU should hold
};
/// Groups of more than 1024 items fit nowhere.
[[nodiscard]] Fit group_fits(const GroupDemand& group, const core::DeviceInfo* device);
/// Whether matrices of so many bytes fit in constant memory.
[[nodiscard]] Fit tables_fit(std::size_t bytes);
/// Whether the state can be kept in the schedule's basis; `basis` is that of the element, none where a system has none.
[[nodiscard]] Fit basis_fits(const Schedule& schedule, const std::optional<ElementBasis>& basis);

/// Work-items that a multiprocessor holds at a time, and registers of each at most.
inline constexpr int most_resident_items = 2048, most_registers = 255;

}  // namespace maxwell_dg::dg
