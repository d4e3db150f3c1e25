#include "dg/maxwell/antenna.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Geometry>

namespace maxwell_dg::dg::maxwell {
namespace {

using Complex = std::complex<double>;
using RealVector = Eigen::Vector3d;
using std::numbers::pi;

/// Unit vectors of a direction.
struct Axes {
  RealVector r, theta, phi;
};
Axes axes_of(const Direction& d) {
  const double st = std::sin(d.theta), ct = std::cos(d.theta), sp = std::sin(d.phi), cp = std::cos(d.phi);
  return {{st * cp, st * sp, ct}, {ct * cp, ct * sp, -st}, {-sp, cp, 0}};
}

/// phi from 0 to below 2 pi, 0 where rounding alone has it below.
Direction direction_of(const RealVector& v) {
  constexpr double rounding = 1e-9;
  const double phi = std::atan2(v[1], v[0]);
  return {std::atan2(std::hypot(v[0], v[1]), v[2]), phi < -rounding ? phi + 2 * pi : std::max(phi, 0.0)};
}

std::vector<double> intensities(const RadiatingSurface& surface, const std::vector<Direction>& directions) {
  std::vector<double> result;
  for (const FarField& field : surface.with_image(directions)) result.push_back(surface.intensity(field));
  return result;
}

/// Of the strongest, the first over phi, then theta.
Direction strongest(const RadiatingSurface& surface, const FarSphere& sphere) {
  constexpr double as_strong = 1 - 1e-3;
  double largest = 0;
  for (const FarField& field : sphere.fields) largest = std::max(largest, surface.intensity(field));
  const Direction* first = nullptr;
  for (std::size_t i = 0; i < sphere.fields.size(); ++i) {
    const Direction& here = sphere.directions[i];
    if (!surface.is_above_ground(here) || surface.intensity(sphere.fields[i]) < as_strong * largest) continue;
    if (first == nullptr || here.phi < first->phi || (here.phi == first->phi && here.theta < first->theta)) {
      first = &here;
    }
  }
  return first == nullptr ? Direction{} : *first;
}

/// Goes up to the maximum of the parabola through nine directions, a distance apart, in a plane that touches the
/// sphere.
Direction climb(const RadiatingSurface& surface, const Direction& from, double distance) {
  const Axes axes = axes_of(from);
  std::vector<Direction> stencil;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) stencil.push_back(direction_of(axes.r + distance * (i * axes.theta + j * axes.phi)));
  }
  const std::vector<double> u = intensities(surface, stencil);
  const auto at = [&](int i, int j) { return u[static_cast<std::size_t>(3 * (i + 1) + j + 1)]; };
  const Eigen::Vector2d slope(at(1, 0) - at(-1, 0), at(0, 1) - at(0, -1));  // times 2 distance, as the curvature
  Eigen::Matrix2d curvature;
  curvature << 2 * (at(1, 0) - 2 * at(0, 0) + at(-1, 0)), 0, 0, 2 * (at(0, 1) - 2 * at(0, 0) + at(0, -1));
  curvature(0, 1) = curvature(1, 0) = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(curvature);
  Eigen::Vector2d step = Eigen::Vector2d::Zero();
  for (Eigen::Index e = 0; e < 2; ++e) {
    if (solver.eigenvalues()[e] > -1e-6 * at(0, 0) * distance * distance) continue;  // as strong all along it
    const Eigen::Vector2d along = solver.eigenvectors().col(e);
    step += std::clamp(-along.dot(slope) / solver.eigenvalues()[e], -1.5, 1.5) * along;
  }
  return direction_of(axes.r + distance * (step[0] * axes.theta + step[1] * axes.phi));
}

/// Along E, or along the major axis of its ellipse.
RealVector major_axis(const FarField& field, const Direction& direction) {
  const Axes axes = axes_of(direction);
  const Complex square = field.E_theta * field.E_theta + field.E_phi * field.E_phi;
  const Complex turn = std::abs(square) > 0 ? std::polar(1.0, -std::arg(square) / 2) : Complex(1);
  const RealVector major = (turn * field.E_theta).real() * axes.theta + (turn * field.E_phi).real() * axes.phi;
  return major.norm() > 0 ? RealVector(major.normalized()) : axes.theta;
}

