#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// Rows of numbers that grow while a run goes on. Numbers are the shortest that read back to the same value.
/// Rows gather in memory until `flush`; a flush that fails takes back what it wrote, so the file ends with a whole row.
class CsvFile {
 public:
  /// Replaces an existing file and writes the line of column names. Throws OutputError.
  CsvFile(std::filesystem::path path, std::span<const std::string> columns);
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  void add_row(std::span<const double> values);
  /// Throws OutputError, after which pending rows are gone and the file ends where it did before.
  void flush();
  [[nodiscard]] std::size_t pending_bytes() const { return pending_.size(); }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string pending_;
};

/// The shortest decimal text that reads back to the same value.
[[nodiscard]] std::string shortest(double value);

}  // namespace maxwell_dg::dg
