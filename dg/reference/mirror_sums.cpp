#include "dg/reference/mirror_sums.hpp"

#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>

#include <Eigen/SparseCore>

namespace maxwell_dg::dg {

namespace {

constexpr double same_position = 1e-8;

/// Barycentric coordinates with respect to v0, v1, v2, v3.
using Barycentric = std::array<double, 4>;

Barycentric barycentric(double r, double s, double t) {
  return {-(1 + r + s + t) / 2, (1 + r) / 2, (1 + s) / 2, (1 + t) / 2};
}

Barycentric barycentric(const ReferenceElement& reference, int n) {
  return barycentric(reference.r[n], reference.s[n], reference.t[n]);
}

Barycentric first_reflection(const Barycentric& p) {
  return {p[0], p[2], p[1], p[3]};
}

Barycentric second_reflection(const Barycentric& p) {
  return {p[3], p[1], p[2], p[0]};
}

/// A point of a face, or of the element.
struct FacePoint {
  Barycentric position;
  int opposite = -1;  ///< the vertex opposite to the face; -1: a point of the element
};

int point_at(std::span<const FacePoint> points, const FacePoint& wanted) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    double distance = 0;
    for (std::size_t a = 0; a < 4; ++a) distance += std::abs(points[i].position.at(a) - wanted.position.at(a));
    if (points[i].opposite == wanted.opposite && distance < same_position) return static_cast<int>(i);
  }
  throw std::logic_error("MirrorSums: the points of the reference element are not symmetric");
}

FacePoint mirror_image(const FacePoint& p, Barycentric (*reflection)(const Barycentric&)) {
  if (p.opposite < 0) return {reflection(p.position)};
  Barycentric vertex{};
  vertex.at(static_cast<std::size_t>(p.opposite)) = 1;
  const Barycentric to = reflection(vertex);
  FacePoint q{reflection(p.position)};
  for (int v = 0; v < 4; ++v) {
    if (to.at(static_cast<std::size_t>(v)) == 1) q.opposite = v;
  }
  return q;
}

MirrorSums sorted_points(std::span<const FacePoint> points, std::vector<int> first_points = {}) {
  // [orbit] a point x, its image under the first reflection, under the second, and under both.
  std::vector<std::array<int, 4>> fours, seconds, firsts, ones;
  std::vector<bool> is_seen(points.size());
  const std::size_t given = first_points.size();
  first_points.resize(given + points.size());
  std::iota(first_points.begin() + static_cast<std::ptrdiff_t>(given), first_points.end(), 0);
  for (const int x : first_points) {
    if (is_seen[static_cast<std::size_t>(x)]) continue;
    const FacePoint& point_x = points[static_cast<std::size_t>(x)];
    const int first = point_at(points, mirror_image(point_x, first_reflection));
    const int second = point_at(points, mirror_image(point_x, second_reflection));
    const int both = point_at(points, mirror_image(points[static_cast<std::size_t>(first)], second_reflection));
    for (const int point : {x, first, second, both}) is_seen[static_cast<std::size_t>(point)] = true;
    auto& orbits = first != x ? (second != x ? fours : firsts) : (second != x ? seconds : ones);
    orbits.push_back({x, first, second, both});
  }

  const auto size = [](const auto& orbits) { return static_cast<int>(orbits.size()); };
  MirrorSums sums{.fours = size(fours), .seconds = size(seconds), .firsts = size(firsts), .ones = size(ones)};
  sums.count = {sums.fours + sums.seconds + sums.firsts + sums.ones, sums.fours + sums.firsts,
                sums.fours + sums.seconds, sums.fours};
  for (std::size_t kind = 1; kind < MirrorSums::kinds; ++kind) {
    sums.first_slot.at(kind) = sums.first_slot.at(kind - 1) + sums.count.at(kind - 1);
  }
  sums.slot.resize(points.size());
  std::array<int, MirrorSums::kinds> next = sums.first_slot;
  const auto place = [&](const auto& orbits, std::initializer_list<std::size_t> kinds) {
    for (const auto& orbit : orbits) {
      for (const std::size_t kind : kinds) sums.slot[static_cast<std::size_t>(orbit.at(kind))] = next.at(kind)++;
    }
  };
  place(fours, {0, 1, 2, 3});
  place(seconds, {0, 2});
  place(firsts, {0, 1});
  place(ones, {0});
  return sums;
}

