#include "dg/operator/recorder.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::dg {

Recorder::Recorder(Source source) : source_(std::move(source)) {
  const std::size_t bytes = std::max<std::size_t>(source_.batch * source_.width * size_of(source_.dtype), 1);
  for (Batch& batch : batches_) {
    batch.rows = source_.device.allocate(bytes);
    batch.host = source_.device.allocate_host(bytes);
  }
}

/// What is on its way must arrive before its place on the host goes.
Recorder::~Recorder() {
  for (Batch& batch : batches_) {
    try {
      if (batch.on_its_way) batch.arrived.synchronize();
    } catch (const Error& error) {
      log_warning(std::string("records of the state were lost: ") + error.what());
    }
  }
}

void Recorder::record() {
  if (source_.width == 0) return;
  Batch& batch = batches_.at(filling_);
  if (batch.on_its_way) collect(batch);
  source_.write_record(batch.rows, static_cast<std::int32_t>(batch.records));
  ++recorded_;
  if (++batch.records < source_.batch) return;
  send(batch);
  filling_ = 1 - filling_;
}

void Recorder::send(Batch& batch) {
  const std::size_t bytes = batch.records * source_.width * size_of(source_.dtype);
  source_.stream.read(batch.rows, 0, batch.host.bytes().first(bytes));
  batch.arrived = source_.stream.record(core::EventKind::order);
  batch.on_its_way = true;
}

void Recorder::collect(Batch& batch) {
  batch.arrived.synchronize();
  const std::size_t count = batch.records * source_.width;
  const auto append = [&](const auto& values) {
    on_host_.insert(on_host_.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (source_.dtype == Dtype::float32) {
    append(batch.host.as<float>());
  } else {
    append(batch.host.as<double>());
  }
  batch.records = 0;
  batch.on_its_way = false;
}

std::vector<double> Recorder::take_arrived() {
  Batch& older = batches_.at(filling_);  // once it was sent, before the other
  Batch& newer = batches_.at(1 - filling_);
  const bool looks = source_.ranks.size() == 1;
  if (looks && older.on_its_way && older.arrived.is_done()) collect(older);
  if (looks && !older.on_its_way && newer.on_its_way && newer.arrived.is_done()) collect(newer);
  return hand_out();
}

std::vector<double> Recorder::take() {
  Batch& filling = batches_.at(filling_);
  if (filling.on_its_way) {
    collect(filling);
  } else if (filling.records > 0) {
    Batch& sent = batches_.at(1 - filling_);
    if (sent.on_its_way) collect(sent);
    send(filling);
    collect(filling);
  }
  Batch& other = batches_.at(1 - filling_);
  if (other.on_its_way) collect(other);
  return hand_out();
}

std::vector<double> Recorder::hand_out() {
  if (on_host_.empty()) return {};  // with several ranks on none of them: they have recorded equally often
  recorded_ -= on_host_.size() / source_.width;
  for (std::size_t i = 0; i < on_host_.size() && !source_.is_own.empty(); ++i) {
    if (!source_.is_own[i % source_.width]) on_host_[i] = 0;
  }
  if (source_.receiver == Source::Receiver::all) {
    source_.ranks.sum(on_host_);
  } else {
    source_.ranks.sum_at(0, on_host_);
  }
  return std::exchange(on_host_, {});
}

}  // namespace maxwell_dg::dg
