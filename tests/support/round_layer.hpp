#pragma once

#include <cstdint>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::testing {

enum class PartOfBall { whole, half, eighth };

struct RoundLayerShape {
  PartOfBall part = PartOfBall::eighth;
  int order = 2;      ///< of the maps of elements
  int divisions = 1;  ///< of each edge of the octahedron from which the ball is made
  unsigned seed = 0;  ///< with another than 0 the elements of a half and of a whole ball are sheared
  double uneven = 0;  ///< part of the radius by which the inner face of the shell deviates from a sphere
  /// Of an eighth with two divisions: around the z axis a guide of thin metal, without a PML in it, leads from the core
  /// through the shell.
  bool has_feed = false;
  /// Elements across the shell. Where there are two, `order` is 2 and nothing is uneven; only edges of the outer
  /// boundary are curved, and so two of the seven elements of each triangle are.
  int layers = 1;
};

/// A ball of radius 1.6, or its half or eighth with z, or all coordinates, above 0: a core, and around it a shell from
/// radius 1 outwards that is to be a PML, of curved elements where it is one across. Each octant has one element of the
/// core for each triangle of its part of the octahedron, and three of each layer of the shell.
struct RoundLayer {
  Mesh mesh;                        ///< surfaces unnamed, but for the guide's `shield`, a wall
  std::vector<std::int32_t> layer;  ///< elements of the shell that are to be a PML, ascending
  double thickness{};
};
[[nodiscard]] RoundLayer round_layer(const RoundLayerShape& shape);

/// Makes two regions of it, `core` and `shell`.
void name_core_and_shell(RoundLayer& round);

/// Lets straight elements of the shell count as curved, as the program does amid curved ones.
void count_layer_as_curved(RoundLayer& round);

/// Makes the outer end of the guide absorbing; returns how many faces that are.
int absorb_at_end_of_feed(const Discretization& discretization, Problem& problem);

}  // namespace maxwell_dg::dg::testing
