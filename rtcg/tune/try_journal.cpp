#include "rtcg/tune/try_journal.hpp"

#include <optional>
#include <system_error>
#include <utility>

#include "rtcg/tune/json_value.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr std::string_view ended = "ended";

}  // namespace

TryJournal::TryJournal(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream stream(file_);
  std::optional<Configuration> begun;
  for (std::string line; std::getline(stream, line);) {
    if (begun && line != ended) fatal_.push_back(*begun);
    begun.reset();
    const auto value = from_json(line);
    if (value && value->is_record()) begun = value->record();
  }
  if (begun) fatal_.push_back(*begun);
}

// The system keeps what was flushed, whatever becomes of this process.
void TryJournal::begin(const Configuration& configuration) {
  if (!stream_.is_open()) stream_.open(file_, std::ios::app);
  stream_ << to_json(configuration) << '\n' << std::flush;
}

void TryJournal::end() {
  stream_ << ended << '\n' << std::flush;
}

void TryJournal::close() {
  stream_.close();
  std::error_code error;  // what stays behind names only candidates that ended
  std::filesystem::remove(file_, error);
}

}  // namespace maxwell_dg::rtcg
