#include "rtcg/tune/ceilings.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

#include "rtcg/tune/ceiling_kernels.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr double giga = 1e9;

// A ceiling is the best that was seen. Repeats enough that on a shared machine some of them had the cores to
// themselves.
void measure_one(const CeilingWork& c, Ceilings& ceilings) {
  ceilings.*c.ceiling = c.amount / measure(c.work.stream, c.work.enqueue, {.repeats = 40}).best;
}

// A CPU gets its widest vectors and one work-item a group, a GPU scalars and groups that fill a multiprocessor.
std::size_t simd_bytes(const core::DeviceInfo& device) {
  return static_cast<std::size_t>(std::max(device.vector_bytes, 16));
}
constexpr std::size_t gpu_group = 256;

// Several groups a core: an uneven share of the last wave, or of a busy machine, evens out.
std::size_t group_count(const core::DeviceInfo& device) {
  return static_cast<std::size_t>(device.compute_units) * 16;
}

// At least four times the last-level cache, so that nothing is read from it.
std::size_t copy_bytes(const core::DeviceInfo& device) {
  std::size_t bytes = std::size_t{1} << 30;
  if (device.is_cpu) {
    const long cache = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    bytes = std::max(std::size_t{128} << 20, 4 * static_cast<std::size_t>(std::max(cache, 0L)));
  }
  return std::min(bytes, device.memory_bytes / 8) >> 20 << 20;
}

CeilingWork copy_work(Compiler& compiler) {
  const core::DeviceInfo& device = compiler.device().info();
  const std::size_t lanes = (device.is_cpu ? simd_bytes(device) : 16) / sizeof(float);
  const std::size_t vector_bytes = lanes * sizeof(float);
  const std::size_t run = device.is_cpu ? (std::size_t{1} << 16) / vector_bytes : 1;
  const std::size_t group = device.is_cpu ? 1 : gpu_group;
  const core::Module module = compiler.compile({.name = "ceiling_copy.kernel", .text = copy_kernel(lanes, run)});
  const core::Kernel kernel = module.kernel("copy");
  const std::size_t bytes = copy_bytes(device);
  const core::Stream stream = compiler.device().create_stream();
  const core::Buffer from = compiler.device().allocate(bytes);
  const core::Buffer to = compiler.device().allocate(bytes);
  stream.fill_zero(from);
  stream.fill_zero(to);
  stream.synchronize();  // or what is measured first, on another stream, would have to share a CPU with it
  const core::LaunchShape shape{.groups = {bytes / vector_bytes / run / group, 1, 1}, .group_size = {group, 1, 1}};
  return {.ceiling = &Ceilings::copy_gb_s,
          .amount = 2 * static_cast<double>(bytes) / giga,
          .work = {stream, [=] {
                     kernel.launch(stream, shape, {to, from});
                   }}};
}

CeilingWork fma_work(Compiler& compiler, Dtype dtype) {
  const core::DeviceInfo& device = compiler.device().info();
  const std::size_t lanes = device.is_cpu ? simd_bytes(device) / size_of(dtype) : 1;
  const std::size_t group = device.is_cpu ? 1 : gpu_group;
  const std::size_t groups = group_count(device);
  const int rounds = device.is_cpu ? 30000 : 4096;  // about a millisecond
  const core::Module module = compiler.compile(
      {.name = "ceiling_fma_" + std::string(name_of(dtype)) + ".kernel", .text = fma_kernel(dtype, lanes, group)});
  const core::Kernel kernel = module.kernel("chains");
  const core::Stream stream = compiler.device().create_stream();
  const core::Buffer out = compiler.device().allocate(groups * group * lanes * size_of(dtype));
  const auto real = [dtype](double value) {
    return dtype == Dtype::float32 ? core::KernelArgument(static_cast<float>(value)) : core::KernelArgument(value);
  };
  const core::LaunchShape shape{.groups = {groups, 1, 1}, .group_size = {group, 1, 1}};
  return {.ceiling = dtype == Dtype::float32 ? &Ceilings::fma_gflops_single : &Ceilings::fma_gflops_double,
          .amount = 2.0 * fma_chains * rounds * static_cast<double>(lanes * group * groups) / giga,
          .work = {stream, [=] {
                     kernel.launch(stream, shape, {out, real(0.999), real(0.001), rounds});
                   }}};
}

CeilingWork tensor_work(Compiler& compiler, const TensorInstruction& instruction) {
  constexpr int rounds = 2048;
  constexpr double warps = gpu_group / 32.0;
  const std::size_t groups = group_count(compiler.device().info());
  const core::Module module = compiler.compile(
      {.name = "ceiling_" + instruction.name + ".kernel", .text = tensor_kernel(instruction, gpu_group)});
  const core::Kernel kernel = module.kernel("tensor");
  const core::Stream stream = compiler.device().create_stream();
  const core::Buffer out = compiler.device().allocate(groups * gpu_group * size_of(instruction.accumulator));
  const core::LaunchShape shape{.groups = {groups, 1, 1}, .group_size = {gpu_group, 1, 1}};
  return {.ceiling = instruction.accumulator == Dtype::float64 ? &Ceilings::tensor_gflops_double
                                                               : &Ceilings::tensor_gflops_tf32,
          .amount = instruction.operations * rounds * tensor_chains * warps * static_cast<double>(groups) / giga,
          .work = {stream, [=] {
                     kernel.launch(stream, shape, {out, rounds});
                   }}};
}

/// One of them, not made yet: some take much memory.
struct Part {
  std::optional<Dtype> precision;  ///< none: it bounds both
  std::function<CeilingWork()> make;
};

/// One for each unit that the device has.
std::vector<Part> parts(Compiler& compiler) {
  const core::DeviceInfo& device = compiler.device().info();
  std::vector<Part> list{{std::nullopt, [&] { return copy_work(compiler); }},
                         {Dtype::float32, [&] { return fma_work(compiler, Dtype::float32); }}};
  if (device.has_float64) list.push_back({Dtype::float64, [&] { return fma_work(compiler, Dtype::float64); }});
  for (const TensorInstruction& instruction : tensor_instructions(device.cuda_architecture())) {
    list.push_back({instruction.accumulator, [&compiler, instruction] { return tensor_work(compiler, instruction); }});
  }
  return list;
}

}  // namespace

double Ceilings::best_gflops(Dtype precision) const {
  if (precision == Dtype::float64) return std::max(fma_gflops_double, tensor_gflops_double);
  return std::max(fma_gflops_single, tensor_gflops_tf32 / 3);
}

Ceilings measure_ceilings(Compiler& compiler) {
  return *measure_ceilings(compiler, [] { return false; });
}

std::optional<Ceilings> measure_ceilings(Compiler& compiler, const std::function<bool()>& stop) {
  Ceilings ceilings;
  for (const Part& part : parts(compiler)) {
    if (stop()) return std::nullopt;
    measure_one(part.make(), ceilings);
  }
  return ceilings;
}

std::vector<CeilingWork> ceiling_works(Compiler& compiler, Dtype precision) {
  std::vector<CeilingWork> works;
  for (const Part& part : parts(compiler)) {
    if (part.precision.value_or(precision) == precision) works.push_back(part.make());
  }
  return works;
}

}  // namespace maxwell_dg::rtcg
