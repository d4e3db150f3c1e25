#include "dg/maxwell/pml_layer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/mpi/of_all.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/curved/outer_round.hpp"

namespace maxwell_dg::dg::maxwell {

namespace {

constexpr double round = 0.01;        // up to this deviation of points, over the radius
constexpr double nearly_round = 0.1;  // where the shape is given
constexpr double parallel = 0.9;      // cosine of the angle between normals of an inner face and of the side it faces
constexpr double nearly = 1.1;        // thicknesses that they are apart

/// Do all points of a face lie at this coordinate?
bool lies_at(const std::vector<Point>& points, std::size_t axis, double x, double margin) {
  return std::ranges::all_of(points, [&](const Point& p) { return std::abs(p[axis] - x) < margin; });
}

std::vector<bool> is_of(const Discretization& d, const std::vector<std::int32_t>& elements) {
  std::vector<bool> result(d.K());
  for (const std::int32_t k : elements) result[index(k)] = true;
  return result;
}

Point centroid_of(const std::array<Point, 3>& face) {
  const auto& [a, b, c] = face;
  return {(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3};
}

/// Calls `visit(corners, n)` for each face between own ones of these elements and others, n pointing out of these.
template <class Visit>
void for_inner_faces(const Discretization& d, const std::vector<std::int32_t>& elements, const Visit& visit) {
  const std::vector<bool> of_layer = is_of(d, elements);
  for (const std::int32_t k : elements) {
    if (index(k) >= d.own()) continue;
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t neighbour = d.connectivity.neighbours[index(k)].at(index(face));
      if (neighbour < 0 || of_layer[index(neighbour / 4)]) continue;
      const auto& [a, b, c] = face_vertices.at(index(face));
      const auto& cell = d.mesh.cells[index(k)];
      const Geometry::Face& g = d.geometry.faces[index(k)].at(index(face));
      const auto corner = [&](std::size_t v) { return d.mesh.vertices[index(cell.at(v))]; };
      visit(std::array{corner(a), corner(b), corner(c)}, Point{g.nx, g.ny, g.nz});
    }
  }
}

/// Where a PML's boundary faces lie on no round, or not on that of a shape which the config gives.
std::string why_not_round(const RoundFaces& outer, std::optional<PmlLayer::Shape> shape) {
  const NearestRound nearest = nearest_round(outer);
  const std::string found = "corners of the PML's outer boundary that are on no side of the mesh " + nearest.how_far;
  if (shape) return "`shape` does not fit: " + found + "; leave it out, or mesh the PML between two of them";
  const std::string nothing = "neither a box, a sphere nor a cylinder along z: " + found;
  if (nearest.deviation > round && nearest.deviation < nearly_round) {
    return nothing + "; if it is meant to be one, `shape: " + (nearest.is_sphere ? "sphere" : "cylinder") +
           "` takes it as such";
  }
  return nothing +
         ", or are too few, or too far apart, to tell which round they lie on; give the mesh an outer boundary of one "
         "of these shapes, make elements smaller there, or curved ones by a higher `mesh.order`; if these are walls "
         "that "
         "lead through a PML in a box, `shape: box` takes it as such";
}

}  // namespace

PmlLayer::PmlLayer(const Discretization& d, const std::vector<std::int32_t>& elements, double thickness,
                   std::optional<double> reflection, std::optional<Shape> shape, const core::Communicator& ranks)
    : shape_(shape.value_or(Shape::box)), thickness_(thickness) {
  const BoundingBox box = bounding_box_of_all(d.mesh.vertices, ranks);
  low_ = box.min;
  high_ = box.max;
  const double margin = 1e-6 * box.diagonal();
  const std::vector<bool> of_layer = is_of(d, elements);

  struct Side {  // [axis] 1 where it has faces of the PML's elements, of others, where an inner face of the PML faces
                 // it
    std::array<double, 3> inside{}, outside{}, faced{};
  };
  Side low, high;
  bool reaches = false;
  RoundFaces outer, curved;                   // the PML's boundary faces; of these, those that are no sides of the mesh
  std::vector<Point> of_pml;                  // points of its boundary faces
  std::vector<std::vector<Point>> of_others;  // of each other one, beside the sides
  for (const Connectivity::BoundaryFace& b : d.connectivity.boundary_faces) {
    if (b.is_inside()) continue;
    const std::vector<Point> points = points_of(d.mesh, index(b.cell), index(b.face), margin);
    bool on_a_side = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const auto& [side, at] : {std::pair(&low, low_[axis]), std::pair(&high, high_[axis])}) {
        if (!lies_at(points, axis, at, margin)) continue;
        (of_layer[index(b.cell)] ? side->inside : side->outside).at(axis) = 1;
        on_a_side = true;
      }
    }
    if (!of_layer[index(b.cell)]) {
      if (!on_a_side) of_others.push_back(points);
      continue;
    }
    reaches = true;
    of_pml.insert(of_pml.end(), points.begin(), points.end());
    if (shape) outer.add(d.mesh, index(b.cell), index(b.face), margin);
    if (!on_a_side) curved.add(d.mesh, index(b.cell), index(b.face), margin);
  }

  for_inner_faces(d, elements, [&](const std::array<Point, 3>& face, const Point& n) {
    const Point x = centroid_of(face);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (n[axis] > parallel && x[axis] - low_[axis] < nearly * thickness) low.faced.at(axis) = 1;
      if (n[axis] < -parallel && high_[axis] - x[axis] < nearly * thickness) high.faced.at(axis) = 1;
    }
  });
  for (Side* side : {&low, &high}) {
    for (auto* flags : {&side->inside, &side->outside, &side->faced}) ranks.max(*flags);
  }
  if (!core::on_any(ranks, reaches)) {
    throw std::invalid_argument("no element of the PML lies at an outer boundary; give it the volumes along one");
  }
  const auto damps = [](const Side& side, std::size_t axis) {
    return side.inside.at(axis) != 0 && (side.outside.at(axis) == 0 || side.faced.at(axis) != 0);
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sides_.low.at(axis) = damps(low, axis);
    sides_.high.at(axis) = damps(high, axis);
  }

  const auto encloses = [&](const OuterRound& of) {
    const double farthest = (1 + (shape ? nearly_round : round)) * of.round.radius;
    const auto is_out = [&](const Point& x) { return of.radius_of(x) > farthest; };
    return !core::on_any(ranks, std::ranges::any_of(of_pml, is_out));
  };
  const auto is_its_end = [&](const OuterRound& of) {
    const double R = of.round.radius;
    const auto is_on_it = [&](const Point& x) { return std::abs(of.radius_of(x) / R - 1) < round; };
    const bool has_others = core::on_any(ranks, std::ranges::any_of(of_others, [&](const std::vector<Point>& face) {
                                           return std::ranges::all_of(face, is_on_it);
                                         }));
    if (!has_others) return true;
    double nearest = -std::numeric_limits<double>::infinity();  // radius of an inner face that is parallel to it
    for_inner_faces(d, elements, [&](const std::array<Point, 3>& face, const Point& n) {
      const Point out = of.outwards(centroid_of(face));
      if (dot(n, out) > -parallel * length(out)) return;
      double innermost = R;
      for (const Point& x : face) innermost = std::min(innermost, of.radius_of(x));
      nearest = std::max(nearest, innermost);
    });
    nearest = core::largest_of(ranks, nearest);
    if (R - nearest < nearly * thickness) return true;
    if (std::isinf(nearest)) return false;
    throw std::invalid_argument(
        "its boundary lies on " + text_of(of) +
        ", which goes on beside it, and its inner faces that are parallel to this are " + core::brief(R - nearest) +
        " away, not the thickness, " + core::brief(thickness) +
        ", or less; if the PML ends there, give the thickness that it has; if that is the wall of a guide, let `shape: "
        "box` damp along the guide alone");
  };
  const bool any_curved = core::on_any(ranks, !curved.faces.empty());
  if (shape ? *shape != Shape::box : any_curved) {
    find_round_shape((any_curved ? curved : outer).of_all(ranks), margin, shape, encloses, is_its_end);
  }
  const bool any_side =
      std::ranges::any_of(sides_.low, std::identity()) || std::ranges::any_of(sides_.high, std::identity());
  if (shape_ == Shape::box && !any_side) {
    throw std::invalid_argument(
        "the PML covers no side of the mesh: on none do all boundary faces belong to it, and none is parallel to an "
        "inner face of it at most `thickness` away; give it the volumes along the outer boundary, and the thickness "
        "that they have");
  }
  const auto is_curved = [&](std::int32_t k) { return d.mesh.curved.is_curved(index(k)); };
  has_curved_ = core::on_any(ranks, std::ranges::any_of(elements, is_curved));
  reflection_ = reflection ? *reflection : default_reflection(d, elements, ranks);
  attenuation_ = 0.5 * std::log(1.0 / reflection_);
}

