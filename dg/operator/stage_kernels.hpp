#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "dg/codegen/curved/curved_generator.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/lowering/material_table.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/operator/device_arrays.hpp"
#include "dg/schedule/curved_variant.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

class HaloExchange;
class StageTerms;

/// What every implementation of a stage is constructed from. It refers to the discretization, the problem and the
/// lowered system, which must outlive it.
struct StageSetting {
  rtcg::Compiler compiler;
  const Discretization& discretization;
  const Problem& problem;
  const LoweredSystem& lowered;
  const MaterialTable& materials;
  const VaryingMedia& media;
  Dtype precision{};
  Schedule schedule;
  StateLayout layout;
  std::size_t made_for{};  ///< the number of elements that kernels are generated for, maybe of another mesh
  core::Stream stream;
  CurvedVariant curved{};                     ///< of curved elements; empty: the default
  std::shared_ptr<const StageTerms> terms{};  ///< that stages compute themselves; null: none

  [[nodiscard]] const core::Device& device() const { return compiler.device(); }
  [[nodiscard]] const ElementRanges& ranges() const { return discretization.ranges; }
  [[nodiscard]] bool has_ranges() const { return ranges().size() > 1; }
  /// Appends the arguments that tell a kernel its range of elements: none if there is only one range.
  void append_range(std::size_t range, std::vector<core::KernelArgument>& arguments) const;
  /// Whether another schedule reads the same arrays in the same layout.
  [[nodiscard]] bool has_layout_of(const Schedule& other) const;
  /// The same setting with another schedule. Throws std::invalid_argument if that needs another layout.
  [[nodiscard]] StageSetting with(const Schedule& other) const;
  /// A number as a kernel argument of type `real`.
  [[nodiscard]] core::KernelArgument real(double value) const;
  /// The dynamic shared memory to request at launch for a kernel that uses so many bytes: only CUDA needs the request,
  /// OpenCL kernels declare it themselves.
  [[nodiscard]] std::size_t dynamic_shared_bytes(std::size_t shared_bytes) const {
    return device().info().backend == core::Backend::cuda ? shared_bytes : 0;
  }
  /// What stages of curved elements are generated for; of a discretization that has some.
  [[nodiscard]] CurvedProblem curved_problem() const;
  /// A state filled with zeros.
  [[nodiscard]] core::Buffer zero_state() const;
  [[nodiscard]] core::Buffer upload_reals(std::size_t size, const std::function<double(std::size_t)>& value_at) const {
    return dg::upload_reals(device(), stream, precision, size, value_at);
  }
  [[nodiscard]] core::Buffer upload_reals(const std::vector<double>& values) const {
    return upload_reals(values.size(), [&](std::size_t i) { return values[i]; });
  }
  /// [block][column][point of the block] of rows [block x points + point][column].
  template <class Row>
  [[nodiscard]] core::Buffer upload_by_points(const std::vector<Row>& rows, std::size_t points) const {
    const std::size_t columns = rows.empty() ? 0 : rows.front().size();
    return upload_reals(rows.size() * columns, [&](std::size_t i) {
      const std::size_t block = i / (columns * points), column = i / points % columns, point = i % points;
      return rows[block * points + point][column];
    });
  }
  /// Column by column.
  [[nodiscard]] core::Buffer upload_columns(const Eigen::MatrixXd& matrix) const {
    return upload_reals(static_cast<std::size_t>(matrix.size()), [&](std::size_t i) { return matrix.data()[i]; });
  }
  template <class T>
  [[nodiscard]] core::Buffer upload(const std::vector<T>& values) const {
    return dg::upload(device(), stream, values);
  }
};

/// Element constants on a device, one row of `values` for each element; or, if `material` is not empty, one row for
/// each material, and material[k] is the row of element k.
struct ElementConstants {
  core::Buffer values, material;
};

/// A stage of one range of elements to which StageAdditions add, computed from Q at time t. If the stage is one kernel,
/// `rate` holds the new RES and `Q_new` the new state, and an addition must be made to both. If it is several kernels,
/// `rate` holds the right-hand side.
struct StageTarget {
  std::size_t range{};
  core::Buffer Q, rate, Q_new;
  double a{}, b{}, dt{}, t{};
};

/// Something that a stage computes in addition to the equations of every element: terms, powers.
class StageAddition {
 public:
  virtual ~StageAddition() = default;
  virtual void add(const StageTarget& target) = 0;
};

/// The state on a device and the kernels that advance it, arranged by a schedule. `load` must be called before anything
/// is computed.
class StageKernels {
 public:
  virtual ~StageKernels() = default;
  /// The source of all kernels of a stage.
  [[nodiscard]] virtual rtcg::KernelSource source() const = 0;
  /// The source of the kernel for curved elements, where there are any; kernels of other schedules on the same arrays
  /// share it.
  [[nodiscard]] virtual std::optional<rtcg::KernelSource> curved_source() const { return std::nullopt; }
  /// Takes the compiled curved_source().
  virtual void load_curved(const core::Module& /*module*/) {}
  /// Takes the compiled source(). Compiles curved_source(), if that has not been loaded.
  virtual void load(const core::Module& module) = 0;
  /// A kernel and how it is launched.
  struct Launch {
    std::string kernel;
    core::LaunchShape shape;
  };
  /// The launch that needs the most shared memory and registers.
  [[nodiscard]] virtual Launch largest_launch() const = 0;
  /// Memory traffic of a stage in units of the size of the state, if caches hold nothing: reads plus writes.
  [[nodiscard]] virtual int states_moved() const = 0;
  /// Kernels of another schedule on the same arrays. Throws std::invalid_argument if its layout differs.
  [[nodiscard]] virtual std::unique_ptr<StageKernels> with(const Schedule& schedule) const = 0;

