#include "rtcg/array/context.hpp"

#include <mutex>
#include <unordered_map>

namespace maxwell_dg::rtcg {

struct Context::State {
  core::Stream stream;
  Compiler compiler;
  core::MemoryPool pool;
  bool prefers_long_runs;
  std::mutex mutex;
  std::unordered_map<std::string, std::vector<core::Kernel>> kernels;
};

Context Context::open(std::string_view device) {
  return Context(core::Device::open(device));
}

Context::Context(const core::Device& device)
    : Context(device.create_stream(), Compiler(device), core::MemoryPool(device)) {}

Context::Context(core::Stream stream, Compiler compiler, core::MemoryPool pool, WorkShape shape) {
  const bool is_cpu = compiler.device().info().is_cpu;
  const bool long_runs = shape == WorkShape::of_device ? is_cpu : shape == WorkShape::long_runs;
  state_.reset(new State{std::move(stream), std::move(compiler), std::move(pool), long_runs, {}, {}});
}

const core::Device& Context::device() const {
  return state_->compiler.device();
}
const core::Stream& Context::stream() const {
  return state_->stream;
}
const core::MemoryPool& Context::pool() const {
  return state_->pool;
}
Compiler& Context::compiler() const {
  return state_->compiler;
}

bool Context::prefers_long_runs() const {
  return state_->prefers_long_runs;
}

core::Buffer Context::allocate(std::size_t bytes) const {
  return state_->pool.allocate(bytes);
}

std::vector<core::Kernel> Context::kernels(const std::string& key,
                                           const std::function<std::vector<core::Kernel>()>& make) const {
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->kernels.find(key);
    if (found != state_->kernels.end()) return found->second;
  }
  // Compiled without the lock: other kernels need not wait. Two threads may both compile; the first one's are kept.
  std::vector<core::Kernel> made = make();
  const std::lock_guard lock(state_->mutex);
  return state_->kernels.emplace(key, std::move(made)).first->second;
}

}  // namespace maxwell_dg::rtcg
