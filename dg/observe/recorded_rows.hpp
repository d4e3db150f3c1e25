#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dg/observe/files/csv_file.hpp"
#include "dg/observe/recorded_steps.hpp"

namespace maxwell_dg::dg {

/// A table of what the device sums up. Rows are written as the records arrive. Who derives from it says what a record
/// becomes.
class RecordedRows : public RecordedSteps {
 public:
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;
  [[nodiscard]] bool has_file() const { return file_.has_value(); }

 protected:
  struct Table {
    std::string name;                             ///< what an archive keeps begins with it
    std::optional<std::filesystem::path> file{};  ///< none: rows are made all the same
    std::vector<std::string> columns{};
    long every{};              ///< steps
    std::size_t width{};       ///< numbers a record
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };
  /// Throws OutputError.
  RecordedRows(std::unique_ptr<Recorder> recorder, const Table& table);

  /// Called once for each record, see `take`.
  virtual std::vector<double> row_of(double time, std::span<const double> record) = 0;

 private:
  void take(double time, std::span<const double> record) final;

  std::string name_;
  std::optional<CsvFile> file_;
};

}  // namespace maxwell_dg::dg
