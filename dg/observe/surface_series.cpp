#include "dg/observe/surface_series.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "dg/observe/files/vtk_data.hpp"

namespace maxwell_dg::dg {

/// Of the part where each rank writes its own; otherwise of the whole.
SurfaceSeries::Faces SurfaceSeries::faces_of(const Operator& op, const Options& options) {
  if (!options.sink.takes_pieces()) return {options.faces, options.surface};
  Faces own;
  for (std::size_t i = 0; i < options.faces.size(); ++i) {
    const std::optional<std::size_t> element = op.number_in_part(options.faces[i].element);
    if (!element) continue;
    own.faces.push_back({*element, options.faces[i].face});
    own.surface.push_back(options.surface.at(i));
  }
  return own;
}

SurfaceSeries::SurfaceSeries(const Operator& op, Options options)
    : options_(std::move(options)),
      is_alone_(op.ranks().size() == 1),
      adds_(options_.sink.takes_pieces() || op.ranks().is_first()),
      point_data_(point_data(op.problem().system, options_.quantities, options_.scaling)),
      grid_([&] {
        const Faces own = faces_of(op, options_);
        const Discretization& d = options_.sink.takes_pieces() ? op.part() : op.discretization();
        return SurfaceGrid(d, own.faces, own.surface, op.precision(), options_.scaling.parts);
      }()),
      recorder_(options_.sink.takes_pieces() ? op.record_own_points(grid_.points(), batch)
                                             : op.record_points(grid_.points(), batch)),
      field_count_(op.problem().system.field_count()),
      series_(options_.sink.begin_snapshots(
          {.name = "surface_fields",
           .quantities = point_data_,
           .parts = options_.scaling.parts,
           .fields = field_count_,
           .positions = [this, &op] { return grid_.positions(op.discretization().mesh); },
           .cells = grid_.points().size(),
           .write_vtu = [this](
                            const std::filesystem::path& file,
                            std::span<const double> values) { grid_.write(file, values, field_count_, point_data_); },
           .write_pvtu = [this](const std::filesystem::path& file,
                                std::span<const std::string> pieces) { grid_.write_pieces(file, point_data_, pieces); },
           .resumed = options_.resumed})) {}

void SurfaceSeries::observe(Operator&, const Moment& now) {
  if (!times_.empty()) write(recorder_->take_arrived());
  if (!std::ranges::binary_search(options_.steps, now.step)) return;
  if (!is_alone_) finish_writing();
  recorder_->record();
  times_.push_back(now.time);
  if (grid_.points().empty()) add({});  // other ranks have the faces: the recorder has nothing
}

void SurfaceSeries::flush(Operator&, const Moment&) {
  finish_writing();
}

void SurfaceSeries::finish(Operator&, const Moment&) {
  finish_writing();
}

void SurfaceSeries::save(Operator&, const Moment&, Archive& archive) {
  finish_writing();
  series_->save(archive);
}

void SurfaceSeries::finish_writing() {
  std::string failure;
  try {
    write(recorder_->take());
  } catch (const OutputError& error) {
    failure = error.what();
  }
  series_->complete(failure);
}

void SurfaceSeries::write(std::span<const double> records) {
  const std::size_t width = grid_.points().size() * static_cast<std::size_t>(field_count_);
  for (; !records.empty(); records = records.subspan(width)) add(records.first(width));
}

void SurfaceSeries::add(std::span<const double> record) {
  if (adds_) series_->add(times_.front() * options_.scaling.time, record);
  times_.pop_front();
}

}  // namespace maxwell_dg::dg
