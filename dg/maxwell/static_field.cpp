#include "dg/maxwell/static_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include <Eigen/Sparse>

#include "core/counted.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

/// Vertices, each joined to the next; a closed path ends where it began.
using Path = std::vector<std::int32_t>;

double length_of(const Mesh& mesh, const Path& path) {
  double sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    sum += length(minus(mesh.vertices[index(path[i])], mesh.vertices[index(path[i - 1])]));
  }
  return sum;
}

/// The outlines without their edges in planes of symmetry, the longest first.
std::vector<Path> conductors_of(const Mesh& mesh, const PlanarPatch& patch, std::span<const SymmetryPlane> symmetry) {
  const auto is_cut = [&](std::int32_t from, std::int32_t to) {
    return plane_of_edge(mesh, symmetry, from, to) != nullptr;
  };
  std::vector<Path> paths;
  for (Path loop : patch.outlines) {
    for (std::size_t i = 0; i < loop.size(); ++i) {  // begins behind a cut, where there is one
      if (!is_cut(loop.back(), loop.front())) std::rotate(loop.begin(), loop.begin() + 1, loop.end());
    }
    loop.push_back(loop.front());
    Path path{loop.front()};
    for (std::size_t i = 1; i < loop.size(); ++i) {
      if (is_cut(loop[i - 1], loop[i])) {
        if (path.size() > 1) paths.push_back(path);
        path.clear();
      }
      path.push_back(loop[i]);
    }
    if (path.size() > 1) paths.push_back(path);
  }
  std::ranges::sort(paths, [&](const Path& p, const Path& q) { return length_of(mesh, p) > length_of(mesh, q); });
  return paths;
}

/// [number] the potential on the conductors, of which the inner one, the shorter, has 1; NaN elsewhere.
Eigen::VectorXd held_by(const std::vector<Path>& conductors, const FaceElements& elements) {
  if (conductors.size() != 2) {
    throw std::invalid_argument("is not a ring: it has " + core::counted(conductors.size(), "outline", "outlines"));
  }
  Eigen::VectorXd values = Eigen::VectorXd::Constant(elements.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t c = 0; c < 2; ++c) {
    const Path& path = conductors[c];
    for (std::size_t i = 1; i < path.size(); ++i) {
      for (const int n : elements.on_edge(path[i - 1], path[i])) values(n) = static_cast<double>(c);
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

StaticField static_field(const Discretization& d, const std::vector<ElementFace>& faces, const PlanarPatch& patch,
                         std::span<const SymmetryPlane> symmetry) {
  const FaceElements elements(d, faces);
  const Eigen::SparseMatrix<double> stiffness = elements.stiffness();
  Eigen::VectorXd potential = held_by(conductors_of(d.mesh, patch, symmetry), elements);
  make_harmonic(stiffness, potential);
  return {.field = elements.gradient(-potential), .square = potential.dot(stiffness * potential)};
}

}  // namespace maxwell_dg::dg::maxwell
