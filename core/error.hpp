#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace maxwell_dg {

/// What a program returns to its caller; the table in docs/user_guide.md lists the same numbers.
enum class ExitCode : int {
  done = 0,
  internal = 1,  ///< what must not happen: a bug
  config = 2,
  mesh = 3,
  device = 4,
  diverged = 5,
  output = 6,
  // A signal: 128 and its number.
  hung_up = 129,      ///< SIGHUP
  interrupted = 130,  ///< SIGINT
  user_signal_1 = 138,
  user_signal_2 = 140,
  terminated = 143,      ///< SIGTERM
  out_of_cpu_time = 152  ///< SIGXCPU
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

/// A call of a driver or of its compiler failed.
class DriverError : public DeviceError {
 public:
  struct Failure {
    std::string api;      ///< "CUDA", "OpenCL", "NVRTC"
    std::string call;     ///< "cuMemcpyHtoDAsync"
    int code{};           ///< what it returned
    std::string name;     ///< of the code: "CUDA_ERROR_INVALID_VALUE"
    std::string meaning;  ///< in words
    std::string remedy;   ///< what to do; may be empty
  };
  explicit DriverError(Failure failure) : DeviceError(line_of(failure)), failure_(std::move(failure)) {}
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }

 private:
  static std::string line_of(const Failure& f) {
    return f.api + ": " + f.call + " failed with " + f.name + " (" + std::to_string(f.code) + ")" +
           (f.meaning.empty() ? "" : ": " + f.meaning) + (f.remedy.empty() ? "" : "; " + f.remedy);
  }
  Failure failure_;
};

/// A kernel faulted, and its context with it: everything that was made there is gone. Drop the handles, then open the
/// device again. After most faults the driver refuses that for the rest of the process: then opening throws this, too,
/// and says that the program must be started again.
class ContextLost : public DriverError {
 public:
  using DriverError::DriverError;
};

/// The backend, the driver or the device lacks what was asked for; the message names which.
class UnsupportedFeature : public DeviceError {
 public:
  using DeviceError::DeviceError;
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

/// The solution became non-finite or grew beyond what sources inject.
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
