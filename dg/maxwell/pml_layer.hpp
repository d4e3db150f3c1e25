#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dg/maxwell/pml.hpp"

namespace maxwell_dg::dg::maxwell {

/// A layer of some thickness against the outer boundary of a mesh: how it damps at a point. The damping grows with the
/// cube of the depth d into the layer, sigma = 2 c ln(1/reflection) / thickness (d / thickness)^3, so that a wave which
/// meets it head on comes back with `reflection` on an infinitely fine mesh.
///
/// - A box damps along x, y and z, towards those sides of the mesh's bounding box on which all boundary faces belong to
///   layer elements; so a layer that stands on a conducting ground does not damp towards it.
/// - A sphere, around the middle of the bounding box, damps along the radius; for r > R the stretched radius also
///   stretches lengths across, by the mean of sigma from 0 to r.
/// - A cylinder along z damps along its radius likewise, and towards its ends by the rule for a box.
class PmlLayer {
 public:
  enum class Shape { box, sphere, cylinder };

  /// `shape` left out: a box where all outer faces of the layer are sides of the bounding box, else a sphere if their
  /// corners have one distance from the middle, else a cylinder if they have one from its axis. Throws
  /// std::invalid_argument, with what to do, for a layer that is none of these or does not reach an outer boundary.
  PmlLayer(const Discretization& discretization, const std::vector<std::int32_t>& elements, double thickness,
           double reflection, std::optional<Shape> shape = {});

  /// At a point where waves have speed c.
  [[nodiscard]] PmlProfile at(const Point& x, double c) const;
  /// Where a point comes to lie when lengths along the depth are stretched by 1 + (kappa - 1) d / thickness; points
  /// outside of the layer stay.
  [[nodiscard]] Point stretched(const Point& x, double kappa) const;

 private:
  struct Sides {
    std::array<bool, 3> low{}, high{};
  };
  [[nodiscard]] double sigma(double depth, double c) const;
  /// (1/r) times the integral of sigma from 0 to r.
  [[nodiscard]] double mean_sigma(double r, double c) const;
  [[nodiscard]] double depth_along(std::size_t axis, const Point& x) const;
  [[nodiscard]] double radius(const Point& x) const;

  Shape shape_;
  double thickness_, strength_;
  Point low_{}, high_{}, middle_{};
  double outer_radius_{};
  Sides sides_;
};

/// How thick a layer becomes by `stretch_layer`.
[[nodiscard]] constexpr double stretched_thickness(double thickness, double kappa) {
  return thickness * (1 + kappa) / 2;
}

/// Stretches a layer of a prepared mesh by real factors, from 1 at its inner face to kappa at the outer boundary: the
/// kappa of s = kappa + sigma / (i w + alpha) (Roden & Gedney 2000, Microw. Opt. Technol. Lett. 27, 334). As
/// coordinates are what that stretches, vertices move, and nothing is to be computed: fields that decay along the depth
/// without a wave fade out in as many elements as before. Throws like PmlLayer.
void stretch_layer(Mesh& mesh, const std::vector<std::int32_t>& elements, double thickness, double kappa,
                   std::optional<PmlLayer::Shape> shape = {});

}  // namespace maxwell_dg::dg::maxwell
