#include "dg/mesh/curved/outer_round.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include <Eigen/Dense>

#include "core/mpi/of_all.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/curved/curved_map.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"

namespace maxwell_dg::dg {

namespace {

Point product_of(double by, const Point& x) {
  return {by * x[0], by * x[1], by * x[2]};
}

/// Outward ones in the middle of the edges of a face from a corner to the next.
std::array<Point, 3> edge_normals(const Mesh& mesh, std::size_t cell, std::size_t face) {
  static constexpr std::array<Point, 4> reference_corners{{{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
  const auto& on_face = face_vertices.at(face);
  const std::array<Point, 4> corners = corners_of(mesh, cell);
  std::array<Point, 3> normals{};
  if (!mesh.curved.is_curved(cell)) {
    const Point& a = corners.at(on_face[0]);
    Point n = cross(minus(corners.at(on_face[1]), a), minus(corners.at(on_face[2]), a));
    const std::size_t opposite = 6 - on_face[0] - on_face[1] - on_face[2];
    n = product_of((dot(n, minus(corners.at(opposite), a)) > 0 ? -1 : 1) / length(n), n);
    normals.fill(n);
    return normals;
  }
  std::vector<Point> middles;
  for (std::size_t i = 0; i < 3; ++i) {
    middles.push_back(
        product_of(0.5, plus(reference_corners.at(on_face.at(i)), reference_corners.at(on_face.at((i + 1) % 3)))));
  }
  static const std::array<Eigen::Vector3d, 4> outwards{
      {{0, 0, -1}, {0, -1, 0}, {1, 1, 1}, {-1, 0, 0}}};  // of the reference tetrahedron
  const auto jacobians = CurvedMap(mesh.curved.order, middles).jacobians(mesh.curved.nodes_of(cell));
  for (std::size_t i = 0; i < 3; ++i) {
    const Eigen::Vector3d n = jacobians[i].inverse().transpose() * outwards.at(face);
    normals.at(i) = product_of(1 / n.norm(), {n[0], n[1], n[2]});
  }
  return normals;
}

/// Are there more points than `count`, apart from each other in their first `dimensions` coordinates?
bool are_more_than(std::size_t count, std::span<const Point> points, std::size_t dimensions, double margin) {
  std::vector<Point> apart;
  for (Point x : points) {
    for (std::size_t axis = dimensions; axis < 3; ++axis) x.at(axis) = 0;
    if (std::ranges::any_of(apart, [&](const Point& y) { return distance(x, y) < margin; })) continue;
    apart.push_back(x);
    if (apart.size() > count) return true;
  }
  return false;
}

using Patch = std::vector<std::size_t>;  ///< numbers of faces

/// Faces that join along edges, where the cosine of the angle between their normals is at least this.
std::vector<Patch> patches_of(const std::vector<RoundFaces::Face>& faces, double least_cosine) {
  std::vector<std::size_t> joined(faces.size());
  std::iota(joined.begin(), joined.end(), 0);
  const auto root = [&](std::size_t f) {
    while (joined[f] != f) f = joined[f] = joined[joined[f]];
    return f;
  };
  std::map<std::pair<Point, Point>, std::pair<std::size_t, std::size_t>> edges;  // -> a face and its edge
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto [a, b] = std::minmax(faces[f].corners.at(i), faces[f].corners.at((i + 1) % 3));
      const auto [other, is_new] = edges.try_emplace({a, b}, f, i);
      if (is_new) continue;
      const auto& [g, j] = other->second;
      if (dot(faces[f].normals.at(i), faces[g].normals.at(j)) > least_cosine) joined[root(f)] = root(g);
    }
  }
  std::map<std::size_t, Patch> patches;
  for (std::size_t f = 0; f < faces.size(); ++f) patches[root(f)].push_back(f);
  std::vector<Patch> found;
  for (auto& [_, patch] : patches) found.push_back(std::move(patch));
  return found;
}

/// The cosine of the angle between a face's normals and the way outwards, where it is nearest to 0.
double alignment(const OuterRound& round, const RoundFaces::Face& face) {
  double least = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const Point out = round.outwards(product_of(0.5, plus(face.corners.at(i), face.corners.at((i + 1) % 3))));
    const double here = dot(face.normals.at(i), out) / length(out);
    if (std::abs(here) < std::abs(least)) least = here;
  }
  return least;
}

bool is_same(const OuterRound& a, const OuterRound& b, double tolerance) {
  const double size = std::max(a.round.radius, b.round.radius);
  return a.is_sphere == b.is_sphere && distance(a.round.centre, b.round.centre) < 2 * tolerance * size &&
         std::abs(a.round.radius - b.round.radius) < 2 * tolerance * size;
}

}  // namespace

void RoundFaces::add(const Mesh& mesh, std::size_t cell, std::size_t face, double margin) {
  const std::vector<Point> points = points_of(mesh, cell, face, margin);
  Face& added = faces.emplace_back();
  std::copy_n(points.begin(), 3, added.corners.begin());
  added.normals = edge_normals(mesh, cell, face);
  nodes.insert(nodes.end(), points.begin() + 3, points.end());
  added.nodes = static_cast<std::int32_t>(points.size() - 3);
}

RoundFaces RoundFaces::of_all(const core::Communicator& ranks) const {
  return {.faces = core::all_of(ranks, faces), .nodes = core::all_of(ranks, nodes)};
}

std::vector<Point> points_of(const Mesh& mesh, std::size_t cell, std::size_t face, double margin) {
  const auto& on_face = face_vertices.at(face);
  const std::array<Point, 4> of_cell = corners_of(mesh, cell);
  std::vector<Point> points;
  for (const std::size_t v : on_face) points.push_back(of_cell.at(v));
  if (!mesh.curved.is_curved(cell)) return points;
  const int order = mesh.curved.order;
  const std::vector<GeometryNode> places = geometry_nodes(order);
  const std::span<const Point> of_map = mesh.curved.nodes_of(cell);
  for (std::size_t n = 0; n < places.size(); ++n) {
    int steps = 0;
    for (const std::size_t v : on_face) steps += places[n].at(v);
    const bool has_moved = distance(of_map[n], straight_node(of_cell, order, places[n])) >= margin;
    if (steps == order && has_moved) points.push_back(of_map[n]);
  }
  return points;
}

Point OuterRound::outwards(const Point& x) const {
  Point from = minus(x, round.centre);
  if (!is_sphere) from[2] = 0;
  return from;
}

std::string text_of(const OuterRound& round) {
  constexpr double rounding = 1e-9;
  Point centre = round.round.centre;
  for (double& x : centre) x = std::abs(x) < rounding * round.round.radius ? 0 : x;
  return std::string(round.is_sphere ? "a sphere" : "a cylinder along z") + " around " + text_of(centre) +
         " of radius " + core::brief(round.round.radius);
}

NearestRound nearest_round(const RoundFaces& of) {
  std::vector<Point> points = of.nodes;
  for (const RoundFaces::Face& face : of.faces) points.insert(points.end(), face.corners.begin(), face.corners.end());
  const std::optional<FittedRound> sphere = fit_round(points, 3), cylinder = fit_round(points, 2);
  const double off_sphere = sphere ? sphere->deviation : 1, off_cylinder = cylinder ? cylinder->deviation : 1;
  const auto off = [](const std::string& name, const std::optional<FittedRound>& fit) {
    return (fit ? core::brief(100 * fit->deviation) + " %" : "all") + " from a " + name;
  };
  return {.is_sphere = off_sphere <= off_cylinder,
          .deviation = std::min(off_sphere, off_cylinder),
          .how_far = "deviate by up to " + off("sphere", sphere) + " and " + off("cylinder along z", cylinder) +
                     " of the radius"};
}

OuterRounds outer_rounds(const RoundFaces& of, double tolerance, double margin, std::optional<bool> is_sphere,
                         const std::function<bool(const OuterRound&)>& accept) {
  std::vector<std::size_t> first{0};  // [face] of its nodes
  for (const RoundFaces::Face& face : of.faces) first.push_back(first.back() + static_cast<std::size_t>(face.nodes));

  enum class Side { within, outside };  // of a round, on which faces lie
  using Found = std::optional<std::pair<OuterRound, Side>>;
  const auto points_of = [&](const Patch& patch) {
    std::vector<Point> points;
    for (const std::size_t f : patch) {
      points.insert(points.end(), of.faces[f].corners.begin(), of.faces[f].corners.end());
      for (std::size_t n = first[f]; n < first[f + 1]; ++n) points.push_back(of.nodes[n]);
    }
    return points;
  };
  const auto told_by_normals = [&](const Patch& patch, const OuterRound& round, bool is_determined) -> Found {
    double aligned = 0, area = 0;
    for (const std::size_t f : patch) {
      const auto& [a, b, c] = of.faces[f].corners;
      const double of_face = length(cross(minus(b, a), minus(c, a)));
      aligned += of_face * alignment(round, of.faces[f]);
      area += of_face;
    }
    constexpr double of_coarse_flat_faces = 0.65, of_curved_ones = 0.98;  // 0.71 in a square with vertices on a circle
    if (std::abs(aligned) < (is_determined ? of_coarse_flat_faces : of_curved_ones) * area) return {};
    return std::pair{round, aligned > 0 ? Side::within : Side::outside};
  };
  const auto round_of = [&](const Patch& patch) -> Found {
    const std::vector<Point> points = points_of(patch);
    for (const bool sphere : {false, true}) {
      if (is_sphere && *is_sphere != sphere) continue;
      const std::optional<FittedRound> fitted = fit_round(points, sphere ? 3 : 2);
      if (!fitted || fitted->deviation > tolerance) continue;
      const bool is_determined = are_more_than(sphere ? 4 : 3, points, sphere ? 3 : 2, margin);
      const Found found = told_by_normals(patch, {.is_sphere = sphere, .round = *fitted}, is_determined);
      // On the circles at both ends of a cylinder that is not determined there is a sphere.
      if (found || !is_determined) return found;
    }
    return {};
  };

  OuterRounds found;
  constexpr double smoothly = 0.34, anyhow = -2;  // by up to 70 degrees: a rod stands upright on a round
  for (const double least_cosine : {smoothly, anyhow}) {
    found = {.rounds = {}, .are_others_rods = true};
    for (const Patch& patch : patches_of(of.faces, least_cosine)) {
      const Found round = round_of(patch);
      if (round && round->second == Side::outside) continue;
      if (!round || !accept(round->first)) {
        found.are_others_rods = false;
        continue;
      }
      const auto is_it = [&](const OuterRound& other) { return is_same(round->first, other, tolerance); };
      if (std::ranges::none_of(found.rounds, is_it)) found.rounds.push_back(round->first);
    }
    if (!found.rounds.empty() || found.are_others_rods) break;
  }
  return found;
}

}  // namespace maxwell_dg::dg
