#include "dg/maxwell/static_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <Eigen/Sparse>

#include "core/counted.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// [edge] how many of the faces have it.
std::map<Edge, int> faces_at_edges(const Mesh& mesh, const std::vector<ElementFace>& faces) {
  std::map<Edge, int> uses;
  for (const ElementFace& face : faces) {
    for (const Edge& edge : edges_of(mesh, face)) ++uses[edge];
  }
  return uses;
}

double length_of(const Mesh& mesh, const std::vector<Edge>& edges) {
  double sum = 0;
  for (const auto& [a, b] : edges) sum += length(minus(mesh.vertices[index(b)], mesh.vertices[index(a)]));
  return sum;
}

/// Edges by the vertices that they have in common, those of the greatest length first.
std::vector<std::vector<Edge>> connected(const Mesh& mesh, const std::vector<Edge>& edges) {
  std::map<std::int32_t, std::int32_t> joined;  // [vertex] a vertex of the same part
  const auto root = [&](std::int32_t v) {
    while (joined.try_emplace(v, v).first->second != v) v = joined.at(v);
    return v;
  };
  for (const auto& [a, b] : edges) joined[root(a)] = root(b);
  std::map<std::int32_t, std::vector<Edge>> parts;
  for (const Edge& edge : edges) parts[root(edge[0])].push_back(edge);
  std::vector<std::vector<Edge>> result;
  for (auto& part : parts) result.push_back(std::move(part.second));
  std::ranges::stable_sort(result,
                           [&](const auto& p, const auto& q) { return length_of(mesh, p) > length_of(mesh, q); });
  return result;
}

/// [number] the potential on the conductors, NaN elsewhere.
Eigen::VectorXd held_by(const Discretization& d, const std::vector<ElementFace>& faces, const FaceElements& elements,
                        std::span<const SymmetryPlane> symmetry) {
  std::vector<Edge> metal;
  for (const auto& [edge, count] : faces_at_edges(d.mesh, faces)) {
    if (count == 1 && plane_of_edge(d.mesh, symmetry, edge[0], edge[1]) == nullptr) metal.push_back(edge);
  }
  const std::vector<Edge> within = edges_at_walls(d, faces);
  metal.insert(metal.end(), within.begin(), within.end());
  const std::vector<std::vector<Edge>> conductors = connected(d.mesh, metal);
  if (conductors.size() != 2) {
    const bool is_plain = within.empty();
    throw std::invalid_argument(
        (is_plain ? "is not a ring: it has " : "is no line of two conductors: it has ") +
        core::counted(conductors.size(), is_plain ? "outline" : "conductor", is_plain ? "outlines" : "conductors"));
  }
  Eigen::VectorXd values = Eigen::VectorXd::Constant(elements.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t c = 0; c < 2; ++c) {
    for (const auto& [a, b] : conductors[c]) {
      for (const int n : elements.on_edge(a, b)) values(n) = static_cast<double>(c);
    }
  }
  return values;
}

}  // namespace

void make_harmonic(const Eigen::SparseMatrix<double>& stiffness, Eigen::VectorXd& values) {
  std::vector<int> unknown;
  for (int n = 0; n < values.size(); ++n) {
    if (!std::isnan(values(n))) continue;
    unknown.push_back(n);
    values(n) = 0;
  }
  if (unknown.empty()) return;  // where linear functions span the ring
  const Eigen::VectorXd of_held = stiffness * values;
  Eigen::VectorXd right(static_cast<Eigen::Index>(unknown.size()));
  for (std::size_t i = 0; i < unknown.size(); ++i) right(static_cast<Eigen::Index>(i)) = -of_held(unknown[i]);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(restricted(stiffness, unknown));
  const Eigen::VectorXd solution = factors.solve(right);
  for (std::size_t i = 0; i < unknown.size(); ++i) values(unknown[i]) = solution(static_cast<Eigen::Index>(i));
}

Eigen::MatrixXd face_mass(const ReferenceElement& reference) {
  const Eigen::MatrixXd scattered = reference.M * reference.LIFT;  // LIFT without the inverse of the element's
  Eigen::MatrixXd mass(reference.Nfp, reference.Nfp);
  for (int i = 0; i < reference.Nfp; ++i) mass.row(i) = scattered.row(reference.Fmask(i, 0)).head(reference.Nfp);
  return mass;
}

std::vector<Edge> edges_at_walls(const Discretization& d, const std::vector<ElementFace>& faces) {
  const std::map<Edge, int> uses = faces_at_edges(d.mesh, faces);
  const std::set<ElementFace> own(faces.begin(), faces.end());
  std::set<Edge> result;
  for (const Connectivity::BoundaryFace& at : d.connectivity.boundary_faces) {
    const ElementFace face{index(at.cell), at.face};
    if (own.contains(face)) continue;
    for (const Edge& edge : edges_of(d.mesh, face)) {
      const auto found = uses.find(edge);
      if (found != uses.end() && found->second > 1) result.insert(edge);
    }
  }
  return {result.begin(), result.end()};
}

StaticField static_field(const Discretization& d, const std::vector<ElementFace>& faces,
                         std::span<const SymmetryPlane> symmetry) {
  const FaceElements elements(d, faces);
  const Eigen::SparseMatrix<double> stiffness = elements.stiffness();
  Eigen::VectorXd potential = held_by(d, faces, elements, symmetry);
  make_harmonic(stiffness, potential);
  return {.field = elements.gradient(-potential), .square = potential.dot(stiffness * potential)};
}

}  // namespace maxwell_dg::dg::maxwell
