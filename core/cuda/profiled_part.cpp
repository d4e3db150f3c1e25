#include "core/cuda/profiled_part.hpp"

#include <utility>

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {

ProfiledPart::ProfiledPart(Device device) : device_(std::move(device)) {
  const auto state = cuda_device(device_, "parts of a program that a profiler records");
  if (driver().cuProfilerStart.get() == nullptr || driver().cuProfilerStop.get() == nullptr) {
    throw UnsupportedFeature("this CUDA driver does not start and stop profilers; record the whole program");
  }
  const Current current(*state);
  state->synchronize();
  check(driver().cuProfilerStart(), "cuProfilerStart");
}

ProfiledPart::~ProfiledPart() {
  const auto state = cuda_device(device_, "");
  const ScopedContext scope(state->context());
  if (!scope.is_current()) return;
  driver().cuCtxSynchronize();  // what was launched here belongs to the part
  driver().cuProfilerStop();
}

}  // namespace maxwell_dg::core::cuda
