#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "rtcg/array/context.hpp"
#include "rtcg/array/random/philox.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/measure.hpp"

/// What the examples of code at run time share: the device, the comparison with plain host code, the clock.
namespace maxwell_dg::examples {

struct Mismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Mismatch unless it is right.
inline void require(bool right, const std::string& what) {
  if (!right) throw Mismatch(what);
}

/// Where a value is further from the expected one than `tolerance` times the largest expected value; "" nowhere.
template <class T>
std::string difference(const std::vector<T>& values, const std::vector<T>& expected, double tolerance) {
  if (values.size() != expected.size()) return "wrong number of values";
  double largest = 0;
  for (const T& value : expected) largest = std::max(largest, std::abs(static_cast<double>(value)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = std::abs(static_cast<double>(values[i]) - static_cast<double>(expected[i]));
    if (error <= tolerance * largest) continue;  // also false for NaN
    return "[" + std::to_string(i) + "] is " + std::to_string(values[i]) + ", expected " + std::to_string(expected[i]);
  }
  return "";
}

/// Throws Mismatch when there is a difference.
template <class T>
void require_close(const std::vector<T>& values, const std::vector<T>& expected, double tolerance,
                   const std::string& what) {
  const std::string found = difference(values, expected, tolerance);
  require(found.empty(), what + found);
}

/// `count` numbers in [-1, 1) without a pattern, the same in every run.
inline std::vector<float> noise(std::size_t count, std::uint64_t seed = 1) {
  std::vector<float> values(count);
  rtcg::uniform_on_host({.seed = seed}, std::span<float>(values));
  for (float& value : values) value = 2 * value - 1;
  return values;
}

/// Wall time of `work`, the best of three.
inline double host_seconds(const std::function<void()>& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 3; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

/// A problem that fills a GPU, or one that a CPU is soon done with.
inline int size_for(const rtcg::Context& context, int on_cpu, int on_gpu) {
  return context.device().info().is_cpu ? on_cpu : on_gpu;
}

/// The kernel `name` that a template renders to.
inline core::Kernel kernel_of(const rtcg::Context& context, const std::string& name, const char* text,
                              const rtcg::Record& values) {
  const rtcg::Template source(name + ".kernel", text);
  return context.compiler().compile({.name = source.name(), .text = source.render(values)}).kernel(name);
}

/// Device seconds of a launch, the median of several.
inline double launch_seconds(const rtcg::Context& context, const core::Kernel& kernel, const core::LaunchShape& shape,
                             const std::vector<core::KernelArgument>& arguments) {
  return rtcg::measure_seconds(context.stream(), [&] { kernel.launch(context.stream(), shape, arguments); });
}

inline void print_speed_up(double host, double device) {
  std::printf(
      "%.1f times as fast as one core of this CPU with plain loops; Kloeckner et al. (2012) report 30, 50 and 85 "
      "times for such programs on GPUs and CPUs of their time\n",
      host / device);
}

/// The exit code of an example: 0, 1 for a Mismatch, else that of the error.
inline int run_on(const std::string& device, const std::function<void(const rtcg::Context&)>& example) {
  try {
    const rtcg::Context context = rtcg::Context::open(device);
    std::printf("on %s\n", context.device().info().name.c_str());
    example(context);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

/// On the device that MAXWELL_DG_DEVICE names, `auto` if it is not set.
inline int run(const std::function<void(const rtcg::Context&)>& example) {
  const char* device = std::getenv("MAXWELL_DG_DEVICE");
  return run_on(device == nullptr ? "auto" : device, example);
}

/// With a library of NVIDIA's on a CUDA device. Where there is none, or `missing` tells what else is not there, it is
/// said and the code is 77, which CTest takes for a skipped test.
inline int run_on_cuda(std::string missing, const std::function<void(const rtcg::Context&)>& example) {
  const auto is_cuda = [](const core::DeviceInfo& info) { return info.backend == core::Backend::cuda; };
  if (missing.empty() && std::ranges::none_of(core::list_devices(), is_cuda))
    missing = "no CUDA device on this machine";
  if (missing.empty()) return run_on("cuda", example);
  std::printf("skipped: %s\n", missing.c_str());
  return 77;
}

}  // namespace maxwell_dg::examples
