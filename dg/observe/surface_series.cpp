#include "dg/observe/surface_series.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "dg/observe/files/vtk_data.hpp"

namespace maxwell_dg::dg {

SurfaceSeries::SurfaceSeries(const Operator& op, Options options)
    : options_(std::move(options)),
      point_data_(point_data(op.problem().system, options_.quantities, options_.scaling)),
      grid_(op.discretization(), options_.faces, options_.surface, op.precision(), options_.scaling.parts),
      recorder_(op.record_points(grid_.points(), batch)),
      field_count_(op.problem().system.field_count()),
      series_(
          options_.sink.begin_snapshots({.name = "surface_fields",
                                         .quantities = point_data_,
                                         .parts = options_.scaling.parts,
                                         .fields = field_count_,
                                         .positions = [this, &op] { return grid_.positions(op.discretization().mesh); },
                                         .write_vtu =
                                             [this](const std::filesystem::path& file, std::span<const double> values) {
                                               grid_.write(file, values, field_count_, point_data_);
                                             },
                                         .resumed = options_.resumed})) {}

void SurfaceSeries::observe(Operator&, const Moment& now) {
  if (!times_.empty()) write(recorder_->take_arrived());
  if (!std::ranges::binary_search(options_.steps, now.step)) return;
  recorder_->record();
  times_.push_back(now.time);
}

void SurfaceSeries::flush(Operator&, const Moment&) {
  write(recorder_->take());
}

void SurfaceSeries::finish(Operator&, const Moment&) {
  write(recorder_->take());
}

void SurfaceSeries::save(Operator&, const Moment&, Archive& archive) {
  write(recorder_->take());
  series_->save(archive);
}

void SurfaceSeries::write(std::span<const double> records) {
  const std::size_t width = grid_.points().size() * static_cast<std::size_t>(field_count_);
  for (; !records.empty(); records = records.subspan(width)) {
    series_->add(times_.front() * options_.scaling.time, records.first(width));
    times_.pop_front();
  }
}

}  // namespace maxwell_dg::dg
