#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// Rows of numbers that grow while a run goes on. Numbers are the shortest that read back to the same value.
/// Rows gather in memory until `flush`; a flush that fails takes back what it wrote, so the file ends with a whole row.
class CsvFile {
 public:
  /// Replaces an existing file and writes the line of column names; or, with `keep`, goes on after the first `keep`
  /// bytes of it. Throws OutputError, also where the file is shorter.
  CsvFile(std::filesystem::path path, std::span<const std::string> columns, std::optional<std::size_t> keep = {});
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  void add_row(std::span<const double> values);
  /// Throws OutputError, after which pending rows are gone and the file ends where it did before.
  void flush();
  /// The same, once rows of 4 KB have gathered: a reader sees progress every hundred rows or so.
  void flush_if_many();
  /// Flushes, waits until the rows so far outlive a crash, and returns how many bytes they take: what `keep` takes.
  [[nodiscard]] std::size_t secure();

 private:
  void go_on_after(std::size_t keep);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string pending_;
};

/// The shortest decimal text that reads back to the same value.
[[nodiscard]] std::string shortest(double value);

}  // namespace maxwell_dg::dg
