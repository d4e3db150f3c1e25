#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/device/device.hpp"
#include "rtcg/compile/cache.hpp"

namespace maxwell_dg::rtcg {

/// One translation unit in the kernel dialect (see rtcg/source/dialect.hpp; its preamble is put in front).
struct KernelSource {
  std::string name;  ///< file-like name that errors use: "surface_maxwell_N4.kernel"
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers{};  ///< in memory: name, text
  std::vector<std::string> options{};
};

struct CompileStatistics {
  std::size_t kernels{};  ///< translation units asked for
  std::size_t cache_hits{};
  std::size_t cache_misses{};
  double seconds{};  ///< wall time spent in the compiler and the cache
};

/// Text to loaded code on one device, through the persistent cache. Thread-safe.
class Compiler {
 public:
  /// Compiled code is kept in `kernels/` there (see KernelCache). `cache_directory` empty: `default_cache_directory()`.
  /// An unusable directory is one warning, then no cache.
  explicit Compiler(core::Device device, std::filesystem::path cache_directory = {});

  /// Throws CompileError: first line `NAME:LINE: kernel does not compile: ... (source saved in PATH)` with the line of
  /// the kernel's own text; then that line, and the compiler's full log.
  [[nodiscard]] core::Module compile(const KernelSource& source);
  /// The same for many at once, on all cores. Order is kept; the first failure in that order is thrown.
  [[nodiscard]] std::vector<core::Module> compile(std::span<const KernelSource> sources);

  [[nodiscard]] const core::Device& device() const;
  [[nodiscard]] CompileStatistics statistics() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace maxwell_dg::rtcg
