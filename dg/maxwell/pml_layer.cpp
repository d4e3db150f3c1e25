#include "dg/maxwell/pml_layer.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg::dg::maxwell {

namespace {

std::vector<Point> corners(const Discretization& d, const Connectivity::BoundaryFace& b) {
  std::vector<Point> points;
  for (const std::size_t v : face_vertices.at(index(b.face))) {
    points.push_back(d.mesh.vertices[index(d.mesh.cells[index(b.cell)].at(v))]);
  }
  return points;
}

/// Do all corners of a face lie at this coordinate?
bool lies_at(const std::vector<Point>& points, std::size_t axis, double x, double margin) {
  return std::ranges::all_of(points, [&](const Point& p) { return std::abs(p[axis] - x) < margin; });
}

}  // namespace

PmlLayer::PmlLayer(const Discretization& d, const std::vector<std::int32_t>& elements, double thickness,
                   double reflection, std::optional<Shape> shape)
    : shape_(shape.value_or(Shape::box)),
      thickness_(thickness),
      strength_(2.0 * std::log(1.0 / reflection) / thickness) {
  const BoundingBox box = bounding_box(d.mesh.vertices);
  low_ = box.min;
  high_ = box.max;
  for (std::size_t axis = 0; axis < 3; ++axis) middle_[axis] = 0.5 * (low_[axis] + high_[axis]);
  const double margin = 1e-6 * box.diagonal();
  const std::set<std::int32_t> layer(elements.begin(), elements.end());

  std::array<int, 3> inside_low{}, outside_low{}, inside_high{}, outside_high{};  // faces on a side, by their elements
  bool is_box = true, reaches = false;
  std::vector<Point> outer;  // corners of the layer's boundary faces
  for (const Connectivity::BoundaryFace& b : d.connectivity.boundary_faces) {
    const std::vector<Point> points = corners(d, b);
    const bool of_layer = layer.contains(b.cell);
    bool on_a_side = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (lies_at(points, axis, low_[axis], margin)) ++(of_layer ? inside_low : outside_low).at(axis), on_a_side = true;
      if (lies_at(points, axis, high_[axis], margin))
        ++(of_layer ? inside_high : outside_high).at(axis), on_a_side = true;
    }
    if (!of_layer) continue;
    reaches = true;
    is_box = is_box && on_a_side;
    outer.insert(outer.end(), points.begin(), points.end());
  }
  if (!reaches) throw std::invalid_argument("no element of the layer lies at an outer boundary");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sides_.low.at(axis) = inside_low.at(axis) > 0 && outside_low.at(axis) == 0;
    sides_.high.at(axis) = inside_high.at(axis) > 0 && outside_high.at(axis) == 0;
  }

  // On curved boundaries, flat ends (of a cylinder, or a ground plane) have corners at any radius.
  const auto largest = [&](Shape candidate) {
    shape_ = candidate;
    outer_radius_ = 0;
    for (const Point& p : outer) outer_radius_ = std::max(outer_radius_, radius(p));
    return outer_radius_;
  };
  const auto is_round = [&](Shape candidate) {
    const double R = largest(candidate);
    return std::ranges::all_of(outer, [&](const Point& p) {
      const bool at_an_end = std::abs(p[2] - low_[2]) < margin || std::abs(p[2] - high_[2]) < margin;
      return radius(p) > 0.99 * R || (candidate == Shape::cylinder && at_an_end);
    });
  };
  if (shape) {
    (void)largest(*shape);
  } else if (is_box) {
    shape_ = Shape::box;
  } else if (!is_round(Shape::sphere) && !is_round(Shape::cylinder)) {
    throw std::invalid_argument("the layer's outer boundary is neither a box, a sphere nor a cylinder along z");
  }
  const bool any_side =
      std::ranges::any_of(sides_.low, std::identity()) || std::ranges::any_of(sides_.high, std::identity());
  if (shape_ == Shape::box && !any_side) {
    throw std::invalid_argument("on no side of the mesh do all boundary faces belong to the layer");
  }
}

double PmlLayer::sigma(double depth, double c) const {
  return depth <= 0 ? 0.0 : strength_ * c * depth * depth * depth;
}

double PmlLayer::mean_sigma(double r, double c) const {
  const double depth = (r - (outer_radius_ - thickness_)) / thickness_;
  return depth <= 0 ? 0.0 : strength_ * c * std::pow(depth, 4) / 4 * thickness_ / r;
}

double PmlLayer::depth_along(std::size_t axis, const Point& x) const {
  double depth = 0;
  if (sides_.high.at(axis)) depth = std::max(depth, (x[axis] - (high_[axis] - thickness_)) / thickness_);
  if (sides_.low.at(axis)) depth = std::max(depth, ((low_[axis] + thickness_) - x[axis]) / thickness_);
  return depth;
}

double PmlLayer::radius(const Point& x) const {
  const Point from = minus(x, middle_);
  return shape_ == Shape::sphere ? std::hypot(from[0], from[1], from[2]) : std::hypot(from[0], from[1]);
}

PmlProfile PmlLayer::at(const Point& x, double c) const {
  if (shape_ == Shape::box) {
    return {.sigma = {sigma(depth_along(0, x), c), sigma(depth_along(1, x), c), sigma(depth_along(2, x), c)}};
  }
  const double r = radius(x);
  const double along = sigma((r - (outer_radius_ - thickness_)) / thickness_, c), across = mean_sigma(r, c);
  const Point from = minus(x, middle_);
  const double flat = std::hypot(from[0], from[1]);
  const double cos_phi = flat > 0 ? from[0] / flat : 1.0, sin_phi = flat > 0 ? from[1] / flat : 0.0;
  if (shape_ == Shape::cylinder) {
    return {.sigma = {along, across, sigma(depth_along(2, x), c)},
            .axes = {{{cos_phi, sin_phi, 0}, {-sin_phi, cos_phi, 0}, {0, 0, 1}}}};
  }
  const double cos_theta = from[2] / r, sin_theta = flat / r;
  return {.sigma = {along, across, across},
          .axes = {{{sin_theta * cos_phi, sin_theta * sin_phi, cos_theta},
                    {cos_theta * cos_phi, cos_theta * sin_phi, -sin_theta},
                    {-sin_phi, cos_phi, 0}}}};
}

Point PmlLayer::stretched(const Point& x, double kappa) const {
  const auto push = [&](double depth) { return depth <= 0 ? 0.0 : 0.5 * (kappa - 1) * thickness_ * depth * depth; };
  Point moved = x;
  for (std::size_t axis = shape_ == Shape::cylinder ? 2 : 0; axis < 3 && shape_ != Shape::sphere; ++axis) {
    moved[axis] += std::copysign(push(depth_along(axis, x)), x[axis] - middle_[axis]);
  }
  if (shape_ == Shape::box) return moved;
  const double r = radius(x), by = push((r - (outer_radius_ - thickness_)) / thickness_);
  for (std::size_t axis = 0; by > 0 && axis < (shape_ == Shape::sphere ? 3 : 2); ++axis) {
    moved[axis] += by / r * (x[axis] - middle_[axis]);
  }
  return moved;
}

void stretch_layer(Mesh& mesh, const std::vector<std::int32_t>& elements, double thickness, double kappa,
                   std::optional<PmlLayer::Shape> shape) {
  const PmlLayer layer(Discretization(mesh, 1), elements, thickness, 1.0, shape);
  for (Point& x : mesh.vertices) x = layer.stretched(x, kappa);
}

}  // namespace maxwell_dg::dg::maxwell