/// The angle from a direction towards another, to where the intensity has fallen below half of `largest`.
std::optional<double> half_power(const RadiatingSurface& surface, const RealVector& from, const RealVector& towards,
                                 double largest) {
  const auto at = [&](double angle) { return direction_of(std::cos(angle) * from + std::sin(angle) * towards); };
  double begin = 0, end = pi;
  constexpr int pieces = 64;
  for (int pass = 0; pass < 2; ++pass) {
    const int count = pass == 0 ? std::max(pieces, 4 * surface.multipole_order()) : pieces;
    std::vector<Direction> directions;
    for (int i = 0; i <= count; ++i) directions.push_back(at(begin + (end - begin) * i / count));
    const std::vector<double> u = intensities(surface, directions);
    const auto below = std::ranges::find_if(u.begin() + 1, u.end(), [&](double x) { return x < largest / 2; });
    if (below == u.end()) return std::nullopt;
    const double step = (end - begin) / count, above = *(below - 1);
    begin += step * static_cast<double>(below - 1 - u.begin());
    end = begin + step;
    if (pass == 1) begin += step * (above - largest / 2) / (above - *below);
  }
  return surface.is_above_ground(at(begin)) ? std::optional(begin) : std::nullopt;
}

std::optional<double> beam_width(const RadiatingSurface& surface, const RealVector& from, const RealVector& towards,
                                 double largest) {
  const auto one = half_power(surface, from, towards, largest), other = half_power(surface, from, -towards, largest);
  if (!one || !other) return std::nullopt;
  return *one + *other;
}

}  // namespace

MainLobe main_lobe(const RadiatingSurface& surface, const FarSphere& sphere) {
  Direction direction = strongest(surface, sphere);
  for (const double part : {1.0, 1.0, 0.5, 0.2, 0.05}) {
    direction = climb(surface, direction, part / surface.multipole_order());
  }
  MainLobe lobe{.direction = direction};
  const std::array there{direction};
  const FarField field = surface.with_image(there).front();
  lobe.intensity = surface.intensity(field);
  const RealVector r = axes_of(direction).r, E = major_axis(field, direction);
  const Direction opposite = direction_of(-r);
  if (surface.is_above_ground(opposite)) lobe.backward = intensities(surface, {opposite}).front();
  lobe.width_E = beam_width(surface, r, E, lobe.intensity);
  lobe.width_H = beam_width(surface, r, r.cross(E), lobe.intensity);
  return lobe;
}

Polarizations polarizations(const FarField& field, const Direction& direction, const PolarizationReference& reference) {
  const Axes axes = axes_of(direction);
  const RealVector b(reference.boresight.data()), p(reference.along.data());
  const double opposite = 1 + b.dot(axes.r);  // 0 where all great circles meet again, in whose limit from p this is
  const RealVector co = opposite > 1e-12 ? RealVector(p - p.dot(axes.r) / opposite * (b + axes.r)) : RealVector(-p);
  const RealVector cross = axes.r.cross(co);
  const auto along = [&](const RealVector& v) {
    return field.E_theta * v.dot(axes.theta) + field.E_phi * v.dot(axes.phi);
  };
  const Complex j(0, 1);
  Polarizations result{.co = along(co),
                       .cross = along(cross),
                       .right = (field.E_theta + j * field.E_phi) / std::numbers::sqrt2,
                       .left = (field.E_theta - j * field.E_phi) / std::numbers::sqrt2};
  const double right = std::abs(result.right), left = std::abs(result.left), minor = std::abs(right - left);
  result.axial_ratio = minor > 0 ? (right + left) / minor : std::numeric_limits<double>::infinity();
  return result;
}

}  // namespace maxwell_dg::dg::maxwell