double PmlLayer::largest_span(const Discretization& d, const std::vector<std::int32_t>& elements,
                              const core::Communicator& ranks) const {
  double largest = 0;
  const auto measure = [&](std::int32_t k, const auto& depth_of) {
    double low = 1, high = 0;
    for (const std::int32_t v : d.mesh.cells[index(k)]) {
      const double here = std::clamp(depth_of(d.mesh.vertices[index(v)]), 0.0, 1.0);
      low = std::min(low, here);
      high = std::max(high, here);
    }
    largest = std::max(largest, high - low);
  };
  for (const std::int32_t k : elements) {
    for (std::size_t axis = shape_ == Shape::cylinder ? 2 : 0; axis < 3 && shape_ != Shape::sphere; ++axis) {
      measure(k, [&](const Point& x) { return along(axis, x).depth; });
    }
    if (shape_ != Shape::box) measure(k, [&](const Point& x) { return radial_depth(x); });
  }
  return core::largest_of(ranks, largest);
}

double PmlLayer::default_reflection(const Discretization& d, const std::vector<std::int32_t>& elements,
                                    const core::Communicator& ranks) const {
  constexpr double least = 1e-8;
  const double nepers = shape_ == Shape::box || has_curved_ ? 2 + 1.1 * d.N() : 1.6 + 0.4 * d.N();  // in an element
  return std::max(least, std::exp(-2 * nepers / largest_span(d, elements, ranks)));
}

