#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dg/observe/csv_file.hpp"
#include "dg/operator/archive.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// A table of what the device sums up every few steps and at the end. The device records and goes on; rows are written
/// as the records arrive. Who derives from it says what a record becomes.
class RecordedRows : public Observer {
 public:
  void observe(Operator& op, const Moment& now) override;
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

  /// Called once for each record, in their order: all of them have been by the end of `finish` and `save`.
  virtual std::vector<double> row_of(double time, std::span<const double> record) = 0;

 private:
  void note(const Moment& now);
  void write(std::span<const double> records);

  std::unique_ptr<Recorder> recorder_;
  std::string name_;
  long every_;
  std::size_t width_;
  std::deque<double> times_;  ///< of what was recorded and not yet written
  std::optional<CsvFile> file_;
  long noted_step_ = -1;
};

}  // namespace maxwell_dg::dg
