#include "dg/maxwell/static_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include <Eigen/Sparse>

namespace maxwell_dg::dg::maxwell {
namespace {

/// What a node of a face lies on: a vertex, a place on an edge, or the face itself.
using Site = std::tuple<std::int32_t, std::int32_t, long>;
using Edge = std::pair<std::int32_t, std::int32_t>;

std::array<std::int32_t, 3> vertices_of(const Mesh& mesh, const ElementFace& f) {
  const auto& corners = face_vertices[static_cast<std::size_t>(f.face)];
  const auto& cell = mesh.cells[f.element];
  return {cell[corners[0]], cell[corners[1]], cell[corners[2]]};
}

/// [axis] the derivative of nodal values of a face along x, y, z.
std::array<Eigen::MatrixXd, 3> gradient(const Discretization& d, const ElementFace& f) {
  // A function that vanishes on the face changes across it alone: the rest of the element does not matter.
  Eigen::MatrixXd D_r(d.Nfp(), d.Nfp()), D_s = D_r;
  for (int i = 0; i < d.Nfp(); ++i) {
    for (int k = 0; k < d.Nfp(); ++k) {
      D_r(i, k) = d.reference.Dr(d.reference.Fmask(i, 0), d.reference.Fmask(k, 0));
      D_s(i, k) = d.reference.Ds(d.reference.Fmask(i, 0), d.reference.Fmask(k, 0));
    }
  }
  const auto corners = vertices_of(d.mesh, f);
  const auto edge = [&](std::size_t i) {
    const Point x = minus(d.mesh.vertices[static_cast<std::size_t>(corners.at(i))],
                          d.mesh.vertices[static_cast<std::size_t>(corners[0])]);
    return Eigen::Vector3d(x[0], x[1], x[2]);
  };
  Eigen::Matrix<double, 3, 2> tangents;
  tangents << edge(1) / 2, edge(2) / 2;  // dx/dr, dx/ds
  const Eigen::Matrix<double, 3, 2> dual = tangents * (tangents.transpose() * tangents).inverse();
  std::array<Eigen::MatrixXd, 3> result;
  for (int axis = 0; axis < 3; ++axis)
    result.at(static_cast<std::size_t>(axis)) = dual(axis, 0) * D_r + dual(axis, 1) * D_s;
  return result;
}

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
  const double tolerance = symmetry_tolerance(mesh);
  const auto is_cut = [&](std::int32_t from, std::int32_t to) {
    return std::ranges::any_of(symmetry, [&](const SymmetryPlane& plane) {
      return std::abs(mesh.vertices[index(from)].at(plane.axis)) < tolerance &&
             std::abs(mesh.vertices[index(to)].at(plane.axis)) < tolerance;
    });
  };
  std::vector<Path> paths;
  for (Path loop : patch.outlines) {
    for (std::size_t i = 0; i < loop.size(); ++i) {  // begins behind a cut, where there is one
      if (!is_cut(loop.back(), loop.front())) std::ranges::rotate(loop, loop.begin() + 1);
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

/// Finite elements on the faces: numbers the nodes, and knows which lie on an outline.
class Potential {
 public:
  Potential(const Discretization& d, const std::vector<ElementFace>& faces, const std::vector<Path>& conductors)
      : d_(d) {
    if (conductors.size() != 2) {
      throw std::invalid_argument("is not a ring: it has " + std::to_string(conductors.size()) +
                                  (conductors.size() == 1 ? " outline" : " outlines"));
    }
    std::map<Edge, double> held;  // edges of outlines, and their vertices, to the potential there
    for (std::size_t c = 0; c < 2; ++c) {
      const Path& v = conductors[c];
      const auto value = static_cast<double>(c);  // the inner one is the shorter
      for (std::size_t i = 0; i < v.size(); ++i) {
        held[{v[i], v[i]}] = value;
        if (i > 0) held[std::minmax(v[i - 1], v[i])] = value;
      }
    }
    for (std::size_t f = 0; f < faces.size(); ++f) {
      const auto corners = vertices_of(d.mesh, faces[f]);
      for (int i = 0; i < d.Nfp(); ++i) {
        const Site site = site_of(corners, i, static_cast<long>(f));
        const auto [at, is_new] = numbers_.try_emplace(site, static_cast<int>(values_.size()));
        of_face_.push_back(at->second);
        if (!is_new) continue;
        const auto holds = held.find({std::get<0>(site), std::get<1>(site)});
        values_.push_back(holds == held.end() ? 0.0 : holds->second);
        unknown_.push_back(holds == held.end() ? unknowns_++ : -1);
      }
    }
  }

  /// [face] of [Nfp]: harmonic between the outlines.
  [[nodiscard]] std::vector<Eigen::VectorXd> solve(const std::vector<ElementFace>& faces,
                                                   const std::vector<double>& areas) {
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(unknowns_);
    const Eigen::MatrixXd mass = face_mass(d_.reference);
    for (std::size_t f = 0; f < faces.size(); ++f) {
      Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(d_.Nfp(), d_.Nfp());
      for (const Eigen::MatrixXd& D : gradient(d_, faces[f])) stiffness += areas[f] / 2 * D.transpose() * mass * D;
      for (int i = 0; i < d_.Nfp(); ++i) {
        const int row = unknown_[node(f, i)];
        for (int k = 0; row >= 0 && k < d_.Nfp(); ++k) {
          const int column = unknown_[node(f, k)];
          if (column >= 0)
            entries.emplace_back(row, column, stiffness(i, k));
          else
            right(row) -= stiffness(i, k) * values_[node(f, k)];
        }
      }
    }
    Eigen::SparseMatrix<double> matrix(unknowns_, unknowns_);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::VectorXd solution;  // of no unknowns where linear functions span the ring
    if (unknowns_ > 0) solution = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(right);
    std::vector<Eigen::VectorXd> result;
    for (std::size_t f = 0; f < faces.size(); ++f) {
      Eigen::VectorXd nodal(d_.Nfp());
      for (int i = 0; i < d_.Nfp(); ++i) {
        const int unknown = unknown_[node(f, i)];
        nodal(i) = unknown < 0 ? values_[node(f, i)] : solution(unknown);
      }
      result.push_back(std::move(nodal));
    }
    return result;
  }

 private:
  [[nodiscard]] std::size_t node(std::size_t face, int i) const {
    return static_cast<std::size_t>(of_face_[face * static_cast<std::size_t>(d_.Nfp()) + static_cast<std::size_t>(i)]);
  }

  [[nodiscard]] Site site_of(const std::array<std::int32_t, 3>& corners, int i, long face) const {
    const int at = d_.reference.Fmask(i, 0);
    const double b = (1 + d_.reference.r(at)) / 2, c = (1 + d_.reference.s(at)) / 2;
    const std::array<double, 3> share{1 - b - c, b, c};
    std::vector<std::size_t> on;
    for (std::size_t v = 0; v < 3; ++v) {
      if (share.at(v) > 1e-9) on.push_back(v);
    }
    if (on.size() == 1) return {corners.at(on[0]), corners.at(on[0]), 0};
    if (on.size() == 2) return {corners.at(on[0]), corners.at(on[1]), std::lround(1e6 * share.at(on[1]))};
    return {-1 - i, -1, face};
  }

  const Discretization& d_;
  std::map<Site, int> numbers_;
  std::vector<int> of_face_;    ///< [face x Nfp + node] its number
  std::vector<double> values_;  ///< [number] the potential on outlines
  std::vector<int> unknown_;    ///< [number] -1: on an outline
  int unknowns_ = 0;
};

}  // namespace

Eigen::MatrixXd face_mass(const ReferenceElement& reference) {
  const Eigen::MatrixXd scattered = reference.M * reference.LIFT;  // LIFT without the inverse of the element's
  Eigen::MatrixXd mass(reference.Nfp, reference.Nfp);
  for (int i = 0; i < reference.Nfp; ++i) mass.row(i) = scattered.row(reference.Fmask(i, 0)).head(reference.Nfp);
  return mass;
}

std::vector<Eigen::MatrixXd> static_field(const Discretization& d, const std::vector<ElementFace>& faces,
                                          const PlanarPatch& patch, std::span<const SymmetryPlane> symmetry) {
  std::vector<double> areas;
  areas.reserve(faces.size());
  for (const ElementFace& f : faces) areas.push_back(face_area(d.mesh, f));
  const std::vector<Eigen::VectorXd> potential =
      Potential(d, faces, conductors_of(d.mesh, patch, symmetry)).solve(faces, areas);
  std::vector<Eigen::MatrixXd> field;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::array<Eigen::MatrixXd, 3> D = gradient(d, faces[f]);
    Eigen::MatrixXd e(d.Nfp(), 3);
    for (int axis = 0; axis < 3; ++axis) e.col(axis) = -D.at(static_cast<std::size_t>(axis)) * potential[f];
    field.push_back(std::move(e));
  }
  return field;
}

}  // namespace maxwell_dg::dg::maxwell
