#pragma once

#include <array>
#include <cstddef>

#include "dg/mesh/mesh.hpp"

/// Round guides and coaxial lines along z, without a mesh generator.
namespace maxwell_dg::testing {

/// A mesh and its mirror image in the plane where a coordinate is 0; not prepared.
[[nodiscard]] dg::Mesh with_mirror_image(const dg::Mesh& part, std::size_t axis);

struct RoundGuide {
  double inner = 0;  ///< radius; 0: hollow. Whole multiples of outer / cells
  double outer = 1;  ///< radius
  double length = 1;
  int cells = 2;                          ///< along the outer radius
  int layers = 2;                         ///< along z
  int order = 4;                          ///< of the geometry; 1: straight elements, vertices on the circles
  std::array<bool, 2> whole{true, true};  ///< along x, y; otherwise the half where the coordinate is positive
};

/// Region `interior`, surfaces `z_min`, `z_max`, `wall`; `x_min`, `y_min` where it is cut; prepared.
[[nodiscard]] dg::Mesh make_round_guide(const RoundGuide& guide);

}  // namespace maxwell_dg::testing
