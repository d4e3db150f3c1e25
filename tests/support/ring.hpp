#pragma once

#include "dg/mesh/mesh.hpp"

/// Rings around z of few elements, in which as few as one spans a right angle.
namespace maxwell_dg::dg::testing {

/// From a rod that is cut out, of radius 0.3, to an outer boundary of radius 1: a quarter in `around` elements, where x
/// and y are positive, or what its mirror images in x and then in y make of it.
struct Ring {
  int around = 1, order = 1;  ///< of the geometry: 1 has straight elements, vertices on the circles
  int images = 0;             ///< 0, 1 or 2
  int across = 1;             ///< cells along the radius
  int layers = 3;             ///< along z, from 0
  double height = 0.9;
  double shield = 0;  ///< the radius of a wall of thin metal in the upper half, between cells; 0: there is none
};
[[nodiscard]] Mesh ring_mesh(const Ring& ring);

}  // namespace maxwell_dg::dg::testing