  /// What was done since the stage before.
  enum class Since {
    anything,  ///< with the state, or what is derived from it
    stage      ///< nothing: a stage may begin before the ghosts of the stage before are there
  };
  /// res = a res + dt rhs(q, t); q += b res for all ranges of own elements, one after another, or at the same time.
  /// Asynchronous, but for waiting for other ranks where there is an exchange that does so. Throws std::logic_error if
  /// some ranges have computed more stages than others.
  void advance(double a, double b, double dt, double t, Since since = Since::anything);
  /// The same for one range. Throws std::logic_error if the range has to wait for others (RangeProgress).
  virtual void advance_range(std::size_t range, double a, double b, double dt, double t) = 0;
  /// The names of the separate kernels that `advance` runs in order; `run` runs one of them by itself, for timing.
  [[nodiscard]] virtual std::vector<std::string> operations() const { return {}; }
  virtual void run(const std::string& /*operation*/, double /*a*/, double /*b*/, double /*dt*/, double /*t*/) {}
  /// Updates the state on the host as `advance` does, without launching: for a stage that a recording replays.
  virtual void count_stage() = 0;
  /// rhs(q, t) of the current state, in the layout of the state. May overwrite res, so it may only be called between
  /// steps, when the next stage has a = 0.
  [[nodiscard]] virtual core::Buffer evaluate(double t) = 0;
  /// The buffer that holds q now, as it is stored; may be another one after each stage. This and all functions below
  /// throw std::logic_error if some ranges of elements have computed more stages than others.
  [[nodiscard]] virtual core::Buffer stored_state() const = 0;
  /// A buffer with q in components along x, y and z, valid until the next stage: `stored_state()` itself, unless q is
  /// stored in another basis.
  [[nodiscard]] virtual core::Buffer cartesian_state() { return stored_state(); }
  /// The same, but valid for these `count` elements only.
  [[nodiscard]] virtual core::Buffer cartesian_state_of(const core::Buffer& /*elements*/, std::size_t /*count*/) {
    return stored_state();
  }
  /// Converts `stored_state()`, into which components along x, y and z were written, to the basis in which it is
  /// stored.
  virtual void store_cartesian() {}
  [[nodiscard]] virtual ElementConstants constants() const = 0;
  /// Takes the constants anew from the setting's materials, which have changed; they vary within no element.
  virtual void take_constants() = 0;
  /// Must be called when `stored_state()` was overwritten: sets res = 0 and forgets all that was derived from the old
  /// state.
  virtual void reset() = 0;

  /// From now on every stage brings the traces of other ranks to the ghosts: those at the partition's edge are sent
  /// while interior elements are computed. It must outlive this object.
  void exchange_by(HaloExchange& exchange) { exchange_ = &exchange; }
  /// Brings the traces of the current state to the ghosts, where there is an exchange.
  void update_ghosts();
  /// Whether stages bring traces to other ranks, and from them.
  [[nodiscard]] bool exchanges() const { return exchange_ != nullptr && !ghosts_.empty(); }

  /// Adds this to every stage from now on, after the additions made before. It must outlive this object.
  void extend(StageAddition& addition) { additions_.push_back(&addition); }

 protected:
  explicit StageKernels(const ElementRanges& ranges);
  /// Whether the next stage goes through the elements from the last to the first.
  [[nodiscard]] virtual bool is_backwards() const { return false; }
  /// The ranges that are computed: all but those of ghosts.
  [[nodiscard]] const std::vector<std::size_t>& own_ranges() const { return own_; }
  /// A stage of these ranges, in this order.
  virtual void advance_ranges(std::span<const std::size_t> ranges, double a, double b, double dt, double t);
  /// Begins a stage of these ranges beside what the stream is given from now on, and ends it; all that the stream is
  /// given then comes after it. The default begins it where it ends.
  virtual void begin_beside(std::span<const std::size_t> /*ranges*/, double /*a*/, double /*b*/, double /*dt*/,
                            double /*t*/, Since /*since*/) {}
  virtual void end_beside(std::span<const std::size_t> ranges, double a, double b, double dt, double t) {
    advance_ranges(ranges, a, b, dt, t);
  }
  /// The buffer that the next stage of a range writes.
  [[nodiscard]] virtual core::Buffer written_by(std::size_t range) const = 0;
  /// Counts a stage of a range that others have computed.
  virtual void count_stage_of(std::size_t range) = 0;
  void add_to(const StageTarget& target) const {
    for (StageAddition* addition : additions_) addition->add(target);
  }

 private:
  std::vector<std::size_t> own_, edge_, interior_, ghosts_;  ///< ranges, ascending; own: edge and interior
  std::vector<StageAddition*> additions_;
  HaloExchange* exchange_ = nullptr;
};

/// Constructs the stage for `setting.schedule`. Throws std::invalid_argument for a schedule that does not fit the
/// problem or the device.
[[nodiscard]] std::unique_ptr<StageKernels> make_stage_kernels(const StageSetting& setting);

}  // namespace maxwell_dg::dg
