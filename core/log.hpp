#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// What a program says to the person who runs it. Everything goes to stderr, so that stdout stays free for output
/// that other programs read: `error: ...`, `warning: ...`, and information plain. Thread-safe.
namespace maxwell_dg {

enum class LogLevel { info, warning, error };

void log_info(std::string_view message);
/// Every line of the message gets the prefix `warning: `.
void log_warning(std::string_view message);
/// Every line of the message gets the prefix `error: `.
void log_error(std::string_view message);

/// What stderr shows: this level and above (`--quiet` is LogLevel::warning). Log files always get everything.
void set_log_level(LogLevel level);

/// Mirrors all that is said into a file, with times, while it lives. An existing file is replaced, or continued
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

/// Collects the warnings given while it lives, so that a summary can list them (without the prefix).
class WarningCollector {
 public:
  WarningCollector();
  ~WarningCollector();
  WarningCollector(const WarningCollector&) = delete;
  WarningCollector& operator=(const WarningCollector&) = delete;
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  struct Sink;
  std::shared_ptr<Sink> sink_;
};

}  // namespace maxwell_dg
