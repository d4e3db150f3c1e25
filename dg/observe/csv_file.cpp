#include "dg/observe/csv_file.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"

namespace maxwell_dg::dg {

std::string shortest(double value) {
  std::array<char, 32> text{};  // -2.2250738585072014e-308 has 24 characters
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

CsvFile::CsvFile(std::filesystem::path path, std::span<const std::string> columns, std::optional<std::size_t> keep)
    : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (keep ? 0 : O_TRUNC), 0666);
  if (descriptor_ < 0) {
    throw OutputError(path_.string() + ": cannot write: " + std::generic_category().message(errno));
  }
  try {
    if (keep) {
      go_on_after(*keep);
      return;
    }
    for (const std::string& column : columns) pending_ += (pending_.empty() ? "" : ",") + column;
    pending_ += '\n';
    flush();
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

void CsvFile::go_on_after(std::size_t keep) {
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && !S_ISREG(status.st_mode)) return;  // pipes hold nothing to be cut off
  const auto size = static_cast<off_t>(keep);
  if (status.st_size < size) {
    throw OutputError(path_.string() + ": holds " + std::to_string(status.st_size) + " bytes, but " +
                      std::to_string(keep) +
                      " when the checkpoint was written; put the file back, or begin anew without --resume");
  }
  if (::ftruncate(descriptor_, size) != 0 || ::lseek(descriptor_, size, SEEK_SET) < 0) {
    throw OutputError(path_.string() + ": cannot be continued: " + std::generic_category().message(errno));
  }
}

CsvFile::~CsvFile() {
  ::close(descriptor_);
}

void CsvFile::add_row(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) pending_ += ',';
    pending_ += shortest(values[i]);
  }
  pending_ += '\n';
}

void CsvFile::flush() {
  const std::string text = std::exchange(pending_, {});
  const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);  // -1 for pipes, which cannot be taken back
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(descriptor_, text.data() + done, text.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      const int error = errno;
      std::string taken_back;
      if (before >= 0 && done > 0 &&
          (::ftruncate(descriptor_, before) != 0 || ::lseek(descriptor_, before, SEEK_SET) < 0)) {
        taken_back = "; its last line may be incomplete";
      }
      throw OutputError(path_.string() + ": cannot write: " + std::generic_category().message(error) + taken_back);
    }
  }
}

void CsvFile::flush_if_many() {
  constexpr std::size_t many_bytes = 1 << 12;
  if (pending_.size() >= many_bytes) flush();
}

std::size_t CsvFile::secure() {
  flush();
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) {  // EINVAL: pipes have nothing to sync
    throw OutputError(path_.string() + ": cannot write: " + std::generic_category().message(errno));
  }
  const off_t size = ::lseek(descriptor_, 0, SEEK_CUR);
  return size < 0 ? 0 : static_cast<std::size_t>(size);
}

}  // namespace maxwell_dg::dg
