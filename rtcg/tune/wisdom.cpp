#include "rtcg/tune/wisdom.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/file_lock.hpp"
#include "core/own_file.hpp"
#include "rtcg/compile/cache.hpp"
#include "rtcg/tune/json_value.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view extension = ".jsonl";
constexpr std::int64_t version = 2;
constexpr double lock_seconds = 30;

std::string line_of(const WisdomEntry& entry) {
  return to_json(Record{{"version", version},
                        {"question", entry.question},
                        {"shape", entry.shape},
                        {"device", entry.device},
                        {"kind", entry.kind},
                        {"processor", entry.processor},
                        {"environment", entry.environment},
                        {"code", entry.code},
                        {"source", entry.source},
                        {"configuration", entry.configuration},
                        {"seconds", entry.seconds},
                        {"candidates", entry.candidates}}) +
         "\n";
}

std::optional<WisdomEntry> entry_of(const std::string& line) {
  const auto value = from_json(line);
  if (!value || !value->is_record()) return std::nullopt;
  try {
    const Record& fields = value->record();
    if (fields.at("version").integer() != version) return std::nullopt;
    return WisdomEntry{.question = fields.at("question").text(),
                       .shape = fields.at("shape").record(),
                       .device = fields.at("device").text(),
                       .kind = fields.at("kind").text(),
                       .processor = fields.contains("processor") ? fields.at("processor").text() : "",
                       .environment = fields.at("environment").text(),
                       .code = fields.at("code").text(),
                       .source = fields.at("source").text(),
                       .configuration = fields.at("configuration").record(),
                       .seconds = fields.at("seconds").number(),
                       .candidates = static_cast<std::size_t>(fields.at("candidates").integer())};
  } catch (const std::logic_error&) {
    return std::nullopt;  // a field is missing or of another type: no entry of ours
  }
}

/// The lines of a file that stay when an answer is stored in it.
std::string lines_beside(const WisdomEntry& stored, const fs::path& file) {
  std::error_code error;
  if (fs::status(file, error).type() == fs::file_type::not_found) return "";
  std::ifstream stream(file);
  std::string lines;
  for (std::string line; std::getline(stream, line);) {
    const auto entry = entry_of(line);
    const auto value = entry ? std::nullopt : from_json(line);
    if (entry ? !entry->same_question(stored) : value && value->is_record()) lines += line + "\n";
  }
  if (!stream.eof()) {
    throw OutputError(file.string() +
                      ": cannot be read, and its answers would be lost with a new one; make it readable or remove it");
  }
  return lines;
}

}  // namespace

fs::path default_wisdom_directory() {
  return default_cache_directory() / "wisdom";
}

std::string device_kind(const core::DeviceInfo& device) {
  if (device.is_cpu) return "CPU with vectors of " + std::to_string(device.vector_bytes) + " bytes";
  return device.backend == core::Backend::cuda ? device.architecture : device.name;
}

bool is_same_device(const WisdomEntry& entry, const core::DeviceInfo& device) {
  return entry.device == device.name && entry.processor == device.processor;
}

DeviceDistance device_distance(const WisdomEntry& entry, const core::DeviceInfo& device) {
  // "NVIDIA H200", "cpu-znver4-AMD EPYC": the first word, without what PoCL puts before it.
  const auto maker = [](const std::string& name) {
    const std::string first = name.substr(0, name.find(' '));
    return first.substr(first.rfind('-') + 1);
  };
  return {!is_same_device(entry, device), entry.kind != device_kind(device), entry.processor != device.processor,
          maker(entry.device) != maker(device.name)};
}

std::vector<WisdomEntry> parse_wisdom(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<WisdomEntry> entries;
  for (std::string line; std::getline(stream, line);) {
    if (auto entry = entry_of(line)) entries.push_back(std::move(*entry));
  }
  return entries;
}

bool WisdomEntry::same_question(const WisdomEntry& other) const {
  return question == other.question && shape == other.shape && device == other.device && processor == other.processor &&
         environment == other.environment && code == other.code;
}

fs::path Wisdom::file_of(const std::string& device) const {
  std::string name = device.empty() ? "device" : device;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return directory_ / (name + std::string(extension));
}

std::vector<WisdomEntry> Wisdom::find(const std::string& question) const {
  std::vector<WisdomEntry> found;
  std::error_code error;
  for (fs::directory_iterator at(directory_, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != extension || at->path().filename().string().starts_with('.')) continue;
    for (WisdomEntry& entry : parse_wisdom(read_own_file(at->path()).value_or(""))) {
      if (entry.question == question) found.push_back(std::move(entry));
    }
  }
  return found;
}

void Wisdom::store(const WisdomEntry& entry) const {
  std::error_code error;
  fs::create_directories(directory_, error);
  const fs::path file = file_of(entry.device);
  fs::path lock_file = file;
  lock_file.replace_extension(".lock");
  make_way_for_own_file(lock_file);
  make_way_for_own_file(file);
  // Without a lock two writers at once may lose one answer, which is then found anew; the file is whole in any case.
  const auto lock = FileLock::acquire(lock_file, lock_seconds);
  write_file_atomically(file, std::string_view(lines_beside(entry, file) + line_of(entry)));
}

}  // namespace maxwell_dg::rtcg
