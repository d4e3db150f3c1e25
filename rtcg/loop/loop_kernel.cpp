#include "rtcg/loop/loop_kernel.hpp"

#include <utility>

#include "rtcg/array/error.hpp"
#include "rtcg/loop/loop_check.hpp"
#include "rtcg/loop/loop_generator.hpp"
#include "rtcg/loop/loop_space.hpp"
#include "rtcg/loop/slicing.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr const char* generator_version = "loop generator 2";
constexpr std::size_t static_shared_bytes = 48 * 1024;  // CUDA's limit for arrays of fixed size

Value::List list_of(const std::vector<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

Record shape_of(const LoopNest& nest) {
  Record extents;
  for (const LoopDimension& dimension : nest.output) extents[dimension.name] = dimension.extent;
  for (const LoopDimension& dimension : nest.reduction) extents[dimension.name] = dimension.extent;
  Record arrays;
  for (const LoopArray& array : nest.arrays) {
    arrays[array.name] = Record{{"shape", list_of(array.shape)}, {"strides", list_of(array.strides)}};
  }
  return {{"extents", extents}, {"arrays", arrays}};
}

core::KernelArgument scalar(double value, Dtype dtype) {
  return dtype == Dtype::float32 ? core::KernelArgument(static_cast<float>(value)) : core::KernelArgument(value);
}

std::vector<core::KernelArgument> arguments_of(const LoopNest& nest, std::span<const core::Buffer> buffers,
                                               std::span<const double> scalars) {
  std::vector<core::KernelArgument> arguments(buffers.begin(), buffers.end());
  for (const double value : scalars) arguments.push_back(scalar(value, nest.dtype));
  return arguments;
}

/// Vectors as a type of numbers are OpenCL's.
void refuse_lanes_of_cuda(const std::string& nest, const Configuration& configuration, core::Backend backend) {
  const auto lanes = configuration.find("lanes");
  if (backend != core::Backend::cuda || lanes == configuration.end() || lanes->second == Value(1)) return;
  throw ArrayError("loop kernel '" + nest +
                   "': lanes are vectors of OpenCL, which CUDA lacks; leave them out, and take threads_... instead");
}

}  // namespace

LoopKernel::LoopKernel(Compiler compiler, LoopDescription description, const LoopOptions& options) {
  const std::string question = "loop " + description.assignment + " " + std::string(name_of(description.dtype));
  nest_ = std::make_shared<const LoopNest>(std::move(description));
  const std::size_t shared = compiler.device().info().shared_memory_bytes;
  if (options.configuration) {
    refuse_lanes_of_cuda(nest_->name, *options.configuration, compiler.device().info().backend);
    tuning_.best = *options.configuration;
  } else {
    std::vector<Configuration> beginnings = loop_beginnings(*nest_, compiler.device().info());
    std::erase_if(beginnings, [&](const Configuration& c) { return !candidate(c, shared).refusal.empty(); });
    LoopCheck check(*nest_);
    const std::vector<core::Buffer> buffers = check.allocate(compiler.device());
    check.fill(compiler.device().create_stream(), buffers);
    TuningProblem problem{.question = question,
                          .shape = shape_of(*nest_),
                          .space = loop_space(*nest_, compiler.device().info()),
                          .code = generator_version,
                          .first = beginnings};
    const std::vector<core::KernelArgument> arguments = arguments_of(*nest_, buffers, check.scalars());
    problem.candidate = [&](const Configuration& configuration) {
      Candidate made = candidate(configuration, shared);
      made.arguments = arguments;
      return made;
    };
    problem.prepare = [&](const core::Stream& stream) { check.fill_target(stream, buffers); };
    problem.verify = [&](const core::Stream& stream) { return check.compare(stream, buffers); };
    tuning_ = Tuner(compiler, options.wisdom_directory).tune(problem, options.tuning);
  }
  Candidate chosen = candidate(tuning_.best, shared);
  if (!chosen.refusal.empty()) throw ArrayError("loop kernel '" + nest_->name + "': " + chosen.refusal);
  source_ = std::move(chosen.source);
  shape_ = chosen.shape;
  kernel_ = compiler.compile(source_).kernel(chosen.kernel);
}

Candidate LoopKernel::candidate(const Configuration& configuration, std::size_t shared_bytes) const {
  const Slicing slicing(*nest_, configuration);
  Candidate made{.kernel = "loop", .refusal = slicing.refusal};
  if (!made.refusal.empty()) return made;
  const std::size_t shared = static_cast<std::size_t>(slicing.shared_elements()) * size_of(nest_->dtype);
  if (shared > std::min(shared_bytes, static_shared_bytes)) {
    made.refusal = "takes " + std::to_string(shared) + " bytes of shared memory";
    return made;
  }
  made.source = {.name = nest_->name + ".loop", .text = generate_loop(*nest_, slicing)};
  made.shape = {.groups = {static_cast<std::size_t>(slicing.groups()), 1, 1},
                .group_size = {static_cast<std::size_t>(slicing.threads()), 1, 1}};
  return made;
}

void LoopKernel::operator()(const core::Stream& stream, std::span<const core::Buffer> buffers,
                            std::span<const double> scalars) const {
  if (buffers.size() != nest_->arrays.size() || scalars.size() != scalar_names().size()) {
    throw ArrayError("loop kernel '" + nest_->name + "' takes " + std::to_string(nest_->arrays.size()) +
                     " buffers and " + std::to_string(scalar_names().size()) + " scalars, got " +
                     std::to_string(buffers.size()) + " and " + std::to_string(scalars.size()));
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::size_t needed = static_cast<std::size_t>(LoopNest::span_of(nest_->arrays[i])) * size_of(nest_->dtype);
    if (!buffers[i] || buffers[i].size_bytes() < needed) {
      throw ArrayError("loop kernel '" + nest_->name + "': array '" + nest_->arrays[i].name + "' takes " +
                       std::to_string(needed) + " bytes, the buffer has " +
                       std::to_string(buffers[i] ? buffers[i].size_bytes() : 0));
    }
  }
  kernel_.launch(stream, shape_, arguments_of(*nest_, buffers, scalars));
}

}  // namespace maxwell_dg::rtcg
