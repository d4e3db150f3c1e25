#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.hpp"
#include "core/device/memory_pool.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::rtcg {

/// How generated kernels spread work: what suits the device, or one or the other way on any device, as tests want it.
enum class WorkShape {
  of_device,
  long_runs,  ///< few work-items, each with a long run of elements: a CPU's
  many_items  ///< many work-items side by side: a GPU's
};

/// What arrays live in: a device, the stream that all their work goes through, a compiler and a memory pool. A cheap
/// value that shares ownership; there is no current context, it is always given. Thread-safe.
class Context {
 public:
  /// `device` as in core::Device::open: "auto", "cuda:1", "cpu" ...
  [[nodiscard]] static Context open(std::string_view device);
  explicit Context(const core::Device& device);
  Context(core::Stream stream, Compiler compiler, core::MemoryPool pool, WorkShape shape = WorkShape::of_device);

  [[nodiscard]] const core::Device& device() const;
  [[nodiscard]] const core::Stream& stream() const;
  [[nodiscard]] const core::MemoryPool& pool() const;
  [[nodiscard]] Compiler& compiler() const;

  /// Whether kernels are to be shaped for a CPU, with long runs, or for a GPU.
  [[nodiscard]] bool prefers_long_runs() const;

  /// From the pool. Throws OutOfDeviceMemory.
  [[nodiscard]] core::Buffer allocate(std::size_t bytes) const;

  /// The kernels kept under `key`, or else those that `make` compiles, which are then kept as long as the context.
  [[nodiscard]] std::vector<core::Kernel> kernels(const std::string& key,
                                                  const std::function<std::vector<core::Kernel>()>& make) const;

  /// The same handle, or a copy of it.
  friend bool operator==(const Context& a, const Context& b) { return a.state_ == b.state_; }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace maxwell_dg::rtcg
