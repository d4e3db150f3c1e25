#include "dg/maxwell/pml_layer.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>

#include "core/mpi/of_all.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/fitted_round.hpp"

namespace maxwell_dg::dg::maxwell {

namespace {

std::vector<Point> corners(const Discretization& d, std::int32_t cell, std::int32_t face) {
  std::vector<Point> points;
  for (const std::size_t v : face_vertices.at(index(face))) {
    points.push_back(d.mesh.vertices[index(d.mesh.cells[index(cell)].at(v))]);
  }
  return points;
}

/// The nodes of a face's map that are not where those of a straight one would be.
std::vector<Point> curved_nodes(const Discretization& d, std::int32_t cell, std::int32_t face, double margin) {
  const CurvedCells& maps = d.mesh.curved;
  if (!maps.is_curved(index(cell))) return {};
  const auto& on_face = face_vertices.at(index(face));
  const std::vector<GeometryNode> places = geometry_nodes(maps.order);
  const std::span<const Point> nodes = maps.nodes_of(index(cell));
  const std::array<Point, 4> of_cell = corners_of(d.mesh, index(cell));
  std::vector<Point> found;
  for (std::size_t n = 0; n < places.size(); ++n) {
    int steps = 0;
    for (const std::size_t v : on_face) steps += places[n].at(v);
    const bool is_on_face = steps == maps.order;
    if (is_on_face && distance(nodes[n], straight_node(of_cell, maps.order, places[n])) > margin) {
      found.push_back(nodes[n]);
    }
  }
  return found;
}

constexpr double round = 0.01;  // up to this deviation of points, over the radius

bool fits(const std::optional<FittedRound>& fitted) {
  return fitted && fitted->deviation < round;
}

/// Through the corners of an outer boundary. Where they are too few to tell, or on both, like two circles above one
/// another, curved faces tell by their nodes, of which each rank has its own.
FittedRounds rounds_through(std::vector<Point> corners, const std::vector<Point>& own_nodes, double margin,
                            const core::Communicator& ranks) {
  const FittedRounds by_corners = fit_rounds(corners, margin);
  if (fits(by_corners.sphere) != fits(by_corners.cylinder)) return by_corners;
  const std::vector<Point> nodes = core::all_of(ranks, own_nodes);
  corners.insert(corners.end(), nodes.begin(), nodes.end());
  return fit_rounds(corners, margin);
}

/// Do all corners of a face lie at this coordinate?
bool lies_at(const std::vector<Point>& points, std::size_t axis, double x, double margin) {
  return std::ranges::all_of(points, [&](const Point& p) { return std::abs(p[axis] - x) < margin; });
}

std::vector<bool> is_of(const Discretization& d, const std::vector<std::int32_t>& elements) {
  std::vector<bool> result(d.K());
  for (const std::int32_t k : elements) result[index(k)] = true;
  return result;
}

/// Calls `visit(centroid, n)` for each face between own ones of these elements and others, n pointing out of these.
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
      visit(centroid(d.mesh, std::array{cell.at(a), cell.at(b), cell.at(c)}), Point{g.nx, g.ny, g.nz});
    }
  }
}

std::string percent(double fraction) {
  return core::brief(100 * fraction) + " %";
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
  std::vector<Point> outer, curved;  // corners of the PML's boundary faces; of those that are no sides of the mesh
  std::vector<Point> nodes;          // of the latter, where they are curved
  for (const Connectivity::BoundaryFace& b : d.connectivity.boundary_faces) {
    if (b.is_inside()) continue;
    const std::vector<Point> points = corners(d, b.cell, b.face);
    bool on_a_side = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (lies_at(points, axis, low_[axis], margin)) {
        (of_layer[index(b.cell)] ? low.inside : low.outside).at(axis) = 1;
        on_a_side = true;
      }
      if (lies_at(points, axis, high_[axis], margin)) {
        (of_layer[index(b.cell)] ? high.inside : high.outside).at(axis) = 1;
        on_a_side = true;
      }
    }
    if (!of_layer[index(b.cell)]) continue;
    reaches = true;
    if (shape) outer.insert(outer.end(), points.begin(), points.end());
    if (on_a_side) continue;
    curved.insert(curved.end(), points.begin(), points.end());
    const std::vector<Point> of_face = curved_nodes(d, b.cell, b.face, margin);
    nodes.insert(nodes.end(), of_face.begin(), of_face.end());
  }

  for_inner_faces(d, elements, [&](const Point& x, const Point& n) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      constexpr double parallel = 0.9, nearly = 1.1;
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

  const bool any_curved = core::on_any(ranks, !curved.empty());
  if (shape ? *shape != Shape::box : any_curved) {
    find_round_shape(rounds_through(core::all_of(ranks, any_curved ? curved : outer), nodes, margin, ranks), shape);
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

void PmlLayer::find_round_shape(const FittedRounds& through, std::optional<Shape> shape) {
  const auto& [sphere, cylinder] = through;
  const auto take = [&](Shape chosen, const FittedRound& round) {
    shape_ = chosen;
    centre_ = round.centre;
    outer_radius_ = round.radius;
    constexpr double rounding = 1e-6;
    if (thickness_ < (1 - rounding) * outer_radius_) return;
    throw std::invalid_argument("the thickness, " + core::brief(thickness_) +
                                ", is not below the radius of the outer boundary, " + core::brief(outer_radius_) +
                                ": damping would begin at the " + (chosen == Shape::sphere ? "centre" : "axis") +
                                " or beyond it; give the thickness that the PML has, from its inner face outwards");
  };
  constexpr double nearly_round = 0.1;
  const double off_sphere = sphere ? sphere->deviation : 1, off_cylinder = cylinder ? cylinder->deviation : 1;
  if (shape == Shape::sphere && off_sphere < nearly_round) return take(Shape::sphere, *sphere);
  if (shape == Shape::cylinder && off_cylinder < nearly_round) return take(Shape::cylinder, *cylinder);
  if (!shape && fits(cylinder)) return take(Shape::cylinder, *cylinder);  // also a prism, whose corners are on both
  if (!shape && fits(sphere)) return take(Shape::sphere, *sphere);
  const auto off = [&](const std::string& name, const std::optional<FittedRound>& fit) {
    return fit ? percent(fit->deviation) + " from a " + name : "all from a " + name;
  };
  const std::string found = "corners of the PML's outer boundary that are on no side of the mesh deviate by up to " +
                            off("sphere", sphere) + " and " + off("cylinder along z", cylinder) + " of the radius";
  if (shape) {
    throw std::invalid_argument("`shape` does not fit: " + found +
                                "; leave it out, or mesh the PML between two of them");
  }
  const bool like_sphere = off_sphere <= off_cylinder;
  throw std::invalid_argument("neither a box, a sphere nor a cylinder along z: " + found +
                              ((like_sphere ? off_sphere : off_cylinder) < nearly_round
                                   ? std::string("; if it is meant to be one, `shape: ") +
                                         (like_sphere ? "sphere" : "cylinder") + "` takes it as such"
                                   : "; give the mesh an outer boundary of one of these shapes"));
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
  for_inner_faces(d, elements, [&](const Point& x, const Point&) {
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