void PmlLayer::find_round_shape(const RoundFaces& outer, double margin, std::optional<Shape> shape,
                                const std::function<bool(const OuterRound&)>& encloses,
                                const std::function<bool(const OuterRound&)>& is_its_end) {
  const std::optional<bool> is_sphere = shape ? std::optional(*shape == Shape::sphere) : std::nullopt;
  OuterRounds found = outer_rounds(outer, shape ? nearly_round : round, margin, is_sphere, encloses);
  const bool may_be_a_box = !shape && (!found.rounds.empty() || found.are_others_rods);
  if (!shape) std::erase_if(found.rounds, [&](const OuterRound& of) { return !is_its_end(of); });
  if (found.rounds.empty() && may_be_a_box) return;
  if (found.rounds.empty()) throw std::invalid_argument(why_not_round(outer, shape));
  if (found.rounds.size() > 1) {
    throw std::invalid_argument(
        "its boundary faces lie on several rounds: " + text_of(found.rounds[0]) + " and " + text_of(found.rounds[1]) +
        "; mesh it with one outer boundary, or let `shape: box` damp " + "towards the sides of the mesh alone");
  }

  const OuterRound& chosen = found.rounds.front();
  shape_ = chosen.is_sphere ? Shape::sphere : Shape::cylinder;
  centre_ = chosen.round.centre;
  outer_radius_ = chosen.round.radius;
  constexpr double rounding = 1e-6;
  if (thickness_ < (1 - rounding) * outer_radius_) return;
  throw std::invalid_argument("the thickness, " + core::brief(thickness_) +
                              ", is not below the radius of the outer boundary, " + core::brief(outer_radius_) +
                              ": damping would begin at the " + (chosen.is_sphere ? "centre" : "axis") +
                              " or beyond it; give the thickness that the PML has, from its inner face outwards");
}

