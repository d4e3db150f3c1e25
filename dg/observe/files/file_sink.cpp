#include "dg/observe/files/file_sink.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <utility>

#include "core/atomic_file.hpp"
#include "dg/observe/files/csv_file.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "dg/observe/files/pvd_file.hpp"

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

class TimedFiles final : public Snapshots {
 public:
  TimedFiles(const std::filesystem::path& directory, SnapshotSeries series)
      : series_(std::move(series)), pvd_(directory, series_.name, series_.resumed) {}

  void add(double at, std::span<const double> values) override {
    series_.write_vtu(pvd_.next_file(), values);
    pvd_.add(at);
  }
  [[nodiscard]] std::size_t count() const override { return pvd_.size(); }
  void save(Archive& archive) const override { pvd_.save(archive); }

 private:
  SnapshotSeries series_;
  PvdFile pvd_;
};

class NumberedFiles final : public Snapshots {
 public:
  NumberedFiles(std::filesystem::path directory, SnapshotSeries series)
      : directory_(std::move(directory)), series_(std::move(series)) {}

  void add(double /*at*/, std::span<const double> values) override {
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "_%03zu.vtu", count_);
    series_.write_vtu(directory_ / (series_.name + number.data()), values);
    ++count_;
  }
  [[nodiscard]] std::size_t count() const override { return count_; }

 private:
  std::filesystem::path directory_;
  SnapshotSeries series_;
  std::size_t count_ = 0;
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
  if (series.over == SnapshotSeries::Over::time) return std::make_unique<TimedFiles>(directory_, std::move(series));
  return std::make_unique<NumberedFiles>(directory_, std::move(series));
}

}  // namespace maxwell_dg::dg
