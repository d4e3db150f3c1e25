#include "core/log.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <utility>

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/dist_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "core/error.hpp"
#include "core/utf8.hpp"

namespace maxwell_dg {

namespace {

// What is said goes to one stderr, whoever says it: the log is process-wide by nature, and stays inside this file.
struct Log {
  std::shared_ptr<spdlog::sinks::stderr_sink_mt> console = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  std::shared_ptr<spdlog::sinks::dist_sink_mt> listeners = std::make_shared<spdlog::sinks::dist_sink_mt>();
  spdlog::logger logger{"maxwell_dg", {console, listeners}};
  std::mutex mutex;
  std::vector<std::string> complaints;  ///< of listeners, who cannot speak while they listen

  Log() {
    console->set_pattern("%v");
    logger.flush_on(spdlog::level::info);
  }
};

Log& the_log() {
  static Log log;
  return log;
}

// A thread's own, like its stack: who says something does not know for whom it works.
struct Here {
  LogScope* innermost{};
  bool passes_on{};  ///< is a sink at work?
};
thread_local Here here;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

constexpr std::string_view warning_prefix = "warning: ";

void add_complaint(std::string text) {
  const std::lock_guard lock(the_log().mutex);
  the_log().complaints.push_back(std::move(text));
}

std::vector<std::string> take_complaints() {
  const std::lock_guard lock(the_log().mutex);
  return std::exchange(the_log().complaints, {});
}

std::string prefix_lines(std::string_view prefix, std::string_view message) {
  std::string out;
  std::size_t begin = 0;
  do {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    if (begin != 0) out += '\n';
    out += prefix;
    out += message.substr(begin, end - begin);
    begin = end + 1;
  } while (begin < message.size());
  return out;
}

void say(spdlog::level::level_enum level, std::string_view text) {
  the_log().logger.log(level, spdlog::string_view_t(text.data(), text.size()));
}

void say_to_all(LogLevel level, std::string_view message) {
  switch (level) {
    case LogLevel::info: return say(spdlog::level::info, message);
    case LogLevel::warning: return say(spdlog::level::warn, prefix_lines(warning_prefix, message));
    case LogLevel::error: return say(spdlog::level::err, prefix_lines("error: ", message));
  }
}

}  // namespace

LogScope::LogScope(LogSink sink) : sink_(std::move(sink)), outer_(std::exchange(here.innermost, this)) {}

LogScope::~LogScope() {
  here.innermost = outer_;
}

LogScope* LogScope::innermost() {
  return here.innermost;
}

LogScope::Lent::Lent(LogScope* scope) : before_(std::exchange(here.innermost, scope)) {}

LogScope::Lent::~Lent() {
  here.innermost = before_;
}

void log_message(LogLevel level, std::string_view message) {
  if (LogScope* scope = here.innermost; scope != nullptr) {
    const std::lock_guard lock(scope->mutex_);
    const LogScope::Lent outside(scope->outer_);
    const bool passed_on = std::exchange(here.passes_on, true);
    scope->sink_(level, message);
    here.passes_on = passed_on;
  } else {
    say_to_all(level, message);
  }
  if (here.passes_on) return;  // the innermost scope is to hear of complaints
  for (const std::string& complaint : take_complaints()) log_warning(complaint);
}

void log_info(std::string_view message) {
  log_message(LogLevel::info, message);
}
void log_warning(std::string_view message) {
  log_message(LogLevel::warning, message);
}
void log_error(std::string_view message) {
  log_message(LogLevel::error, message);
}

void set_log_level(LogLevel level) {
  switch (level) {
    case LogLevel::info: the_log().console->set_level(spdlog::level::info); break;
    case LogLevel::warning: the_log().console->set_level(spdlog::level::warn); break;
    case LogLevel::error: the_log().console->set_level(spdlog::level::err); break;
  }
}

// A log that cannot be written any more (full disk) is one warning; it must not stop the run.
struct LogFile::Sink : spdlog::sinks::base_sink<std::mutex> {
  std::FILE* file{};
  std::string path;
  bool failed = false;

  ~Sink() override {
    if (file != nullptr) std::fclose(file);
  }
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const std::string text = as_utf8({line.data(), line.size()});
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) complain();
  }
  void flush_() override {
    if (std::fflush(file) != 0) complain();
  }
  void complain() {
    if (failed) return;
    failed = true;
    add_complaint(path + ": cannot write the log: " + std::generic_category().message(errno));
  }
};

LogFile::LogFile(const std::filesystem::path& path, Mode mode) : sink_(std::make_shared<Sink>()) {
  sink_->path = path.string();
  sink_->file = std::fopen(path.c_str(), mode == Mode::append ? "ae" : "we");
  if (sink_->file == nullptr) {
    throw OutputError(sink_->path + ": cannot open the log file: " + std::generic_category().message(errno));
  }
  sink_->set_pattern("%Y-%m-%d %H:%M:%S.%e  %v");
  the_log().listeners->add_sink(sink_);
}

LogFile::~LogFile() {
  the_log().listeners->remove_sink(sink_);
}

WarningCollector::WarningCollector()
    : scope_([this](LogLevel level, std::string_view message) {
        if (level == LogLevel::warning) warnings_.emplace_back(message);
        log_message(level, message);
      }) {}

}  // namespace maxwell_dg
