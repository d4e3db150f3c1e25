#pragma once

#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/device/device.hpp"
#include "rtcg/compile/cache.hpp"
#include "rtcg/compile/code_image.hpp"
#include "rtcg/source/line_map.hpp"

namespace maxwell_dg::rtcg {

/// One translation unit: text in the kernel dialect (see rtcg/source/dialect.hpp), or plain CUDA C++ or OpenCL C.
struct KernelSource {
  /// What is put in front of the text: the dialect's preamble, or nothing.
  enum class Preamble { dialect, none };

  std::string name;  ///< file-like name that errors use: "surface_maxwell_N4.kernel"
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers{};  ///< in memory: name, text
  std::vector<std::string> options{};
  Preamble preamble = Preamble::dialect;
  /// Where files are looked for that the text includes. Their content is part of the cache's key.
  std::vector<std::filesystem::path> include_directories{};
  /// CUDA only: instances of C++ templates to make, "scale<float>"; see CodeImage::lowered_name.
  std::vector<std::string> name_expressions{};
  LineMap lines{};  ///< where the text's lines come from, if that is known and no directives say it: for its readers
};

struct CompileStatistics {
  std::size_t kernels{};  ///< translation units asked for
  std::size_t cache_hits{};
  std::size_t cache_misses{};
  double seconds{};  ///< wall time spent in the compiler and the cache
};

/// What to do when the cache does not have it: a production run may not want to compile on thousands of nodes.
enum class OnMiss { compile, fail };
/// $MAXWELL_DG_ON_MISS, `compile` or `fail`; compile where it is not set. Throws ConfigError for anything else.
[[nodiscard]] OnMiss on_miss_by_environment();

struct CompilerOptions {
  std::filesystem::path cache_directory{};  ///< empty: default_cache_directory()
  OnMiss on_miss = on_miss_by_environment();
  /// Where the full text of everything compiled is kept for reading and debugging, in one folder a text; empty:
  /// nowhere.
  std::filesystem::path keep_sources{};
  std::vector<std::string> options{};  ///< of the device's compiler, behind those of every source
  /// If given, it takes every text in the order of asking, and nothing is compiled or looked up: modules are what the
  /// device makes of an empty binary, so it is to be a core::idle_device. Such a compiler only loads.
  std::function<void(const KernelSource&)> instead_of_compiling{};
};

/// The code, or why there is none: a CompileError, or what the driver threw.
struct CompileOutcome {
  core::Module module{};
  std::exception_ptr failure{};
};

/// Text to loaded code on one device, through the persistent cache. Thread-safe.
class Compiler {
 public:
  /// Compiled code is kept in `kernels/` there (see KernelCache). `cache_directory` empty: `default_cache_directory()`.
  /// An unusable directory is one warning, then no cache.
  explicit Compiler(core::Device device, std::filesystem::path cache_directory = {});
  Compiler(core::Device device, CompilerOptions options);

  /// Throws CompileError: first line `NAME:LINE: kernel does not compile: ... (source saved in PATH)` with the line of
  /// the kernel's own text, or of the template that its `#line` directives name; then that line, and the compiler's
  /// full log. Where compiling is forbidden (OnMiss::fail): `NAME: not in the kernel cache ...`.
  [[nodiscard]] core::Module compile(const KernelSource& source);
  /// The same for many at once, on all cores. Order is kept; the first failure in that order is thrown.
  [[nodiscard]] std::vector<core::Module> compile(std::span<const KernelSource> sources);
  /// The same without throwing for one that fails.
  [[nodiscard]] std::vector<CompileOutcome> compile_each(std::span<const KernelSource> sources);

  /// Compiles without loading, through the cache as well: for names of template instances, or to compile in one process
  /// and send `to_bytes()` to others, which `load` it on a device of the same kind.
  [[nodiscard]] CodeImage build(const KernelSource& source);
  [[nodiscard]] core::Module load(const CodeImage& image, const std::string& name);
  /// Under which the cache has its code: equal where this and another compiler, on a device of the same kind, make the
  /// same of it. 64 characters.
  [[nodiscard]] std::string key(const KernelSource& source) const;

  /// The text that NVRTC makes of it before it becomes machine code. A DeviceError on OpenCL, whose drivers keep theirs
  /// to themselves. PTX goes back in through Device::load, as text.
  [[nodiscard]] std::string ptx(const KernelSource& source);

  [[nodiscard]] const core::Device& device() const;
  [[nodiscard]] const KernelCache& cache() const;
  [[nodiscard]] CompileStatistics statistics() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace maxwell_dg::rtcg
