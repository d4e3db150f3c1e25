#include "dg/observe/field_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <utility>

#include "core/atomic_file.hpp"
#include "dg/observe/csv_file.hpp"
#include "dg/observe/vtk_data.hpp"

namespace maxwell_dg::dg {

FieldSeries::FieldSeries(const Operator& op, Options options)
    : options_(std::move(options)),
      point_data_(point_data(op.problem().system, options_.quantities, options_.scaling)),
      writer_(op.discretization(), op.precision(), cell_data(op.problem(), options_.scaling)),
      copy_(op.copy_state()),
      values_(op.dofs()),
      field_count_(op.problem().system.field_count()) {
  if (options_.resumed != nullptr && options_.resumed->has("fields.times")) resume(*options_.resumed);
}

void FieldSeries::resume(const Archive& archive) {
  std::istringstream files(archive.text("fields.files"));
  for (const double time : archive.reals("fields.times")) {
    std::string file;
    std::getline(files, file);
    entries_.push_back({time, file});
  }
}

void FieldSeries::save(Operator&, const Moment&, Archive& archive) {
  finish_writing();
  std::vector<double> times;
  std::string files;
  for (const Entry& entry : entries_) {
    times.push_back(entry.time);
    files += entry.file + "\n";
  }
  archive.put("fields.times", std::move(times));
  archive.put_text("fields.files", files);
}

void FieldSeries::observe(Operator&, const Moment& now) {
  while (next_ < options_.steps.size() && options_.steps[next_] < now.step) ++next_;
  if (next_ == options_.steps.size() || options_.steps[next_] != now.step) return;
  finish_writing();
  copy_->begin();
  writing_ = std::async(std::launch::async, [this, time = now.time] { write_snapshot(time); });
}

void FieldSeries::finish_writing() {
  if (writing_.valid()) writing_.get();
}

void FieldSeries::write_snapshot(double time) {
  copy_->get(values_);
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "fields_%06zu.vtu", entries_.size());
  writer_.write(options_.directory / name.data(), values_, field_count_, point_data_);
  entries_.push_back({time * options_.scaling.time, name.data()});
  write_series();
}

void FieldSeries::write_series() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const Entry& entry : entries_) {
    text += "    <DataSet timestep=\"" + shortest(entry.time) + "\" part=\"0\" file=\"" + entry.file + "\"/>\n";
  }
  text += "  </Collection>\n</VTKFile>\n";
  write_file_atomically(options_.directory / "fields.pvd", text);
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
