#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dg/observe/files/sink.hpp"
#include "dg/observe/recorded_steps.hpp"

namespace maxwell_dg::dg {

/// A table with a row for each of RecordedSteps' records, written when they arrive. A derived class makes rows of
/// records.
class RecordedRows : public RecordedSteps {
 public:
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;
  [[nodiscard]] bool is_written() const { return rows_ != nullptr; }

 protected:
  struct Kind {
    std::string name;  ///< of the table, and prefix of the names in an archive
    Sink* sink{};      ///< null: `row_of` is called, but no row is written
    std::vector<std::string> columns{};
    long every{};              ///< steps
    std::size_t width{};       ///< numbers of a record
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };
  /// Throws OutputError.
  RecordedRows(std::unique_ptr<Recorder> recorder, const Kind& table);

  /// The row of a record. Called once for each record, in their order, at the latest by `finish` or `save`.
  virtual std::vector<double> row_of(double time, std::span<const double> record) = 0;

 private:
  void take(double time, std::span<const double> record) final;

  std::unique_ptr<Rows> rows_;
};

}  // namespace maxwell_dg::dg
