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
  for (const std::string& complaint : take_complaints()) the_log().logger.warn(prefix_lines(warning_prefix, complaint));
}

}  // namespace

void log_info(std::string_view message) {
  say(spdlog::level::info, message);
}
void log_warning(std::string_view message) {
  say(spdlog::level::warn, prefix_lines(warning_prefix, message));
}
void log_error(std::string_view message) {
  say(spdlog::level::err, prefix_lines("error: ", message));
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

struct WarningCollector::Sink : spdlog::sinks::base_sink<std::mutex> {
  std::vector<std::string> warnings;

  void sink_it_(const spdlog::details::log_msg& message) override {
    if (message.level != spdlog::level::warn) return;
    std::string text(message.payload.data(), message.payload.size());
    for (std::size_t at = 0; (at = text.find(warning_prefix, at)) != std::string::npos;) {
      if (at == 0 || text[at - 1] == '\n') {
        text.erase(at, warning_prefix.size());
      } else {
        ++at;
      }
    }
    warnings.push_back(std::move(text));
  }
  void flush_() override {}
  std::vector<std::string> copy() {
    const std::lock_guard lock(mutex_);
    return warnings;
  }
};

WarningCollector::WarningCollector() : sink_(std::make_shared<Sink>()) {
  the_log().listeners->add_sink(sink_);
}
WarningCollector::~WarningCollector() {
  the_log().listeners->remove_sink(sink_);
}
std::vector<std::string> WarningCollector::warnings() const {
  return sink_->copy();
}

}  // namespace maxwell_dg