PmlLayer::AlongAxis PmlLayer::along(std::size_t axis, const Point& x) const {
  AlongAxis found;
  const double above = (x[axis] - (high_[axis] - thickness_)) / thickness_;
  const double below = ((low_[axis] + thickness_) - x[axis]) / thickness_;
  if (sides_.high.at(axis) && above > found.depth) found = {.depth = above, .direction = 1};
  if (sides_.low.at(axis) && below > found.depth) found = {.depth = below, .direction = -1};
  return found;
}

double PmlLayer::radius(const Point& x) const {
  const Point from = minus(x, centre_);
  return shape_ == Shape::sphere ? std::hypot(from[0], from[1], from[2]) : std::hypot(from[0], from[1]);
}

double PmlLayer::radial_depth(const Point& x) const {
  return (radius(x) - (outer_radius_ - thickness_)) / thickness_;
}

double PmlLayer::depth(const Point& x) const {
  double largest = shape_ == Shape::box ? 0.0 : std::max(0.0, radial_depth(x));
  for (std::size_t axis = shape_ == Shape::cylinder ? 2 : 0; axis < 3 && shape_ != Shape::sphere; ++axis) {
    largest = std::max(largest, along(axis, x).depth);
  }
  return largest;
}

bool PmlLayer::damps_along(const Point& x, const Point& n) const {
  constexpr double mostly = 0.7;  // of a normal's length
  for (std::size_t axis = shape_ == Shape::cylinder ? 2 : 0; axis < 3 && shape_ != Shape::sphere; ++axis) {
    if (std::abs(n[axis]) > mostly && along(axis, x).depth > 0) return true;
  }
  if (shape_ == Shape::box || radial_depth(x) <= 0) return false;
  Point out = minus(x, centre_);
  if (shape_ == Shape::cylinder) out[2] = 0;
  return std::abs(dot(out, n)) > mostly * length(out);
}

double PmlLayer::push(double depth, double c) const {
  const double within = std::clamp(depth, 0.0, 1.0);
  return c * attenuation_ * (begins_gently() ? within * within : within);
}

double PmlLayer::slope(double depth, double c) const {
  if (depth <= 0) return 0;
  return c * attenuation_ / thickness_ * (begins_gently() ? 2 * std::min(depth, 1.0) : 1);
}

Point PmlLayer::displacement(const Point& x, double c) const {
  Point moved{};
  for (std::size_t axis = shape_ == Shape::cylinder ? 2 : 0; axis < 3 && shape_ != Shape::sphere; ++axis) {
    const AlongAxis found = along(axis, x);
    moved[axis] = found.direction * push(found.depth, c);
  }
  if (shape_ == Shape::box) return moved;
  const double r = radius(x), by = push(radial_depth(x), c);
  for (std::size_t axis = 0; by > 0 && axis < (shape_ == Shape::sphere ? 3 : 2); ++axis) {
    moved[axis] = by / r * (x[axis] - centre_[axis]);
  }
  return moved;
}

/// Of the displacement: slope e_r e_r^T along the radius, and across it push / r.
std::array<Point, 3> PmlLayer::gradient(const Point& x, double c) const {
  std::array<Point, 3> G{};
  for (std::size_t axis = shape_ == Shape::cylinder ? 2 : 0; axis < 3 && shape_ != Shape::sphere; ++axis) {
    G.at(axis).at(axis) = slope(along(axis, x).depth, c);
  }
  const double depth = shape_ == Shape::box ? 0.0 : radial_depth(x);
  if (depth <= 0) return G;
  const double r = radius(x), outwards = slope(depth, c), across = push(depth, c) / r;
  const std::size_t axes = shape_ == Shape::sphere ? 3 : 2;
  for (std::size_t i = 0; i < axes; ++i) {
    for (std::size_t j = 0; j < axes; ++j) {
      const double along_radius = (x[i] - centre_[i]) * (x[j] - centre_[j]) / (r * r);
      G[i][j] = (outwards - across) * along_radius + (i == j ? across : 0.0);
    }
  }
  return G;
}

