#include "dg/observe/probes.hpp"

#include <cstddef>
#include <utility>

namespace maxwell_dg::dg {
namespace {

std::vector<std::string> probe_columns(const Probes::Options& options, const System& system) {
  std::vector<std::string> names{"time"};
  for (const Probes::Probe& probe : options.probes) {
    for (const std::string& field : system.fields) names.push_back(probe.name + "." + field);
  }
  return names;
}

std::vector<PointLocation> locations(const Probes::Options& options) {
  std::vector<PointLocation> points;
  for (const Probes::Probe& probe : options.probes) points.push_back(probe.location);
  return points;
}

}  // namespace

Probes::Probes(const Operator& op, Options options)
    : options_(std::move(options)),
      recorder_(op.record_points(locations(options_), options_.batch)),
      rows_(options_.sink.begin_table("probes", probe_columns(options_, op.problem().system), options_.resumed)) {
  for (int f = 0; f < op.problem().system.field_count(); ++f) factors_.push_back(options_.scaling.field(f));
}

void Probes::observe(Operator&, const Moment& now) {
  recorder_->record();
  times_.push_back(now.time);
  if (times_.size() % options_.batch == 0) write(recorder_->take_arrived());
}

void Probes::finish(Operator&, const Moment&) {
  write(recorder_->take());
}

void Probes::flush(Operator&, const Moment&) {
  write(recorder_->take());
}

void Probes::save(Operator&, const Moment&, Archive& archive) {
  write(recorder_->take());
  rows_->save(archive);
}

void Probes::write(std::span<const double> values) {
  const std::size_t fields = factors_.size();
  const std::size_t width = options_.probes.size() * fields;
  std::vector<double> row(1 + width);
  for (; values.size() >= width && !times_.empty(); values = values.subspan(width)) {
    row[0] = times_.front() * options_.scaling.time;
    times_.pop_front();
    for (std::size_t i = 0; i < width; ++i) row[1 + i] = values[i] * factors_[i % fields];
    rows_->add_row(row);
  }
  rows_->flush();
}

}  // namespace maxwell_dg::dg
