#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dg/observe/files/sink.hpp"
#include "dg/observe/recorded_steps.hpp"

namespace maxwell_dg::dg {

/// A table of what the device sums up. Rows are written as the records arrive. Who derives from it says what a record
/// becomes.
class RecordedRows : public RecordedSteps {
 public:
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;
  [[nodiscard]] bool is_written() const { return rows_ != nullptr; }

 protected:
  struct Kind {
    std::string name;  ///< of the table; what an archive keeps begins with it
    Sink* sink{};      ///< none: rows are made all the same
    std::vector<std::string> columns{};
    long every{};              ///< steps
    std::size_t width{};       ///< numbers a record
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };
  /// Throws OutputError.
  RecordedRows(std::unique_ptr<Recorder> recorder, const Kind& table);

  /// Called once for each record, see `take`.
  virtual std::vector<double> row_of(double time, std::span<const double> record) = 0;

 private:
  void take(double time, std::span<const double> record) final;

  std::unique_ptr<Rows> rows_;
};

}  // namespace maxwell_dg::dg