/// Calls visit([(number of the point in the orbit, its slot)]) for each orbit.
void for_each_orbit(const MirrorSums& s, const std::function<void(const std::vector<std::pair<int, int>>&)>& visit) {
  std::array<int, MirrorSums::kinds> next = s.first_slot;
  const auto orbits = [&](int count, std::initializer_list<int> kinds) {
    for (int i = 0; i < count; ++i) {
      std::vector<std::pair<int, int>> orbit;
      for (const int kind : kinds) orbit.emplace_back(kind, next.at(static_cast<std::size_t>(kind))++);
      visit(orbit);
    }
  };
  orbits(s.fours, {0, 1, 2, 3});
  orbits(s.seconds, {0, 2});
  orbits(s.firsts, {0, 1});
  orbits(s.ones, {0});
}

/// The sign of a point in a mirror sum. `point` is its number in the orbit, in which bit i says whether reflection i
/// takes the first point of the orbit there; bit i of `kind` says whether the sum is odd under reflection i.
int mirror_sign(int kind, int point) {
  const int odd = kind & point;
  return odd == 1 || odd == 2 ? -1 : 1;
}

}  // namespace

MirrorSums MirrorSums::of_nodes(const ReferenceElement& reference, const std::vector<int>& first_points) {
  std::vector<FacePoint> points;
  for (int n = 0; n < reference.Np; ++n) points.push_back({barycentric(reference, n)});
  return sorted_points(points, first_points);
}

MirrorSums MirrorSums::of_face_nodes(const ReferenceElement& reference) {
  std::vector<FacePoint> points;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    const int opposite = ReferenceElement::opposite_vertex.at(static_cast<std::size_t>(face));
    for (int k = 0; k < reference.Nfp; ++k)
      points.push_back({barycentric(reference, reference.Fmask(k, face)), opposite});
  }
  return sorted_points(points);
}

MirrorSums MirrorSums::of_points(const std::vector<std::array<double, 3>>& points) {
  std::vector<FacePoint> all;
  for (const auto& [r, s, t] : points) all.push_back({barycentric(r, s, t)});
  return sorted_points(all);
}

MirrorSums MirrorSums::of_face_points(const std::array<std::vector<std::array<double, 3>>, 4>& of_faces) {
  std::vector<FacePoint> all;
  for (std::size_t face = 0; face < of_faces.size(); ++face) {
    for (const auto& [r, s, t] : of_faces.at(face)) {
      all.push_back({barycentric(r, s, t), ReferenceElement::opposite_vertex.at(face)});
    }
  }
  return sorted_points(all);
}

MirrorSums MirrorSums::of_triangle(const std::vector<double>& r, const std::vector<double>& s) {
  std::vector<FacePoint> all;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const double first = -(r[i] + s[i]) / 2;  // twice, so that the second reflection keeps each point
    all.push_back({{first, (1 + r[i]) / 2, (1 + s[i]) / 2, first}});
  }
  return sorted_points(all);
}

Eigen::MatrixXd MirrorSums::sums() const {
  Eigen::MatrixXd by_slots = Eigen::MatrixXd::Zero(points(), points());
  for_each_orbit(*this, [&](const auto& orbit) {
    for (const auto& [kind, row] : orbit) {
      for (const auto& [point, column] : orbit) by_slots(row, column) = mirror_sign(kind, point);
    }
  });
  return by_slots(Eigen::all, slot);
}

Eigen::MatrixXd MirrorSums::shares() const {
  Eigen::MatrixXd all = sums();
  for (int row = 0; row < points(); ++row) all.row(row) /= all.row(row).cwiseAbs().sum();
  return all;
}

std::array<Eigen::MatrixXd, 3> MirrorSums::derivatives(const ReferenceElement& reference, const MirrorSums& nodes) {
  const Eigen::MatrixXd &Dr = reference.Dr, &Ds = reference.Ds, &Dt = reference.Dt;
  const auto between = [&](const Eigen::MatrixXd& D) { return between_mirror_sums(D, nodes, nodes); };
  return {between((Dr + Ds - Dt) / 2), between((Dr - Ds) / 2), between(Dt)};
}

Eigen::MatrixXd between_mirror_sums(const Eigen::MatrixXd& matrix, const MirrorSums& rows, const MirrorSums& columns) {
  // The rows of sums() and shares() are orthogonal and differ in length only: shares()^T is the inverse of sums(). Rows
  // of shares() have at most four entries.
  using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  const Rows of_rows = rows.shares().sparseView(), of_columns = columns.shares().sparseView();
  const Eigen::MatrixXd of_shares = of_rows * matrix;
  return (of_columns * of_shares.transpose()).transpose();
}

}  // namespace maxwell_dg::dg
