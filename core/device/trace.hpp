#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

/// What this program asks of drivers, call by call, and what kernels take: switched on at run time.
///
/// MAXWELL_DG_TRACE=lines writes a line for each call to stderr; any other value is the name of a JSON file for
/// Perfetto (ui.perfetto.dev) or chrome://tracing, a timeline of calls on host threads and of kernels on streams.
/// While it is off, a call costs one predictable branch more.
namespace maxwell_dg::core {

/// From now on each call is a line on stderr.
void start_trace_lines();
/// From now on calls and kernels go to this file, with times in microseconds from now on. Its first record tells
/// what the host's monotonic clock says now (`begin`, microseconds), by which files of several processes of a host can
/// be laid over each other. Throws OutputError when it cannot be written.
void start_trace_timeline(const std::filesystem::path& file);
/// Waits for the kernels under way and completes the file. Nothing to do when no trace is on. A program that ends
/// without it leaves a file that viewers read all the same. Throws OutputError when not all of it could be written.
void stop_trace();

/// A piece of the timeline with a name of the program's own, while the object lives; profilers see it, too, as an NVTX
/// range where this build has NVTX. Ranges of one thread nest.
class ProfilerRange {
 public:
  explicit ProfilerRange(const std::string& name);
  ~ProfilerRange();
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;

 private:
  std::string name_;
  double begin_{-1.0};  // microseconds; negative when no trace was on
};

namespace trace {

// The drivers are one for the process, and so is what is known of them.
extern std::atomic<bool> active;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

[[nodiscard]] inline bool is_active() noexcept {
  return active.load(std::memory_order_relaxed);
}
/// True when kernels are to be timed: a timeline is on and this thread is not inside the trace itself.
[[nodiscard]] bool wants_kernels() noexcept;
/// Reads MAXWELL_DG_TRACE, at the first call only, unless the program has switched a trace on before.
void start_from_environment();

/// Microseconds of the host's clock.
[[nodiscard]] double now() noexcept;
/// A call that began at `begin` and ends now.
void write_call(const char* name, double begin, const std::string& arguments, const std::string& result);
void write_kernel(const std::string& name, std::uintptr_t stream, double begin, double end);

/// Something that is written when the device is done with it. `ready(wait)` writes it and returns true, or false when
/// it is not done and must not wait.
void add_pending(std::function<bool(bool wait)> ready);
/// Writes what has been done by now.
void collect();

/// While it lives, calls of this thread are not traced: those that the trace itself makes.
class Pause {
 public:
  Pause() noexcept;
  ~Pause();
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
};
[[nodiscard]] bool is_paused() noexcept;

}  // namespace trace
}  // namespace maxwell_dg::core
