#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/lowering/material_table.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/operator/device_arrays.hpp"
#include "dg/schedule/schedule.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/symbolic/system.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// What every way to compute a stage is made from. Refers to the discretization, problem and lowered system, which
/// outlive it.
struct StageSetting {
  rtcg::Compiler compiler;
  const Discretization& discretization;
  const Problem& problem;
  const LoweredSystem& lowered;
  const MaterialTable& materials;
  Dtype precision{};
  Schedule schedule;
  StateLayout layout;
  std::size_t made_for{};  ///< elements of the mesh that kernels are made for, be it not this one
  core::Stream stream;

  [[nodiscard]] const core::Device& device() const { return compiler.device(); }
  [[nodiscard]] const ElementRanges& ranges() const { return discretization.ranges; }
  [[nodiscard]] bool has_ranges() const { return ranges().size() > 1; }
  /// The last arguments of a kernel that computes one range: none where there is one alone.
  void append_range(std::size_t range, std::vector<core::KernelArgument>& arguments) const;
  /// Does another schedule read the same arrays, laid out alike?
  [[nodiscard]] bool has_layout_of(const Schedule& other) const;
  /// The same by another schedule. Throws std::invalid_argument where that needs another layout.
  [[nodiscard]] StageSetting with(const Schedule& other) const;
  /// As a kernel's argument of type `real`.
  [[nodiscard]] core::KernelArgument real(double value) const;
  /// What a launch has to ask for, of a kernel with so many bytes ON_CHIP: on CUDA, where the kernel does not itself.
  [[nodiscard]] std::size_t asked_at_launch(std::size_t on_chip_bytes) const {
    return device().info().backend == core::Backend::cuda ? on_chip_bytes : 0;
  }
  /// A state filled with zeros.
  [[nodiscard]] core::Buffer zero_state() const;
  [[nodiscard]] core::Buffer upload_reals(std::size_t size, const std::function<double(std::size_t)>& value_at) const {
    return dg::upload_reals(device(), stream, precision, size, value_at);
  }
  [[nodiscard]] core::Buffer upload_reals(const std::vector<double>& values) const {
    return upload_reals(values.size(), [&](std::size_t i) { return values[i]; });
  }
  template <class T>
  [[nodiscard]] core::Buffer upload(const std::vector<T>& values) const {
    return dg::upload(device(), stream, values);
  }
};

/// Element constants on a device: `material` is empty where every element has constants of its own, else it tells which
/// of the rows of `values` an element has.
struct ElementConstants {
  core::Buffer values, material;
};

/// A stage of one range of elements on its way, for what is added to it: from Q at time t. A stage in one kernel has
/// left RES in `rate` and the new state in `Q_new`, to which additions go as well; one in several kernels has the
/// right-hand side in `rate`.
struct StageTarget {
  std::size_t range{};
  core::Buffer Q, rate, Q_new;
  double a{}, b{}, dt{}, t{};
};

/// What a stage does besides what holds in every element.
class StageAddition {
 public:
  virtual ~StageAddition() = default;
  virtual void add(const StageTarget& target) = 0;
};

/// The state on a device and the kernels that advance it, laid out by a schedule. They come without code: nothing can
/// be computed before `use`.
class StageKernels {
 public:
  virtual ~StageKernels() = default;
  /// The kernels of a stage, as one text to be compiled.
  [[nodiscard]] virtual rtcg::KernelSource source() const = 0;
  virtual void use(const core::Module& module) = 0;
  /// The kernel that takes most of the chip, and how it is launched.
  struct Launch {
    std::string kernel;
    core::LaunchShape shape;
  };
  [[nodiscard]] virtual Launch largest() const = 0;
  /// How many times as many bytes as the state has a stage reads and writes at least, where no cache holds them.
  [[nodiscard]] virtual int states_moved() const = 0;
  /// Another schedule of the same layout, on the same arrays. Throws std::invalid_argument for another layout.
  [[nodiscard]] virtual std::unique_ptr<StageKernels> with(const Schedule& schedule) const = 0;

  /// res = a res + dt rhs(q, t); q += b res, of all ranges of elements, one after the other. Asynchronous. Throws
  /// std::logic_error where some have computed more stages than others.
  void advance(double a, double b, double dt, double t);
  /// The same of one range. Throws std::logic_error where it is not its turn (RangeProgress).
  virtual void advance_range(std::size_t range, double a, double b, double dt, double t) = 0;
  /// The parts of `advance` that are kernels of their own, one after the other, and one of them by itself: to be timed.
  [[nodiscard]] virtual std::vector<std::string> operations() const { return {}; }
  virtual void run(const std::string& /*operation*/, double /*a*/, double /*b*/, double /*dt*/, double /*t*/) {}
  /// What `advance` does on the host besides launching: for a stage that is replayed from a recording.
  virtual void pass() = 0;
  /// rhs(q, t) of the present state, in the layout of the state. May overwrite res: for use between steps, before a
  /// stage with a = 0.
  [[nodiscard]] virtual core::Buffer evaluate(double t) = 0;
  /// Where q is now, as it is stored; may change with every stage. This and all that follows throws std::logic_error
  /// where some ranges of elements have computed more stages than others.
  [[nodiscard]] virtual core::Buffer place() const = 0;
  /// q by its components along x, y and z, until the next stage: `place()` itself, unless q is in another basis.
  [[nodiscard]] virtual core::Buffer state() { return place(); }
  /// The same, of `count` elements alone.
  [[nodiscard]] virtual core::Buffer state_of(const core::Buffer& /*elements*/, std::size_t /*count*/) {
    return place();
  }
  /// What stands at `place()` now are components along x, y and z, to be stored.
  virtual void take_cartesian() {}
  [[nodiscard]] virtual ElementConstants constants() const = 0;
  /// What stands at `place()` is another state: res = 0, and nothing is left of the state before.
  virtual void reset() = 0;

  /// From now on every stage has this addition, which outlives it, behind those that it has.
  void extend(StageAddition& addition) { additions_.push_back(&addition); }

 protected:
  explicit StageKernels(std::size_t ranges) : ranges_(ranges) {}
  void add_to(const StageTarget& target) const {
    for (StageAddition* addition : additions_) addition->add(target);
  }

 private:
  std::size_t ranges_;
  std::vector<StageAddition*> additions_;
};

/// Throws std::invalid_argument for a schedule whose kernels no device of this backend can run.
void require_backend(const Schedule& schedule, const core::DeviceInfo& device);
/// Makes what `setting.schedule` asks for. Throws std::invalid_argument for a schedule that makes no sense.
[[nodiscard]] std::unique_ptr<StageKernels> make_stage_kernels(const StageSetting& setting);

/// [element][face], as in Connectivity; elements that pad the last block are their own neighbours.
[[nodiscard]] core::Buffer upload_neighbours(const StageSetting& setting);
/// [element][face][node]: the neighbour's node, as its element x Np + its number there, or -1 - the boundary face.
/// Throws std::invalid_argument where these numbers do not fit in 32 bits.
[[nodiscard]] core::Buffer upload_outside_nodes(const StageSetting& setting);
/// [element][constant]; zero in elements that pad the last block.
[[nodiscard]] core::Buffer upload_constants(const StageSetting& setting);
/// Numbers that kernels index by node of a boundary face, [boundary face][axis][node]; empty where no condition
/// depends on position.
[[nodiscard]] std::vector<double> boundary_nodes(const StageSetting& setting);

}  // namespace maxwell_dg::dg
