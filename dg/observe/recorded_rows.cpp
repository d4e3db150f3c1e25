#include "dg/observe/recorded_rows.hpp"

#include <algorithm>
#include <utility>

namespace maxwell_dg::dg {

RecordedRows::RecordedRows(std::unique_ptr<Recorder> recorder, const Table& table)
    : recorder_(std::move(recorder)), name_(table.name), every_(std::max(table.every, 1L)), width_(table.width) {
  if (table.resumed != nullptr && table.resumed->has(name_ + ".noted_step")) {
    noted_step_ = static_cast<long>(table.resumed->integer(name_ + ".noted_step"));
  }
  if (!table.file) return;
  std::optional<CsvPrefix> keep;
  if (table.resumed != nullptr && table.resumed->has(name_ + ".bytes")) {  // else there was no file before
    keep = CsvPrefix::saved(name_, *table.resumed);
  }
  file_.emplace(*table.file, table.columns, keep);
}

void RecordedRows::observe(Operator&, const Moment& now) {
  if (noted_step_ < 0 || now.step % every_ == 0) note(now);
}

void RecordedRows::finish(Operator&, const Moment& now) {
  if (file_) file_->flush();  // first: what follows may fail with the device
  if (now.step != noted_step_) note(now);
  write(recorder_->take());
  if (file_) file_->flush();
}

void RecordedRows::save(Operator&, const Moment&, Archive& archive) {
  write(recorder_->take());
  archive.put_integer(name_ + ".noted_step", noted_step_);
  if (file_) file_->secure().save(name_, archive);
}

void RecordedRows::note(const Moment& now) {
  recorder_->record();
  times_.push_back(now.time);
  noted_step_ = now.step;
  write(recorder_->take_arrived());
}

void RecordedRows::write(std::span<const double> records) {
  for (; !records.empty(); records = records.subspan(width_)) {
    const std::vector<double> row = row_of(times_.front(), records.first(width_));
    times_.pop_front();
    if (!file_) continue;
    file_->add_row(row);
    file_->flush_if_many();
  }
}

}  // namespace maxwell_dg::dg
