#include "dg/observe/probes.hpp"

#include <cstddef>

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

Probes::Probes(const Operator& op, const Options& options)
    : RecordedRows(op.record_points(locations(options), options.batch),
                   {.name = "probes",
                    .sink = &options.sink,
                    .columns = probe_columns(options, op.problem().system),
                    .every = 1,
                    .width = options.probes.size() * static_cast<std::size_t>(op.problem().system.field_count()),
                    .resumed = options.resumed}),
      time_factor_(options.scaling.time) {
  for (int f = 0; f < op.problem().system.field_count(); ++f) factors_.push_back(options.scaling.field(f));
}

std::vector<double> Probes::row_of(double time, std::span<const double> record) {
  std::vector<double> row{time * time_factor_};
  for (std::size_t i = 0; i < record.size(); ++i) row.push_back(record[i] * factors_[i % factors_.size()]);
  return row;
}

}  // namespace maxwell_dg::dg
