#pragma once

#include <stdexcept>
#include <string>

namespace maxwell_dg {

/// What a program returns to its caller; the table in docs/user_guide.md lists the same numbers.
enum class ExitCode : int {
  done = 0,
  config = 2,
  mesh = 3,
  device = 4,
  diverged = 5,
  output = 6,
  interrupted = 130,
  terminated = 143,
};

/// Base of every error that a user may see. `what()` is one line: place, cause and remedy.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

/// Usage, configuration, expressions. Several findings are joined by newlines, one a line.
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& message) : Error(ExitCode::config, message) {}
};

/// A mesh that is missing, unreadable or unfit for computing on.
class MeshError : public Error {
 public:
  explicit MeshError(const std::string& message) : Error(ExitCode::mesh, message) {}
};

/// The device or its driver failed: the call, the code, and what to do.
class DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& message) : Error(ExitCode::device, message) {}
};

/// Device memory is exhausted. A type of its own, because pools and tuners recover from it.
class OutOfDeviceMemory : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

/// A kernel did not compile: the kernel's name, where its source was saved, the compiler's log.
class CompileError : public Error {
 public:
  explicit CompileError(const std::string& message) : Error(ExitCode::device, message) {}
};

/// The solution became non-finite or grew beyond what sources put in.
class DivergenceError : public Error {
 public:
  explicit DivergenceError(const std::string& message) : Error(ExitCode::diverged, message) {}
};

/// A file could not be written. What was written before is intact.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& message) : Error(ExitCode::output, message) {}
};

}  // namespace maxwell_dg
