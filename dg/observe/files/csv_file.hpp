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

/// Rows of numbers that grow while a run goes on. Numbers are the shortest that read back to the same value.
/// Rows gather in memory until `flush`; a flush that fails takes back what it wrote, so the file ends with a whole row.
class CsvFile {
 public:
  /// Replaces an existing file and writes the line of column names; or, with `keep`, goes on behind these bytes of it.
  /// Throws OutputError, also where the file does not begin with them.
  CsvFile(std::filesystem::path path, std::span<const std::string> columns, const std::optional<CsvPrefix>& keep = {});
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  void add_row(std::span<const double> values);
  /// Throws OutputError, after which pending rows are gone and the file ends where it did before.
  void flush();
  /// The same, once rows of 4 KB have gathered: a reader sees progress every hundred rows or so.
  void flush_if_many();
  /// Flushes, waits until the rows so far outlive a crash, and returns what `keep` takes. Reads back what was written
  /// since it was called before.
  [[nodiscard]] CsvPrefix secure();

 private:
  void go_on_behind(const CsvPrefix& keep);
  void digest_up_to(std::size_t bytes);
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string pending_;
  Sha256 digest_;  ///< of the first bytes of the file
  std::size_t digested_ = 0;
};

/// The shortest decimal text that reads back to the same value.
[[nodiscard]] std::string shortest(double value);

}  // namespace maxwell_dg::dg
