#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>

#include "core/device/kernel.hpp"

namespace maxwell_dg::core {

class PreparedState;

/// A kernel with its shape and arguments, checked and packed once: a launch is then one call of the driver. It keeps
/// the kernel and the buffers alive. One thread at a time; several threads prepare one each.
class PreparedLaunch {
 public:
  PreparedLaunch() = default;
  /// Throws as Kernel::launch does.
  PreparedLaunch(const Kernel& kernel, const LaunchShape& shape, std::span<const KernelArgument> arguments);
  PreparedLaunch(const Kernel& kernel, const LaunchShape& shape, std::initializer_list<KernelArgument> arguments)
      : PreparedLaunch(kernel, shape, std::span(arguments.begin(), arguments.size())) {}
  PreparedLaunch(PreparedLaunch&&) noexcept;
  PreparedLaunch& operator=(PreparedLaunch&&) noexcept;
  ~PreparedLaunch();

  /// Changes one argument for the launches to come.
  void set(std::size_t index, const KernelArgument& argument);
  void launch(const Stream& stream) const;

 private:
  std::unique_ptr<PreparedState> state_;  // null: no groups, nothing to do
};

}  // namespace maxwell_dg::core
