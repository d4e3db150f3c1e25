#include "dg/observe/files/file_sink.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "core/atomic_file.hpp"
#include "dg/observe/files/csv_file.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "dg/observe/files/snapshot_files.hpp"

namespace maxwell_dg::dg {
namespace {

class CsvRows final : public Rows {
 public:
  CsvRows(const std::filesystem::path& directory, std::string name, std::span<const std::string> columns,
          const std::optional<CsvPrefix>& keep)
      : name_(std::move(name)), file_(directory / (name_ + ".csv"), columns, keep) {}

  void add_row(std::span<const double> values) override { file_.add_row(values); }
  void flush() override { file_.flush(); }
  void flush_if_many() override { file_.flush_if_many(); }
  void save(Archive& archive) override { file_.secure().save(name_, archive); }

 private:
  std::string name_;
  CsvFile file_;
};

}  // namespace

std::unique_ptr<Rows> FileSink::begin_table(const std::string& name, std::vector<std::string> columns,
                                            const Archive* resumed) {
  std::optional<CsvPrefix> keep;
  if (resumed != nullptr && resumed->has(name + ".bytes"))
    keep = CsvPrefix::saved(name, *resumed);  // otherwise a new table
  return std::make_unique<CsvRows>(directory_, name, columns, keep);
}

Table FileSink::table(const std::string& name) const {
  return read_csv(directory_ / (name + ".csv"));
}

void FileSink::put_table(const std::string& name, const Table& table) {
  std::string text;
  for (const std::string& column : table.columns()) text += (text.empty() ? "" : ",") + column;
  text += "\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const char* separator = "";
    for (const std::vector<double>& column : table.values()) {
      text += separator + shortest(column[row]);
      separator = ",";
    }
    text += "\n";
  }
  put_text(name + ".csv", text);
}

void FileSink::put_text(const std::string& file, const std::string& text) {
  write_file_atomically(directory_ / file, text);
}

std::unique_ptr<Snapshots> FileSink::begin_snapshots(SnapshotSeries series) {
  return begin_snapshot_files(directory_, std::move(series), ranks_);
}

}  // namespace maxwell_dg::dg
