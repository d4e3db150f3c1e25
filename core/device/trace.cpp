#include "core/device/trace.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include <unistd.h>

#include "core/error.hpp"
#include "core/utf8.hpp"

#if MAXWELL_DG_HAVE_NVTX
#include "core/cuda/nvtx.hpp"
#endif

namespace maxwell_dg::core {
namespace trace {

std::atomic<bool> active{false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

namespace {

thread_local int paused = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

// Processes of the timeline.
constexpr int kHost = 1;
constexpr int kDevice = 2;

struct FileCloser {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// Where the trace goes. One for the process, as the drivers are.
struct Sink {
  std::mutex mutex;
  std::unique_ptr<std::FILE, FileCloser> file;  // of a timeline; null: lines on stderr
  std::filesystem::path path;                   // its
  std::map<std::uintptr_t, int> streams;        // numbered in the order in which they are seen
  double begin{};
  std::mutex pending_mutex;
  std::vector<std::function<bool(bool)>> pending;
};

Sink& sink() {
  // Kept to the end: drivers may be called by the last destructors of the program.
  static auto* const all = new Sink;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
  return *all;
}

int thread_number() {
  static std::atomic<int> threads{0};
  thread_local const int number = ++threads;
  return number;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : as_utf8(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

/// A piece of the timeline. Every event but the first begins with a comma, so that the file is whole at any time but
/// for its last bracket, which the format lets be missing.
void write_piece(Sink& to, std::string_view name, int process, int track, double begin, double end,
                 const std::string& details) {
  std::fprintf(to.file.get(), ",\n{\"name\":%s,\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f%s}",
               json_string(name).c_str(), process, track, begin - to.begin, end - begin, details.c_str());
}

void write_name(Sink& to, const char* what, int process, int track, const std::string& name) {
  std::fprintf(to.file.get(), ",\n{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":%s}}", what,
               process, track, json_string(name).c_str());
}

/// Whether all of it has arrived.
bool complete_file(Sink& to) {
  if (to.file == nullptr) return true;
  std::fputs("\n]\n", to.file.get());
  const bool written = std::ferror(to.file.get()) == 0;
  return std::fclose(to.file.release()) == 0 && written;
}

/// At the end of the program the drivers may be gone: what is pending stays unwritten.
void complete_at_exit() {
  active = false;
  const std::lock_guard lock(sink().mutex);
  (void)complete_file(sink());
}

}  // namespace

Pause::Pause() noexcept {
  ++paused;
}
Pause::~Pause() {
  --paused;
}
bool is_paused() noexcept {
  return paused != 0;
}

bool wants_kernels() noexcept {
  if (!is_active() || is_paused()) return false;
  const std::lock_guard lock(sink().mutex);
  return sink().file != nullptr;
}

double now() noexcept {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void start_from_environment() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* value = std::getenv("MAXWELL_DG_TRACE");
    if (value == nullptr || *value == '\0') return;
    if (is_active()) return;  // the program has said itself what it wants
    if (std::string_view(value) == "lines") {
      start_trace_lines();
    } else {
      start_trace_timeline(value);
    }
  });
}

void write_call(const char* name, double begin, const std::string& arguments, const std::string& result) {
  const double end = now();
  Sink& to = sink();
  const std::lock_guard lock(to.mutex);
  if (to.file != nullptr) {
    write_piece(to, name, kHost, thread_number(), begin, end,
                ",\"args\":{\"arguments\":" + json_string(arguments) + ",\"result\":" + json_string(result) + "}");
  } else if (is_active()) {
    std::fprintf(stderr, "trace: %.3f ms, thread %d: %s(%s)%s%s, %.1f us\n", (begin - to.begin) * 1e-3, thread_number(),
                 name, arguments.c_str(), result.empty() ? "" : " = ", result.c_str(), end - begin);
  }
}

void write_kernel(const std::string& name, std::uintptr_t stream, double begin, double end) {
  Sink& to = sink();
  const std::lock_guard lock(to.mutex);
  if (to.file == nullptr) return;
  const auto [entry, is_new] = to.streams.try_emplace(stream, static_cast<int>(to.streams.size()) + 1);
  if (is_new) write_name(to, "thread_name", kDevice, entry->second, "stream " + std::to_string(entry->second));
  write_piece(to, name, kDevice, entry->second, begin, end, "");
}

void add_pending(std::function<bool(bool wait)> ready) {
  constexpr std::size_t many = 1024;
  bool full = false;
  {
    const std::lock_guard lock(sink().pending_mutex);
    sink().pending.push_back(std::move(ready));
    full = sink().pending.size() % many == 0;
  }
  if (full) collect();
}

namespace {

void collect_pending(bool wait) {
  const Pause pause;
  std::vector<std::function<bool(bool)>> taken;
  {
    const std::lock_guard lock(sink().pending_mutex);
    taken.swap(sink().pending);
  }
  std::erase_if(taken, [&](const auto& ready) {
    try {
      return ready(wait);
    } catch (const DriverError&) {
      return true;  // the kernel faulted, which whoever waits for it is told: it has no times to write
    }
  });
  const std::lock_guard lock(sink().pending_mutex);
  for (auto& left : taken) sink().pending.push_back(std::move(left));
}

}  // namespace

void collect() {
  if (is_active() && !is_paused()) collect_pending(false);
}

}  // namespace trace

void start_trace_lines() {
  stop_trace();
  trace::Sink& to = trace::sink();
  const std::lock_guard lock(to.mutex);
  to.begin = trace::now();
  trace::active = true;
}

void start_trace_timeline(const std::filesystem::path& file) {
  stop_trace();
  trace::Sink& to = trace::sink();
  const std::lock_guard lock(to.mutex);
  to.file.reset(std::fopen(file.c_str(), "w"));
  if (to.file == nullptr) {
    throw OutputError(file.string() + ": cannot write the trace: " + std::strerror(errno));
  }
  to.path = file;
  to.begin = trace::now();
  to.streams.clear();
  std::fprintf(to.file.get(),
               "[\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,"
               "\"args\":{\"name\":\"host\",\"begin\":%.3f}}",
               trace::kHost, to.begin);
  trace::write_name(to, "process_name", trace::kDevice, 0, "device");
  static const int at_exit = std::atexit(trace::complete_at_exit);
  (void)at_exit;
  trace::active = true;
}

void stop_trace() {
  if (!trace::is_active()) return;
  trace::collect_pending(true);
  trace::Sink& to = trace::sink();
  const std::lock_guard lock(to.mutex);
  trace::active = false;
  if (!trace::complete_file(to)) {
    throw OutputError(to.path.string() + ": cannot write the trace: " + std::strerror(errno));
  }
}

ProfilerRange::ProfilerRange(const std::string& name) {
#if MAXWELL_DG_HAVE_NVTX
  cuda::push_nvtx_range(name.c_str());
#endif
  if (!trace::is_active()) return;
  name_ = name;
  begin_ = trace::now();
}

ProfilerRange::~ProfilerRange() {
#if MAXWELL_DG_HAVE_NVTX
  cuda::pop_nvtx_range();
#endif
  if (begin_ >= 0.0) trace::write_call(name_.c_str(), begin_, "", "");
}

}  // namespace maxwell_dg::core
