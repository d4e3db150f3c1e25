#include "dg/observe/recorded_rows.hpp"

#include <utility>

namespace maxwell_dg::dg {

RecordedRows::RecordedRows(std::unique_ptr<Recorder> recorder, const Table& table)
    : RecordedSteps(std::move(recorder),
                    {.name = table.name, .every = table.every, .width = table.width, .resumed = table.resumed}),
      name_(table.name) {
  if (!table.file) return;
  std::optional<CsvPrefix> keep;
  if (table.resumed != nullptr && table.resumed->has(name_ + ".bytes")) {  // else there was no file before
    keep = CsvPrefix::saved(name_, *table.resumed);
  }
  file_.emplace(*table.file, table.columns, keep);
}

void RecordedRows::finish(Operator& op, const Moment& now) {
  if (file_) file_->flush();  // first: what follows may fail with the device
  RecordedSteps::finish(op, now);
  if (file_) file_->flush();
}

void RecordedRows::save(Operator& op, const Moment& now, Archive& archive) {
  RecordedSteps::save(op, now, archive);
  if (file_) file_->secure().save(name_, archive);
}

void RecordedRows::take(double time, std::span<const double> record) {
  const std::vector<double> row = row_of(time, record);
  if (!file_) return;
  file_->add_row(row);
  file_->flush_if_many();
}

}  // namespace maxwell_dg::dg
