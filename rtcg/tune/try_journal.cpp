#include "rtcg/tune/try_journal.hpp"

#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/own_file.hpp"
#include "rtcg/tune/json_value.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr std::string_view ended = "ended";
constexpr std::string_view broke_device = "broke the device";
constexpr int fatal_ends = 2;

}  // namespace

TryJournal::TryJournal(std::filesystem::path file) : file_(std::move(file)) {
  if (!file_.empty()) make_way_for_own_file(file_);
  std::istringstream stream(file_.empty() ? "" : read_own_file(file_).value_or(""));
  std::map<std::string, int> ends;  // of processes, by what was begun; not taken back when it works another time
  std::string begun;
  const auto count = [&](int more) {
    if (!begun.empty()) ends[std::exchange(begun, {})] += more;
  };
  for (std::string line; std::getline(stream, line);) {
    if (line == ended) {
      begun.clear();
    } else if (line == broke_device) {
      count(fatal_ends);
    } else {
      count(1);
      begun = line;
    }
  }
  count(1);
  for (const auto& [line, times] : ends) {
    const auto value = from_json(line);
    if (value && value->is_record()) (times < fatal_ends ? suspected_ : fatal_).push_back(value->record());
  }
}

// The system keeps what was flushed, whatever becomes of this process.
void TryJournal::write(std::string_view line) {
  if (file_.empty()) return;
  if (!stream_.is_open()) stream_.open(file_, std::ios::app);
  stream_ << line << '\n' << std::flush;
}

void TryJournal::begin(const Configuration& configuration) {
  write(to_json(configuration));
}

void TryJournal::end() {
  write(ended);
}

void TryJournal::blame() {
  write(broke_device);
}

void TryJournal::close() {
  stream_.close();
  std::error_code error;  // what stays behind says of most candidates that they ended
  std::filesystem::remove(file_, error);
}

}  // namespace maxwell_dg::rtcg