PmlMotion PmlLayer::motion(double c) const {
  return {.displacement = [this, c](const Point& x) { return displacement(x, c); },
          .gradient = [this, c](const Point& x) { return gradient(x, c); }};
}

Point PmlLayer::stretched(const Point& x, double kappa) const {
  const auto push = [&](double depth) { return depth <= 0 ? 0.0 : 0.5 * (kappa - 1) * thickness_ * depth * depth; };
  Point moved = x;
  for (std::size_t axis = shape_ == Shape::cylinder ? 2 : 0; axis < 3 && shape_ != Shape::sphere; ++axis) {
    const AlongAxis found = along(axis, x);
    moved[axis] += found.direction * push(found.depth);
  }
  if (shape_ == Shape::box) return moved;
  const double r = radius(x), by = push(radial_depth(x));
  for (std::size_t axis = 0; by > 0 && axis < (shape_ == Shape::sphere ? 3 : 2); ++axis) {
    moved[axis] += by / r * (x[axis] - centre_[axis]);
  }
  return moved;
}

PmlLayer::Fit PmlLayer::fit_of(const Discretization& d, const std::vector<std::int32_t>& elements,
                               const core::Communicator& ranks) const {
  Fit fit;
  for_inner_faces(d, elements, [&](const std::array<Point, 3>& face, const Point&) {
    const Point x = centroid_of(face);
    constexpr double still_at_the_beginning = 0.25;
    ++fit.inner_faces;
    const double here = depth(x);
    if (here < still_at_the_beginning) return;
    ++fit.abrupt_faces;
    if (here <= fit.deepest) return;
    fit.deepest = here;
    fit.deepest_at = x;
  });
  for (const std::int32_t k : elements) {
    if (index(k) >= d.own()) continue;
    double largest = 0;
    for (const std::int32_t v : d.mesh.cells[index(k)]) {
      largest = std::max(largest, depth(d.mesh.vertices[index(v)]));
    }
    if (largest < 1e-6) ++fit.undamped;
  }
  Fit all;
  for (const Fit& of_rank : core::all_of(ranks, std::vector{fit})) {
    all.inner_faces += of_rank.inner_faces;
    all.abrupt_faces += of_rank.abrupt_faces;
    all.undamped += of_rank.undamped;
    if (of_rank.deepest <= all.deepest) continue;
    all.deepest = of_rank.deepest;
    all.deepest_at = of_rank.deepest_at;
  }
  return all;
}

std::vector<ElementTerm> pml_terms(const Problem& problem, const Discretization& discretization,
                                   const std::vector<std::int32_t>& elements, double alpha, const PmlLayer& layer,
                                   const std::vector<DispersiveMedium>& media, const core::Communicator& ranks) {
  const std::vector<double> speeds = in_each_element(problem, problem.system.max_speed, discretization.K());
  double fastest = 0;
  for (const std::int32_t k : elements) fastest = std::max(fastest, speeds[index(k)]);
  ranks.max({&fastest, 1});
  return pml_terms(problem, discretization, elements, alpha, layer.motion(fastest), media, ranks);
}

void stretch_layer(Mesh& mesh, const std::vector<std::int32_t>& elements, double thickness, double kappa,
                   std::optional<PmlLayer::Shape> shape) {
  stretch_layer(mesh, Discretization(mesh, 1), elements, thickness, kappa, shape, {});
}

void stretch_layer(Mesh& mesh, const Discretization& unmoved, const std::vector<std::int32_t>& elements,
                   double thickness, double kappa, std::optional<PmlLayer::Shape> shape,
                   const core::Communicator& ranks) {
  const PmlLayer layer(unmoved, elements, thickness, 1.0, shape, ranks);
  for (Point& x : mesh.vertices) x = layer.stretched(x, kappa);
  for (Point& x : mesh.curved.nodes) x = layer.stretched(x, kappa);
}

}  // namespace maxwell_dg::dg::maxwell
