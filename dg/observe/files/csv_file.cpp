#include "dg/observe/files/csv_file.hpp"

#include <algorithm>
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

CsvFile::CsvFile(std::filesystem::path path, std::span<const std::string> columns, const std::optional<CsvPrefix>& keep)
    : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (keep ? 0 : O_TRUNC), 0666);
  if (descriptor_ < 0) fail("cannot write");
  try {
    if (keep) {
      go_on_behind(*keep);
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

void CsvFile::fail(const char* what) const {
  throw OutputError(path_.string() + ": " + what + ": " + std::generic_category().message(errno));
}

void CsvFile::go_on_behind(const CsvPrefix& keep) {
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && !S_ISREG(status.st_mode)) return;  // a pipe cannot be cut off
  const std::string objection = keep.objection(path_);
  if (!objection.empty()) {
    throw OutputError(path_.string() + ": " + objection + "; put the file back, or begin anew without --resume");
  }
  const auto size = static_cast<off_t>(keep.bytes);
  if (::ftruncate(descriptor_, size) != 0 || ::lseek(descriptor_, size, SEEK_SET) < 0) fail("cannot be continued");
}

/// Reads from the file: runs without checkpoints have no cost from this, and changes by other programs are noticed.
void CsvFile::digest_up_to(std::size_t bytes) {
  const int reader = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (reader < 0) fail("cannot be read back");
  std::array<std::byte, 1 << 16> piece{};
  while (digested_ < bytes) {
    const ssize_t size =
        ::pread(reader, piece.data(), std::min(piece.size(), bytes - digested_), static_cast<off_t>(digested_));
    if (size <= 0) {
      ::close(reader);
      throw OutputError(path_.string() + ": cannot be read back; does another program change it?");
    }
    digest_.update(std::span(piece).first(static_cast<std::size_t>(size)));
    digested_ += static_cast<std::size_t>(size);
  }
  ::close(reader);
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
  const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);  // -1 for pipes, from which nothing can be removed
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

CsvPrefix CsvFile::secure() {
  flush();
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL) fail("cannot write");  // EINVAL: pipes have nothing to sync
  const off_t size = ::lseek(descriptor_, 0, SEEK_CUR);
  struct stat status {};
  if (size < 0 || ::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  digest_up_to(static_cast<std::size_t>(size));
  return {.bytes = digested_, .sha256 = digest_.hex()};
}

}  // namespace maxwell_dg::dg
