#include "dg/observe/recorded_rows.hpp"

#include <utility>

namespace maxwell_dg::dg {

RecordedRows::RecordedRows(std::unique_ptr<Recorder> recorder, const Kind& table)
    : RecordedSteps(std::move(recorder),
                    {.name = table.name, .every = table.every, .width = table.width, .resumed = table.resumed}) {
  if (table.sink != nullptr) rows_ = table.sink->begin_table(table.name, table.columns, table.resumed);
}

void RecordedRows::finish(Operator& op, const Moment& now) {
  if (rows_) rows_->flush();  // before the device is asked, which may fail
  RecordedSteps::finish(op, now);
  if (rows_) rows_->flush();
}

void RecordedRows::flush(Operator& op, const Moment& now) {
  RecordedSteps::flush(op, now);
  if (rows_) rows_->flush();
}

void RecordedRows::save(Operator& op, const Moment& now, Archive& archive) {
  RecordedSteps::save(op, now, archive);
  if (rows_) rows_->save(archive);
}

void RecordedRows::take(double time, std::span<const double> record) {
  const std::vector<double> row = row_of(time, record);
  if (!rows_) return;
  rows_->add_row(row);
  rows_->flush_if_many();
}

}  // namespace maxwell_dg::dg
