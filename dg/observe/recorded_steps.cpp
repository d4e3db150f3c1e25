#include "dg/observe/recorded_steps.hpp"

#include <algorithm>
#include <utility>

namespace maxwell_dg::dg {

RecordedSteps::RecordedSteps(std::unique_ptr<Recorder> recorder, const Records& records)
    : recorder_(std::move(recorder)), name_(records.name), every_(std::max(records.every, 1L)), width_(records.width) {
  if (records.resumed == nullptr || !records.resumed->has(name_ + ".noted_step")) return;
  recorded_step_ = static_cast<long>(records.resumed->integer(name_ + ".noted_step"));
}

void RecordedSteps::observe(Operator&, const Moment& now) {
  if (recorded_step_ < 0 || now.step % every_ == 0) record(now);
}

void RecordedSteps::finish(Operator&, const Moment& now) {
  if (now.step != recorded_step_) record(now);
  hand_out(recorder_->take());
}

void RecordedSteps::flush(Operator&, const Moment&) {
  hand_out(recorder_->take());
}

void RecordedSteps::save(Operator&, const Moment&, Archive& archive) {
  hand_out(recorder_->take());
  archive.put_integer(name_ + ".noted_step", recorded_step_);
}

void RecordedSteps::record(const Moment& now) {
  recorder_->record();
  times_.push_back(now.time);
  recorded_step_ = now.step;
  hand_out(recorder_->take_arrived());
}

void RecordedSteps::hand_out(std::span<const double> records) {
  for (; !records.empty(); records = records.subspan(width_)) {
    const double time = times_.front();
    times_.pop_front();
    take(time, records.first(width_));
  }
}

}  // namespace maxwell_dg::dg
