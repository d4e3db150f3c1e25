#include "dg/observe/surface_series.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "dg/observe/files/field_groups.hpp"
#include "dg/observe/files/vtk_data.hpp"

namespace maxwell_dg::dg {
namespace {

/// In which faces_of numbers faces.
const Discretization& discretization_of(const Operator& op, const SurfaceSeries::Options& options) {
  return options.sink.takes_pieces() ? op.part() : op.discretization();
}

bool has_currents(const SurfaceSeries::Options& options) {
  return std::ranges::count(options.quantities, surface_current) > 0;
}

/// In the order asked for. The current's three numbers follow the fields of a point.
std::vector<VtkWriter::PointData> data_of(const System& system, const SurfaceSeries::Options& options) {
  if (!has_currents(options)) return point_data(system, options.quantities, options.scaling);
  std::vector<VtkWriter::PointData> result;
  for (const std::string& name : options.quantities) {
    if (name != surface_current) {
      result.push_back(point_data(system, std::array{name}, options.scaling).front());
      continue;
    }
    const std::array<std::string, 2> E_and_H{"E", "H"};
    const std::vector<VtkWriter::PointData> fields = point_data(system, E_and_H, options.scaling);
    const int first = system.field_count();
    result.push_back({.name = name,
                      .fields = {first, first + 1, first + 2},
                      .factors = fields[1].factors,
                      .signs = fields[0].signs});  // a mirror image of currents is that of the fields that drive them
  }
  return result;
}

}  // namespace

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
      point_data_(data_of(op.problem().system, options_)),
      grid_([&] {
        const Faces own = faces_of(op, options_);
        return SurfaceGrid(discretization_of(op, options_), own.faces, own.surface, op.precision(),
                           options_.scaling.parts);
      }()),
      recorder_(options_.sink.takes_pieces() ? op.record_own_points(grid_.points(), batch)
                                             : op.record_points(grid_.points(), batch)),
      field_count_(op.problem().system.field_count()),
      normals_(has_currents(options_) ? surface_normals(discretization_of(op, options_), faces_of(op, options_).faces)
                                      : std::vector<Point>{}),
      series_(options_.sink.begin_snapshots(
          {.name = "surface_fields",
           .quantities = point_data_,
           .parts = options_.scaling.parts,
           .fields = values_of_a_point(),
           .positions = [this, &op] { return grid_.positions(op.discretization().mesh); },
           .cells = grid_.points().size(),
           .write_vtu =
               [this](const std::filesystem::path& file, std::span<const double> values) {
                 grid_.write(file, values, values_of_a_point(), point_data_);
               },
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
  if (adds_) {
    const double time = times_.front() * options_.scaling.time;
    if (has_currents(options_)) {
      series_->add(time, with_currents(record));
    } else {
      series_->add(time, record);
    }
  }
  times_.pop_front();
}

int SurfaceSeries::values_of_a_point() const {
  return field_count_ + (has_currents(options_) ? 3 : 0);
}

std::vector<double> SurfaceSeries::with_currents(std::span<const double> record) const {
  constexpr std::size_t of_H = 3;
  const auto fields = static_cast<std::size_t>(field_count_);
  std::vector<double> values;
  for (std::size_t p = 0; p < record.size() / fields; ++p) {
    const std::span<const double> at = record.subspan(p * fields, fields);
    values.insert(values.end(), at.begin(), at.end());
    const Point J = cross({at[of_H], at[of_H + 1], at[of_H + 2]}, normals_[p]);  // n is the other way round
    values.insert(values.end(), J.begin(), J.end());
  }
  return values;
}

}  // namespace maxwell_dg::dg
