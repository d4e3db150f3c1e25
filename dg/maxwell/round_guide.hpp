#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "dg/maxwell/face_elements.hpp"
#include "dg/maxwell/port.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/planar_patch.hpp"

namespace maxwell_dg::dg::maxwell {

/// Faces that fill a circle, or that part of it which planes of symmetry leave.
struct Disc {
  Point centre;
  Point u, v;     ///< in its plane, u along the coordinate axis that comes first; (u, v, normal) is right-handed
  double radius;  ///< of the circle of the same area as the faces

  /// Nothing where the outline deviates from a circle by more than a thousandth, or has so few straight edges that a
  /// tenth of the circle is missing.
  [[nodiscard]] static std::optional<Disc> find(const Mesh& mesh, const PlanarPatch& patch,
                                                std::span<const SymmetryPlane> symmetry);
};

/// The transverse E of TE_mn or TM_mn in a round guide, of any size, and its cut-off: finite
/// elements (FaceElements) on the faces, that solution of -Laplace psi = k_c^2 psi which is nearest to (Pozar,
/// Microwave Engineering, 4th ed., section 3.4)
///
///   TE: J_m(j'_mn rho / a) sin(m (phi - phi_0)), no derivative at the wall; e = grad psi x normal
///   TM: J_m(j_mn rho / a) cos(m (phi - phi_0)), no value at the wall; e = grad psi, of m = 0 minus that
///
/// For m > 0, phi_0 is where the radial component of E near the axis is largest, and points outwards: along the
/// polarization, by default along u, or half a lobe further if only then it is its own image in the planes of symmetry.
/// Of tm0n, E near the axis points outwards.
struct RoundMode {
  FaceField field;
  double cutoff_wavenumber{};
};

/// Throws std::invalid_argument for a patch that is no disc, std::domain_error for n < 1, where no such solution is its
/// own image in the planes of symmetry, and where the mesh is so coarse that none is near.
[[nodiscard]] RoundMode round_mode_field(const Discretization& discretization, const std::vector<ElementFace>& faces,
                                         const PlanarPatch& patch, ModeKind kind, int m, int n,
                                         std::span<const SymmetryPlane> symmetry,
                                         const std::optional<Point>& polarization);

}  // namespace maxwell_dg::dg::maxwell
