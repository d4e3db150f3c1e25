#include "dg/maxwell/round_guide.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseLU>

#include "dg/mesh/fitted_round.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

using std::numbers::pi;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// The derivative of J_m.
double bessel_slope(int m, double x) {
  if (m == 0) return -std::cyl_bessel_j(1.0, x);
  return (std::cyl_bessel_j(m - 1.0, x) - std::cyl_bessel_j(m + 1.0, x)) / 2;
}

/// The n-th positive zero of it, for TE, and of J_m, for TM.
double zero_of_bessel(ModeKind kind, int m, int n) {
  const auto f = [&](double x) { return kind == ModeKind::te ? bessel_slope(m, x) : std::cyl_bessel_j(m + 0.0, x); };
  constexpr double step = 0.1;  // zeros are more than 1.5 apart, and the first lies beyond m
  double low = std::max(m, 1);
  for (int found = 0;; low += step) {
    if (f(low) * f(low + step) > 0) continue;
    if (++found == n) break;
  }
  double high = low + step;
  while (high - low > 1e-15 * high) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (f(low) * f(middle) > 0 ? low : high) = middle;
  }
  return high;
}

/// Calls visit(from, to, plane) for all edges of the outlines; plane: the one in which it lies, none on the wall.
template <class Visit>
void for_rim(const Mesh& mesh, const PlanarPatch& patch, std::span<const SymmetryPlane> symmetry, const Visit& visit) {
  for (const auto& loop : patch.outlines) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::int32_t from = loop[i], to = loop[(i + 1) % loop.size()];
      visit(from, to, plane_of_edge(mesh, symmetry, from, to));
    }
  }
}

/// psi of a mode, of any size.
struct Shape {
  const Disc& disc;
  ModeKind kind;
  int m;
  double k, phi_0;

  [[nodiscard]] double at(const Point& x) const {
    const Point from_centre = minus(x, disc.centre);
    const double u = dot(from_centre, disc.u), v = dot(from_centre, disc.v);
    const double radial = std::cyl_bessel_j(static_cast<double>(m), k * std::hypot(u, v));
    const double angle = m * (std::atan2(v, u) - phi_0);
    return m == 0 ? radial : radial * (kind == ModeKind::te ? std::sin(angle) : std::cos(angle));
  }
  void turn_by_half_a_lobe() { phi_0 += pi / (2 * m); }
};

/// Whether psi has no value in a plane; otherwise it has no slope there. It is H along the guide of TE, E of TM.
bool is_held_in(const SymmetryPlane& plane, ModeKind kind) {
  return (plane.kind == SymmetryPlane::Kind::magnetic) == (kind == ModeKind::te);
}

bool is_own_image(const Shape& shape, const std::vector<SymmetryPlane>& planes, const std::vector<Point>& points) {
  return std::ranges::all_of(planes, [&](const SymmetryPlane& plane) {
    const double sign = is_held_in(plane, shape.kind) ? -1 : 1;
    return std::ranges::all_of(points, [&](const Point& x) {
      Point image = x;
      image[plane.axis] = -image[plane.axis];
      return std::abs(shape.at(image) - sign * shape.at(x)) < 1e-3;  // of values up to about one
    });
  });
}

/// Eigenvectors of stiffness and mass nearest to the columns of `start`, with the eigenvalues: inverse iteration of the
/// space that they span, with this shift.
struct Eigenspace {
  Eigen::MatrixXd vectors;  ///< orthonormal by the mass
  Eigen::VectorXd values;
};
Eigenspace nearest_eigenspace(const SparseMatrix& stiffness, const SparseMatrix& mass, double shift,
                              const Eigen::MatrixXd& start) {
  const SparseMatrix shifted = stiffness - shift * mass;
  Eigen::SparseLU<SparseMatrix> factors(shifted);
  Eigenspace space{.vectors = start, .values = Eigen::VectorXd::Zero(start.cols())};
  constexpr int most = 30;
  for (int i = 0; i < most; ++i) {
    Eigen::MatrixXd next = factors.solve(mass * space.vectors);
    for (Eigen::Index c = 0; c < next.cols(); ++c) next.col(c) /= std::sqrt(next.col(c).dot(mass * next.col(c)));
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> small(next.transpose() * (stiffness * next),
                                                                          next.transpose() * (mass * next));
    const double change = (small.eigenvalues() - space.values).cwiseAbs().maxCoeff();
    space = {.vectors = next * small.eigenvectors(), .values = small.eigenvalues()};
    if (change < 1e-13 * shift) break;
  }
  return space;
}

