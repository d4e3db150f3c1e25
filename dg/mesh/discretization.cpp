#include "dg/mesh/discretization.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace maxwell_dg::dg {

namespace {

Mesh with_parts(Mesh mesh, FieldNumbers numbers) {
  if (numbers == FieldNumbers::complex) append_copy(mesh);
  return mesh;
}

std::optional<CurvedGeometry> curved_geometry(const Mesh& mesh, const ReferenceElement& reference) {
  return mesh.curved.any() ? std::optional(CurvedGeometry::make(mesh, reference)) : std::nullopt;
}

/// Runs of straight and of curved elements; one range where all are straight.
std::vector<ElementRange> ranges_by_shape(const Mesh& mesh) {
  std::vector<ElementRange> ranges;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const ElementRange::Shape shape =
        mesh.curved.is_curved(k) ? ElementRange::Shape::curved : ElementRange::Shape::affine;
    if (ranges.empty() || ranges.back().shape != shape) ranges.push_back({.begin = k, .end = k, .shape = shape});
    ranges.back().end = k + 1;
  }
  return ranges;
}

std::size_t own_elements(const std::vector<ElementRange>& ranges) {
  std::size_t count = 0;
  for (const ElementRange& range : ranges) {
    if (range.place != ElementRange::Place::ghost) count += range.size();
  }
  return count;
}

}  // namespace

Discretization::Discretization(Mesh mesh_in, int order, FieldNumbers numbers)
    : mesh(with_parts(std::move(mesh_in), numbers)),
      complex_view(K(), numbers),
      reference(ReferenceElement::make(order)),
      geometry(Geometry::make(mesh)),
      curved(curved_geometry(mesh, reference)),
      connectivity(Connectivity::make(mesh)),
      ranges(ranges_by_shape(mesh), connectivity) {}

Discretization::Discretization(Mesh mesh_in, int order, std::vector<ElementRange> ranges_in)
    : mesh(std::move(mesh_in)),
      complex_view(K(), FieldNumbers::real),
      reference(ReferenceElement::make(order)),
      geometry(Geometry::make(mesh)),
      curved(curved_geometry(mesh, reference)),
      connectivity(Connectivity::make(mesh)),
      ranges(std::move(ranges_in), connectivity) {}

Discretization::Discretization(Pieces pieces)
    : mesh(std::move(pieces.mesh)),
      complex_view(own_elements(pieces.ranges), pieces.numbers, K() - own_elements(pieces.ranges)),
      reference(std::move(pieces.reference)),
      geometry(std::move(pieces.geometry)),
      curved(std::move(pieces.curved)),
      connectivity(std::move(pieces.connectivity)),
      ranges(std::move(pieces.ranges), connectivity),
      halo(std::move(pieces.halo)),
      whole_numbers(std::move(pieces.whole_numbers)) {}

FillElements pieces_of(std::span<const double> q, std::size_t values_of_element) {
  return [q, values_of_element](std::size_t first, std::span<double> piece) {
    std::ranges::copy(q.subspan(first * values_of_element, piece.size()), piece.begin());
  };
}

Point node(const Mesh& mesh, const ReferenceElement& reference, std::size_t cell, int i) {
  return position_of(mesh, {cell, {reference.r(i), reference.s(i), reference.t(i)}});
}

Point Discretization::node(std::size_t k, int i) const {
  if (!mesh.curved.is_curved(k)) return dg::node(mesh, reference, k, i);
  return curved->node_positions[index(mesh.curved.number[k] * Np() + i)];
}

std::vector<double> Discretization::volume_weights(std::size_t k) const {
  const TetrahedronQuadrature& points = curved->quadrature.volume;
  std::vector<double> weights;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& gradients = curved->at_volume_points[index(mesh.curved.number[k]) * points.size() + i];
    weights.push_back(points.weights[i] * std::abs(determinant(gradients)));
  }
  return weights;
}

double Discretization::inscribed_radius(std::size_t k) const {
  if (!mesh.curved.is_curved(k)) return dg::inscribed_radius(geometry, k);
  const std::size_t points = curved->quadrature.volume.size(), first = index(mesh.curved.number[k]) * points;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < first + points; ++i) {
    least = std::min(least, dg::inscribed_radius(faces_of(curved->at_volume_points[i])));
  }
  return least;
}

std::vector<Point> Discretization::nodes() const {
  std::vector<Point> positions;
  positions.reserve(K() * static_cast<std::size_t>(Np()));
  for (std::size_t k = 0; k < K(); ++k) {
    for (int i = 0; i < Np(); ++i) positions.push_back(node(k, i));
  }
  return positions;
}

}  // namespace maxwell_dg::dg
