#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "rtcg/compile/compiler.hpp"
#include "rtcg/loop/loop_nest.hpp"
#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::rtcg {

struct LoopOptions {
  std::filesystem::path wisdom_directory{};  ///< empty: `wisdom/` in default_cache_directory()
  TuneOptions tuning{.seconds = 60};
  /// A slicing to use as it is, without tuning; see Slicing for its parameters.
  std::optional<Configuration> configuration{};
};

/// A loop nest as data, from which the machine makes a fast kernel, after the idea of loo.py (Kloeckner):
///
///   LoopKernel product(compiler, {.name = "matmul",
///                                 .dimensions = {{"i", n}, {"j", n}, {"k", n}},
///                                 .arrays = {{"C", {n, n}}, {"A", {n, n}}, {"B", {n, n}}},
///                                 .assignment = "C[i, j] = sum(k, A[i, k] * B[k, j])"});
///   product(stream, {{c, a, b}});
///
/// The assignment says what is computed. How (which dimension runs in parallel over groups and work-items, in
/// registers, in sequence; what is staged in shared memory) is found by trying, each way verified against the host's
/// own result; wisdom remembers it. No two points of the result may be the same element.
class LoopKernel {
 public:
  /// Throws CompileError for an assignment that is not well formed, ArrayError for shapes that do not fit, DeviceError
  /// when no way works.
  LoopKernel(Compiler compiler, LoopDescription description, const LoopOptions& options = {});

  /// Buffers in the description's order, scalars in the order of `scalar_names()`. Device memory must begin at
  /// multiples of 16 bytes, as allocations do. Throws ArrayError for a wrong number or a buffer that is too small.
  void operator()(const core::Stream& stream, std::span<const core::Buffer> buffers,
                  std::span<const double> scalars = {}) const;

  [[nodiscard]] const LoopNest& nest() const { return *nest_; }
  [[nodiscard]] const std::vector<std::string>& scalar_names() const { return nest_->assignment.scalars; }
  [[nodiscard]] const Configuration& configuration() const { return tuning_.best; }
  /// How it was found; without a table where wisdom answered or the configuration was given.
  [[nodiscard]] const TuningResult& tuning() const { return tuning_; }
  [[nodiscard]] const std::string& text() const { return source_.text; }

 private:
  [[nodiscard]] Candidate candidate(const Configuration& configuration, std::size_t shared_bytes) const;

  std::shared_ptr<const LoopNest> nest_;
  TuningResult tuning_;
  KernelSource source_;
  core::LaunchShape shape_;
  core::Kernel kernel_;
};

}  // namespace maxwell_dg::rtcg