/// Each row times the vector.
Eigen::MatrixXd cross_each(const Eigen::MatrixXd& rows, const Eigen::Vector3d& v) {
  Eigen::MatrixXd result(rows.rows(), 3);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    result.row(i) = Eigen::Vector3d(rows.row(i).transpose()).cross(v).transpose();
  }
  return result;
}

double direction_of(const Disc& disc, const std::optional<Point>& polarization) {
  if (!polarization) return 0;
  const double u = dot(*polarization, disc.u), v = dot(*polarization, disc.v);
  if (std::hypot(u, v) > 0.99 * length(*polarization)) return std::atan2(v, u);
  throw std::domain_error("has a polarization that does not lie in the plane of the port");
}

}  // namespace

std::optional<Disc> Disc::find(const Mesh& mesh, const PlanarPatch& patch, std::span<const SymmetryPlane> symmetry) {
  if (patch.outlines.size() != 1) return std::nullopt;
  using Vector = Eigen::Vector3d;
  const auto point = [](const Vector& v) { return Point{v[0], v[1], v[2]}; };
  Disc disc{};
  int axis = 0;
  while (std::abs(patch.normal[index(axis)]) > 0.8) ++axis;
  const Vector normal(patch.normal.data());
  const Vector u = (Vector::Unit(axis) - normal[axis] * normal).normalized(), v = normal.cross(u);
  disc.u = point(u);
  disc.v = point(v);
  const double height = dot(mesh.vertices[index(patch.outlines[0][0])], patch.normal);

  std::vector<Point> on_wall;  // along u and v
  std::vector<SymmetryPlane> cuts;
  for_rim(mesh, patch, symmetry, [&](std::int32_t from, std::int32_t to, const SymmetryPlane* plane) {
    if (plane != nullptr) {
      if (std::ranges::find(cuts, plane->axis, &SymmetryPlane::axis) == cuts.end()) cuts.push_back(*plane);
      return;
    }
    for (const std::int32_t end : {from, to}) {
      const Point& x = mesh.vertices[index(end)];
      on_wall.push_back({dot(x, disc.u), dot(x, disc.v), 0});
    }
  });
  for (const SymmetryPlane& cut : cuts) {  // with their images
    for (std::size_t i = 0, count = on_wall.size(); i < count; ++i) {
      Point image = on_wall[i];
      if (std::abs(disc.u[cut.axis]) > 0.99) image[0] = -image[0];
      if (std::abs(disc.v[cut.axis]) > 0.99) image[1] = -image[1];
      on_wall.push_back(image);
    }
  }
  const auto circle = fit_round(on_wall, 2);
  if (!circle || circle->deviation > 1e-3) return std::nullopt;
  const double area = patch.area * static_cast<double>(std::size_t{1} << cuts.size());
  if (std::abs(1 - area / (pi * circle->radius * circle->radius)) > 0.1) return std::nullopt;
  disc.radius = std::sqrt(area / pi);
  disc.centre = point(height * normal + circle->centre[0] * u + circle->centre[1] * v);
  return disc;
}

