#pragma once

#include <optional>
#include <string>

#include "dg/mesh/connectivity.hpp"

namespace maxwell_dg::dg {

/// The boundary face next to a point, curved as it is.
struct NearestBoundary {
  double distance{};
  Point at{};           ///< the nearest point of it
  std::string surface;  ///< its name, empty: it has none
};

/// Of a point that lies in a hole of the mesh, the hole's boundary. Nothing where the mesh has no boundary (all is
/// periodic). O(boundary faces).
[[nodiscard]] std::optional<NearestBoundary> nearest_boundary(const Mesh& mesh, const Connectivity& connectivity,
                                                              const Point& x);

/// Why there is no element at a point, for a message: "lies outside of the mesh, which spans (...) to (...) m", or
/// where the mesh has a hole "lies in no element: ... its nearest boundary is 'metal', 0.01 m away, at (...) m: inside
/// 'metal', or behind it?".
/// `unit`: " m", or nothing.
[[nodiscard]] std::string outside_text(const Mesh& mesh, const Connectivity& connectivity, const Point& x,
                                       const std::string& unit);

}  // namespace maxwell_dg::dg
