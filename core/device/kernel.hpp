#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/device/argument.hpp"
#include "core/device/stream.hpp"

namespace maxwell_dg::core {

class KernelState;
class ModuleState;

/// `cooperative`: all groups run at once, so that they can wait for each other (CUDA's grid.sync()); CUDA only.
/// `overlapping`: groups may begin before the launch before, in the same stream, has ended. Before they touch what it
/// writes they wait for its end (PTX's griddepcontrol.wait); they begin when all its groups have said that they may
/// (griddepcontrol.launch_dependents) or have ended. As `ordinary` where there is no such thing: OpenCL, GPUs before
/// Hopper. See "Programmatic Dependent Launch" in the CUDA C++ Programming Guide.
enum class LaunchKind { ordinary, cooperative, overlapping };

struct LaunchShape {
  std::array<std::size_t, 3> groups{1, 1, 1};      ///< number of work-groups (CUDA: grid)
  std::array<std::size_t, 3> group_size{1, 1, 1};  ///< work-items in each (CUDA: block)
  std::size_t dynamic_shared_bytes{0};             ///< CUDA only; an error on OpenCL when not 0
  LaunchKind kind{LaunchKind::ordinary};
};

struct KernelAttributes {
  int registers{};                     ///< a work-item; 0 where the backend does not say
  std::size_t shared_bytes{};          ///< static
  std::size_t local_bytes{};           ///< spills and private arrays
  std::size_t max_group_size{};        ///< for this kernel on this device
  std::size_t group_size_multiple{1};  ///< group sizes that are multiples of it waste no lanes
};

class Kernel {
 public:
  Kernel() = default;
  explicit Kernel(std::shared_ptr<KernelState> state) : state_(std::move(state)) {}
  /// Enqueues the kernel. A wrong number, size or kind of arguments (where the driver can tell), or a group larger
  /// than the device allows, throws DeviceError naming the kernel and the argument. Zero groups are nothing to do.
  /// May be called from several threads.
  void launch(const Stream& stream, const LaunchShape& shape, std::span<const KernelArgument> arguments) const;
  void launch(const Stream& stream, const LaunchShape& shape, std::initializer_list<KernelArgument> arguments) const {
    launch(stream, shape, std::span(arguments.begin(), arguments.size()));
  }
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] KernelAttributes attributes() const;
  /// The number of work-items in a group that keeps the device busiest, as far as the driver can tell.
  [[nodiscard]] std::size_t suggested_group_size(std::size_t dynamic_shared_bytes = 0) const;
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUfunction or cl_kernel
  [[nodiscard]] KernelState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<KernelState> state_;
};

/// Code loaded on a device.
class Module {
 public:
  Module() = default;
  explicit Module(std::shared_ptr<ModuleState> state) : state_(std::move(state)) {}
  /// Throws DeviceError when there is no kernel of that name.
  [[nodiscard]] Kernel kernel(const std::string& name) const;
  /// A variable of the module (`__device__` or `__constant__`, extern "C") as memory to copy to and from; it keeps the
  /// module loaded. OpenCL shows a host no such variables: UnsupportedFeature.
  [[nodiscard]] Buffer global(const std::string& name) const;
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUmodule or cl_program
  [[nodiscard]] ModuleState& state() const;  ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<ModuleState> state_;
};

}  // namespace maxwell_dg::core
