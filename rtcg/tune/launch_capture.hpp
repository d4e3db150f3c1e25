#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::rtcg {

/// One launch of a real program, taken out of it: code, launch shape, arguments, and what the buffers held before. For
/// tuning, measuring or debugging a kernel alone.
struct LaunchCapture {
  /// Arguments that were the same buffer point to the same content; an empty buffer points to none.
  struct BufferArgument {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t content = none;
  };
  struct ScalarArgument {
    std::string type;  ///< "int32", "float64", "struct" ...
    std::vector<std::byte> bytes;
  };

  KernelSource source;
  std::string kernel;
  core::LaunchShape shape;
  std::vector<std::variant<BufferArgument, ScalarArgument>> arguments;
  std::vector<std::vector<std::byte>> contents;

  /// Waits for the stream and copies the buffers; launches nothing.
  [[nodiscard]] static LaunchCapture take(const core::Stream& stream, KernelSource source, std::string kernel,
                                          const core::LaunchShape& shape,
                                          std::span<const core::KernelArgument> arguments);

  /// A line of JSON, then the contents one behind the other; a checksum of all. Throws OutputError.
  void write(const std::filesystem::path& file) const;
  /// Throws ConfigError for a file that is missing, truncated or not of `write`.
  [[nodiscard]] static LaunchCapture read(const std::filesystem::path& file);
};

/// A captured launch, ready to run on a device, as often as wanted.
class Replay {
 public:
  /// Compiles and uploads. `source` in place of the captured one, for a variant with the same parameters.
  Replay(Compiler& compiler, const LaunchCapture& capture);
  Replay(Compiler& compiler, const LaunchCapture& capture, const KernelSource& source);

  /// Brings the buffers back into the captured state.
  void restore(const core::Stream& stream) const;
  void launch(const core::Stream& stream) const { kernel_.launch(stream, capture_.shape, arguments_); }
  /// What captured content number `content` has become.
  [[nodiscard]] std::vector<std::byte> content(const core::Stream& stream, std::size_t content) const;
  [[nodiscard]] std::span<const core::KernelArgument> arguments() const { return arguments_; }

 private:
  LaunchCapture capture_;
  core::Kernel kernel_;
  std::vector<core::Buffer> buffers_;
  std::vector<core::KernelArgument> arguments_;
};

}  // namespace maxwell_dg::rtcg
