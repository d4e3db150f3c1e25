#include "dg/observe/field_series.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "dg/observe/files/vtk_data.hpp"

namespace maxwell_dg::dg {

FieldSeries::FieldSeries(const Operator& op, Options options)
    : op_(op),
      options_(std::move(options)),
      point_data_(point_data(op.problem().system, options_.quantities, options_.scaling)),
      writer_(op.part(), op.precision(), cell_data(op.problem_of_part(), options_.scaling), options_.scaling.parts),
      copy_(op.copy_state()),
      field_count_(op.problem().system.field_count()),
      series_(options_.sink.begin_snapshots(
          {.name = "fields",
           .quantities = point_data_,
           .parts = options_.scaling.parts,
           .fields = field_count_,
           .block = static_cast<std::size_t>(op.discretization().Np()),
           .positions = [&op] { return op.discretization().nodes(); },
           .cells = op.part().own(),
           .write_vtu = [this](const std::filesystem::path& file,
                               std::span<const double> q) { writer_.write(file, q, field_count_, point_data_); },
           .write_pvtu = [this](
                             const std::filesystem::path& file,
                             std::span<const std::string> pieces) { writer_.write_pieces(file, point_data_, pieces); },
           .resumed = options_.resumed})) {
  values_.resize(op.part().own() * static_cast<std::size_t>(field_count_ * op.part().Np()));
}

void FieldSeries::save(Operator&, const Moment&, Archive& archive) {
  finish_writing();
  series_->save(archive);
}

void FieldSeries::observe(Operator&, const Moment& now) {
  // A full disk ends the run now, not at the next snapshot.
  if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) writing_.get();
  if (!std::ranges::binary_search(options_.steps, now.step)) return;
  finish_writing();
  copy_->begin();
  if (!options_.sink.takes_them_meanwhile()) return write_snapshot(now.time);
  writing_ = std::async(std::launch::async, [this, time = now.time] { write_snapshot(time); });
}

void FieldSeries::finish_writing() {
  std::string failure;
  try {
    if (writing_.valid()) writing_.get();
  } catch (const OutputError& error) {
    failure = error.what();
  }
  series_->complete(failure);
}

void FieldSeries::write_snapshot(double time) {
  copy_->get(values_);
  const double at = time * options_.scaling.time;
  if (options_.sink.takes_pieces() || op_.ranks().size() == 1) return series_->add(at, values_);
  const std::vector<double> all = op_.gathered(values_, values_.size() / op_.part().own());
  if (op_.ranks().is_first()) series_->add(at, all);
}

std::vector<long> steps_every(double interval, double end, long steps, const Moment& origin) {
  std::vector<long> result;
  const double span = end - origin.time;
  const long count = steps - origin.step;
  if (interval * static_cast<double>(count) <= span) {  // shorter than a step: every step
    for (long step = origin.step; step <= steps; ++step) result.push_back(step);
    return result;
  }
  const long first = static_cast<long>(std::ceil(origin.time / interval * (1 - 1e-9)));
  const long last = static_cast<long>(std::floor(end / interval * (1 + 1e-9)));
  for (long i = first; i <= last; ++i) {
    const double step = (static_cast<double>(i) * interval - origin.time) / span * static_cast<double>(count);
    const long nearest = std::min(origin.step + std::lround(step), steps);
    if (result.empty() || nearest > result.back()) result.push_back(nearest);
  }
  return result;
}

std::vector<long> steps_evenly(long count, double end, long steps, const Moment& origin) {
  return steps_every(end / static_cast<double>(count), end, steps, origin);
}

}  // namespace maxwell_dg::dg
