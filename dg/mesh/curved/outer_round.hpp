#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/fitted_round.hpp"
#include "dg/mesh/mesh.hpp"

/// The sphere, or the cylinder along z, that an outer boundary is, where other boundary faces may lie within it: those
/// of a rod or of a feed that is cut out of the mesh.
namespace maxwell_dg::dg {

/// The corners of a face of a cell, and then the nodes of its curved map that are not where a flat face has them, by
/// more than `margin`.
[[nodiscard]] std::vector<Point> points_of(const Mesh& mesh, std::size_t cell, std::size_t face, double margin);

/// Boundary faces, by what tells on which round they lie.
struct RoundFaces {
  struct Face {
    std::array<Point, 3> corners{};
    std::array<Point, 3> normals{};  ///< outward, in the middle of the edge from a corner to the next
    std::int32_t nodes{};            ///< how many nodes of its curved map are not where a flat face has them
  };
  std::vector<Face> faces;
  std::vector<Point> nodes;  ///< these nodes, face by face

  /// A face of a cell. `margin`: see points_of.
  void add(const Mesh& mesh, std::size_t cell, std::size_t face, double margin);
  /// What all ranks have. Collective.
  [[nodiscard]] RoundFaces of_all(const core::Communicator& ranks) const;
};

struct OuterRound {
  bool is_sphere{};  ///< or a cylinder along z
  FittedRound round;

  /// Of a point, from the centre or the axis.
  [[nodiscard]] Point outwards(const Point& x) const;
  [[nodiscard]] double radius_of(const Point& x) const { return length(outwards(x)); }
};

/// "a cylinder along z around (x, y, z) of radius R"
[[nodiscard]] std::string text_of(const OuterRound& round);

/// The better of the sphere and the cylinder through all corners and curved nodes.
struct NearestRound {
  bool is_sphere{};
  double deviation{};   ///< over the radius; 1 where they determine neither
  std::string how_far;  ///< of both: "deviate by up to ... from a sphere and ... from a cylinder along z of the radius"
};
[[nodiscard]] NearestRound nearest_round(const RoundFaces& of);

struct OuterRounds {
  std::vector<OuterRound> rounds;  ///< each once
  bool are_others_rods{};          ///< Do all faces that are on none of these lie on rounds from outside?
};

/// The rounds on which boundary faces lie from within, as `accept` has them, and not those on which they lie from
/// outside, like the faces of a rod. Each is fitted to faces alone that join along edges, at first where they do so
/// smoothly, and if that finds none, all that join: points of an outer boundary and of a rod within it may happen to
/// lie on a round that is neither, as the four corners of a quarter of a ring do, but they do not join. Faces lie on a
/// round where all their corners and curved nodes deviate from it by at most `tolerance` of the radius. Of those that
/// one leads through any of (up to three points across the axis of a cylinder, four on a sphere) their normals have to
/// tell: those of curved faces do. Where faces lie on both a sphere and a cylinder, it is the cylinder.
/// `is_sphere`: look for spheres alone, or cylinders. Points nearer to each other than `margin` count once.
[[nodiscard]] OuterRounds outer_rounds(const RoundFaces& of, double tolerance, double margin,
                                       std::optional<bool> is_sphere,
                                       const std::function<bool(const OuterRound&)>& accept);

}  // namespace maxwell_dg::dg
