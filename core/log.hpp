#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

/// What is said to the person who runs a program. It goes to the sink of the innermost LogScope of the thread; where
/// there is none, to stderr, so that stdout stays free for output that other programs read: `error: ...`,
/// `warning: ...`, and information plain. Thread-safe.
namespace maxwell_dg {

enum class LogLevel { info, warning, error };

void log_message(LogLevel level, std::string_view message);
void log_info(std::string_view message);
/// Every line of the message gets the prefix `warning: `.
void log_warning(std::string_view message);
/// Every line of the message gets the prefix `error: `.
void log_error(std::string_view message);

/// What stderr shows: this level and above (`--quiet` is LogLevel::warning). Log files always get everything.
void set_log_level(LogLevel level);

/// Takes a message, without a prefix. It must not throw.
using LogSink = std::function<void(LogLevel, std::string_view)>;

/// While it lives, what its thread says goes to `sink`. What the sink itself says goes where it would go without this
/// scope. Scopes of a thread end in the reverse of their order.
class LogScope {
 public:
  explicit LogScope(LogSink sink);
  ~LogScope();
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;

  /// The innermost one of this thread; null where there is none.
  [[nodiscard]] static LogScope* innermost();
  /// Lends a scope to a thread that helps its owner, who waits for it. Messages of several threads come one at a time.
  class Lent {
   public:
    explicit Lent(LogScope* scope);
    ~Lent();
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

   private:
    LogScope* before_;
  };

 private:
  friend void log_message(LogLevel level, std::string_view message);
  LogSink sink_;
  LogScope* outer_;
  std::mutex mutex_;
};

/// Mirrors all that reaches stderr into a file, with times, while it lives. An existing file is replaced, or continued
/// where `append` says so. Throws OutputError when the file cannot be opened; when it cannot be written later on, that
/// is one warning.
class LogFile {
 public:
  enum class Mode { replace, append };
  explicit LogFile(const std::filesystem::path& path, Mode mode = Mode::replace);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

 private:
  struct Sink;
  std::shared_ptr<Sink> sink_;
};

/// Collects the warnings that its thread gives while it lives, and passes all messages on.
class WarningCollector {
 public:
  WarningCollector();
  ~WarningCollector() = default;
  WarningCollector(const WarningCollector&) = delete;
  WarningCollector& operator=(const WarningCollector&) = delete;
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::vector<std::string> warnings_;
  LogScope scope_;
};

}  // namespace maxwell_dg
