#pragma once

#include <cstddef>
#include <initializer_list>
#include <ranges>
#include <span>
#include <variant>

#include "core/device/device.hpp"

/// Calls of kernels on host memory, complete in one line: for tests, trials and small work. Each argument travels to
/// the device and back at every call.
namespace maxwell_dg::core {

/// Host memory that the kernel reads.
struct In {
  template <std::ranges::contiguous_range Range>
  explicit In(const Range& range) : bytes(std::as_bytes(std::span(range))) {}
  std::span<const std::byte> bytes;
};

/// Host memory that the kernel fills; what it does not write is undefined afterwards.
struct Out {
  template <std::ranges::contiguous_range Range>
  explicit Out(Range& range) : bytes(std::as_writable_bytes(std::span(range))) {}
  std::span<std::byte> bytes;
};

/// Host memory that the kernel reads and changes.
struct InOut {
  template <std::ranges::contiguous_range Range>
  explicit InOut(Range& range) : bytes(std::as_writable_bytes(std::span(range))) {}
  std::span<std::byte> bytes;
};

using CallArgument = std::variant<KernelArgument, In, Out, InOut>;

/// Launches the kernel and waits for it: `call(device, kernel, shape, {In(x), Out(y), 3.0F})`.
void call(const Device& device, const Kernel& kernel, const LaunchShape& shape,
          std::initializer_list<CallArgument> arguments);

}  // namespace maxwell_dg::core
