#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/digest.hpp"
#include "dg/observe/files/csv_prefix.hpp"

namespace maxwell_dg::dg {

/// A CSV file to which a run adds rows. Each number is the shortest text that reads back to the same value. Rows stay
/// in memory until `flush`. A flush that fails removes what it has written, so that the file ends with a whole row.
class CsvFile {
 public:
  /// Replaces an existing file and writes the line of column names; or, with `keep`, cuts the file off after these
  /// bytes and continues there. Throws OutputError, also if the file does not begin with these bytes.
  CsvFile(std::filesystem::path path, std::span<const std::string> columns, const std::optional<CsvPrefix>& keep = {});
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  void add_row(std::span<const double> values);
  /// Writes the pending rows. Throws OutputError; the pending rows are lost then, and the file ends where it did
  /// before.
  void flush();
  /// The same, but only if 4 KB of rows are pending: a reader sees progress every hundred rows or so.
  void flush_if_many();
  /// Flushes, waits until all rows would survive a crash, and returns what the constructor takes as `keep`. Reads back
  /// what was written since the last call.
  [[nodiscard]] CsvPrefix secure();

 private:
  void go_on_behind(const CsvPrefix& keep);
  void digest_up_to(std::size_t bytes);
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string pending_;
  Sha256 digest_;             ///< of the file's first bytes
  std::size_t digested_ = 0;  ///< how many bytes these are
};

/// The shortest decimal text that reads back to the same value.
[[nodiscard]] std::string shortest(double value);

}  // namespace maxwell_dg::dg