RoundMode round_mode_field(const Discretization& d, const std::vector<ElementFace>& faces, const PlanarPatch& patch,
                           ModeKind kind, int m, int n, std::span<const SymmetryPlane> symmetry,
                           const std::optional<Point>& polarization) {
  if (n < 1) throw std::domain_error("is a disc: the second number of its modes, te11 and so on, is 1 or more");
  if (m == 0 && polarization) {
    throw std::domain_error("has a polarization, but modes te0n and tm0n of a disc have none");
  }
  const std::optional<Disc> found = Disc::find(d.mesh, patch, symmetry);
  if (!found) throw std::invalid_argument("is not a disc");
  const Disc& disc = *found;
  const FaceElements elements(d, faces);
  std::vector<bool> is_held(static_cast<std::size_t>(elements.size()));
  std::vector<SymmetryPlane> cuts;
  for_rim(d.mesh, patch, symmetry, [&](std::int32_t from, std::int32_t to, const SymmetryPlane* plane) {
    if (plane != nullptr) cuts.push_back(*plane);
    if (plane != nullptr ? !is_held_in(*plane, kind) : kind == ModeKind::te) return;
    for (const int number : elements.on_edge(from, to)) is_held[index(number)] = true;
  });
  std::vector<int> unknown;
  for (int i = 0; i < elements.size(); ++i) {
    if (!is_held[index(i)]) unknown.push_back(i);
  }

  Shape shape{disc, kind, m, zero_of_bessel(kind, m, n) / disc.radius, direction_of(disc, polarization)};
  if (m > 0 && !polarization && !is_own_image(shape, cuts, elements.positions())) shape.turn_by_half_a_lobe();
  if (!is_own_image(shape, cuts, elements.positions())) {
    throw std::domain_error("has a mode that is not its own mirror image in the planes of symmetry");
  }
  const auto values_of = [&](const Shape& of) {
    Eigen::VectorXd values(static_cast<Eigen::Index>(unknown.size()));
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      values(static_cast<Eigen::Index>(i)) = of.at(elements.positions()[index(unknown[i])]);
    }
    return values;
  };
  const Eigen::VectorXd wanted = values_of(shape);
  Eigen::MatrixXd start = wanted;
  if (m > 0 && cuts.empty()) {
    Shape other = shape;
    other.turn_by_half_a_lobe();
    start.conservativeResize(Eigen::NoChange, 2);
    start.col(1) = values_of(other);
  }
  const SparseMatrix mass = restricted(elements.mass(), unknown), stiffness = restricted(elements.stiffness(), unknown);
  const double shift = shape.k * shape.k * (1 - 1e-6);  // beside the eigenvalue
  const auto [vectors, eigenvalues] = nearest_eigenspace(stiffness, mass, shift, start);
  const Eigen::VectorXd parts = vectors.transpose() * (mass * wanted);
  if (parts.squaredNorm() < 0.9 * wanted.dot(mass * wanted)) {
    throw std::domain_error(
        "is so coarsely meshed that it has no mode like that of a round guide; give it smaller or "
        "curved elements");
  }
  const Eigen::VectorXd solution = vectors * parts;
  Eigen::VectorXd psi = Eigen::VectorXd::Zero(elements.size());
  for (std::size_t i = 0; i < unknown.size(); ++i) psi(unknown[i]) = solution(static_cast<Eigen::Index>(i));
  RoundMode mode{.field = elements.gradient(psi),
                 .cutoff_wavenumber = std::sqrt(eigenvalues.dot(parts.cwiseAbs2()) / parts.squaredNorm())};
  if (kind == ModeKind::tm && m > 0) return mode;
  const Eigen::Vector3d normal(patch.normal.data());
  for (auto* faces_of_mode : {&mode.field.at_nodes, &mode.field.at_points}) {
    for (Eigen::MatrixXd& e : *faces_of_mode) {
      e = kind == ModeKind::tm ? Eigen::MatrixXd(-e) : cross_each(e, normal);
    }
  }
  return mode;
}

}  // namespace maxwell_dg::dg::maxwell
