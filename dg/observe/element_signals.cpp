#include "dg/observe/element_signals.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "dg/mesh/face_map.hpp"
#include "dg/operator/operator.hpp"
#include "dg/reference/face_interpolation.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr std::size_t fields = 6;

std::vector<PointLocation> nodes_of(const Discretization& d, const ElementSignals::Options& options) {
  const ReferenceElement& reference = d.reference;
  std::vector<PointLocation> points;
  for (const ElementSignals::Element& element : options.elements) {
    for (const ElementFace& face : element.mode.faces) {
      for (int i = 0; i < d.Nfp(); ++i) {
        const int node = reference.Fmask(i, face.face);
        points.push_back({face.element, {reference.r(node), reference.s(node), reference.t(node)}});
      }
    }
  }
  return points;
}

std::size_t width_of(const Discretization& d, const ElementSignals::Options& options) {
  std::size_t faces = 0;
  for (const ElementSignals::Element& element : options.elements) faces += element.mode.faces.size();
  return faces * index(d.Nfp()) * fields;
}

std::vector<std::string> columns_of(const ElementSignals::Options& options) {
  std::vector<std::string> columns{"time"};
  for (const ElementSignals::Element& element : options.elements) {
    for (const char* signal : {".V", ".I"}) columns.push_back(element.name + signal);
  }
  return columns;
}

/// The outward normals at the nodes of faces.
class Normals {
 public:
  explicit Normals(const Discretization& d) : d_(d) {
    if (d.curved) map_.emplace(d.mesh, face_nodes_of(d.reference));
  }
  [[nodiscard]] std::vector<Point> at(const ElementFace& face) const {
    const Geometry::Face& flat = d_.geometry.faces[face.element][index(face.face)];
    const Point n{flat.nx, flat.ny, flat.nz};
    if (!d_.mesh.curved.is_curved(face.element)) return std::vector<Point>(index(d_.Nfp()), n);
    std::vector<Point> normals;
    for (const FaceMap::At& node : map_->at(face)) {
      Point across = cross(node.by_r, node.by_s);
      const double size = length(across) * (dot(across, n) < 0 ? -1 : 1);
      for (double& component : across) component /= size;
      normals.push_back(across);
    }
    return normals;
  }

 private:
  const Discretization& d_;
  std::optional<FaceMap> map_;
};

}  // namespace

ElementSignals::ElementSignals(const Operator& op, const Options& options)
    : RecordedRows(op.record_points(nodes_of(op.discretization(), options), batch),
                   {.name = "elements",
                    .sink = &options.sink,
                    .columns = columns_of(options),
                    .every = options.every,
                    .width = width_of(op.discretization(), options),
                    .resumed = options.resumed}),
      time_factor_(options.time_factor) {
  const Discretization& d = op.discretization();
  const Normals normals(d);
  for (const Element& element : options.elements) {
    const maxwell::LumpedFilm& film = element.mode.film.value();
    // E_t = V e / root and J = I root e, since the integral of e . e is 1 and root^2 is that for V = 1.
    const double root = std::sqrt(film.squares);
    const double to_voltage = (film.is_inside ? 0.5 : 1.0) / root, to_current = root * options.current_factor;
    std::vector<double>& of_voltage = of_voltage_.emplace_back();
    std::vector<double>& of_current = of_current_.emplace_back();
    for (std::size_t f = 0; f < element.mode.faces.size(); ++f) {
      const std::vector<Point> n = normals.at(element.mode.faces[f]);
      for (std::size_t i = 0; i < n.size(); ++i) {
        const Point w = element.mode.weight[f * n.size() + i];
        const Point of_H = cross(n[i], w);  // w . (-n x H)
        for (const double component : w) of_voltage.push_back(to_voltage * component);
        of_voltage.insert(of_voltage.end(), 3, 0.0);
        of_current.insert(of_current.end(), 3, 0.0);
        for (const double component : of_H) of_current.push_back(to_current * component);
      }
    }
  }
}

std::vector<double> ElementSignals::row_of(double time, std::span<const double> record) {
  std::vector<double> row{time * time_factor_};
  for (std::size_t e = 0; e < of_voltage_.size(); ++e) {
    for (const std::vector<double>* weights : {&of_voltage_[e], &of_current_[e]}) {
      row.push_back(std::transform_reduce(weights->begin(), weights->end(), record.begin(), 0.0));
    }
    record = record.subspan(of_voltage_[e].size());
  }
  return row;
}

}  // namespace maxwell_dg::dg
