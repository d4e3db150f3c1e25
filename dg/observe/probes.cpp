#include "dg/observe/probes.hpp"

#include <cstddef>
#include <utility>

namespace maxwell_dg::dg {
namespace {

std::vector<std::string> columns(const Probes::Options& options, const System& system) {
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
      sampler_(op.sample(locations(options_))),
      file_(options_.file, columns(options_, op.problem().system)) {
  for (int f = 0; f < op.problem().system.field_count(); ++f) factors_.push_back(options_.scaling.field(f));
}

void Probes::observe(Operator&, const Moment& now) {
  sampler_->record();
  times_.push_back(now.time);
  if (times_.size() >= options_.batch) write_pending();
}

void Probes::finish(Operator&, const Moment&) {
  write_pending();
}

void Probes::write_pending() {
  const std::vector<double> values = sampler_->take();  // [record][point][field]
  const std::size_t fields = factors_.size();
  const std::size_t width = options_.probes.size() * fields;
  std::vector<double> row(1 + width);
  for (std::size_t record = 0; record < times_.size(); ++record) {
    row[0] = times_[record] * options_.scaling.time;
    for (std::size_t i = 0; i < width; ++i) row[1 + i] = values[record * width + i] * factors_[i % fields];
    file_.add_row(row);
  }
  times_.clear();
  file_.flush();
}

}  // namespace maxwell_dg::dg
