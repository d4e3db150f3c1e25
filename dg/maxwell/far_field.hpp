#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "core/mpi/communicator.hpp"
#include "dg/maxwell/homogeneous_medium.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/reference/plane_wave_sums.hpp"

/// Near field to far field by equivalent currents on a closed surface in a homogeneous medium. Phasors belong to
/// exp(+j omega t), units are those inside: the wavenumber of vacuum is omega, its impedance 1.
namespace maxwell_dg::dg::maxwell {

/// Angles in radians: theta from +z, phi from +x towards +y.
struct Direction {
  double theta{};
  double phi{};
};

/// The limit of r exp(+j k r) times the field at distance r.
struct FarField {
  std::complex<double> E_theta, E_phi;
};

/// An endless plane of a perfect conductor, on which a surface stands: it closes the surface by its mirror image, and
/// there is no field beyond it.
struct Ground {
  std::size_t axis{};  ///< the coordinate that is `at` in the plane: 0, 1, 2
  double at{};
  double side{1};  ///< 1: what radiates lies where the coordinate is larger, -1: smaller
};

/// What is around a surface: the medium outside of it; and where planes of symmetry cut it, the images that close it
/// (see mirror_images); and the ground that it stands on.
struct Surroundings {
  HomogeneousMedium medium{};
  std::vector<MirrorImage> images = mirror_images({});
  std::optional<Ground> ground{};
};

/// The far field by directions all over the sphere, with which sums over them are integrals over it.
struct FarSphere {
  std::vector<Direction> directions;
  std::vector<double> weights;
  std::vector<FarField> fields;
};

/// The currents on a closed surface, and what they radiate far away:
///
///   J = n x H,  M = -n x E,  N = integral of J exp(j k r^.x),  L = integral of M exp(j k r^.x)
///   E_theta = -j k / (4 pi) (L_phi + Z N_theta),  E_phi = j k / (4 pi) (L_theta - Z N_phi)
///
/// (Balanis, Advanced Engineering Electromagnetics, 2nd ed. 2012, section 6.8; Taflove & Hagness, Computational
/// Electrodynamics, 3rd ed. 2005, section 8.4). n points out of what is enclosed, against the elements of `faces`
/// (see enclosing_surface). `traces`: [face][Ex Ey Ez Hx Hy Hz][face node]. The traces are polynomials; with the phase
/// they are integrated by a quadrature that is exact to about 1e-10. In few directions the points are summed up for
/// each; for many, and from then on, spherical waves take the place of the points (PlaneWaveSums), which changes fields
/// by rounding. Works on all processors. `omega` gives k, omega times the refractive index. `ranks`: those that have
/// parts of the mesh, each with its own faces; all get the field of all faces, and the constructor and fields are
/// collective. Over a ground E is that of the surface and its image (Balanis, section 7.4). The constructor throws
/// std::invalid_argument for traces of another size.
class RadiatingSurface {
 public:
  RadiatingSurface(const Discretization& d, std::span<const ElementFace> faces, double omega,
                   std::span<const std::complex<double>> traces, const Surroundings& around = {},
                   const core::Communicator& ranks = {});

  /// In each direction; 0 below the ground.
  [[nodiscard]] std::vector<FarField> far_field(std::span<const Direction> directions) const;
  /// The same, but below the ground what the surface and its image radiate in open space: a smooth function.
  [[nodiscard]] std::vector<FarField> with_image(std::span<const Direction> directions) const;
  /// `with_image` all over the sphere. The sum of |E|^2 is exact for the multipoles that sources of the surface's size
  /// have.
  [[nodiscard]] FarSphere sphere() const;

  /// The mean power that is radiated, of `sphere`: the integral of |E|^2 / (2 Z), above the ground. Waves that come
  /// back from outside, as from a boundary that is not quite open, do not change it.
  [[nodiscard]] double radiated_power(const FarSphere& sphere) const;
  /// The mean power into a unit of solid angle of a far field, |E|^2 / (2 Z).
  [[nodiscard]] double intensity(const FarField& field) const;

  [[nodiscard]] bool is_above_ground(const Direction& direction) const;
  /// Of a sphere around the surface and its images.
  [[nodiscard]] double radius() const { return radius_; }
  /// The order of the multipoles that it radiates: nothing in its field is narrower than about 1 / order.
  [[nodiscard]] int multipole_order() const;

 private:
  [[nodiscard]] bool takes_spherical_waves(std::size_t directions) const;
  [[nodiscard]] const PlaneWaveSums& spherical_waves() const;
  [[nodiscard]] Eigen::MatrixXd sums_of_points(const Eigen::Matrix3Xd& directions) const;

  double k_, Z_;
  std::optional<Ground> ground_;
  core::Communicator ranks_;
  double radius_{};
  Eigen::Vector3d centre_;
  int order_{};               ///< of spherical waves around the centre
  Eigen::Matrix3Xd x_;        ///< [3][quadrature point of this rank's faces] k times the place beside the centre
  Eigen::MatrixXd currents_;  ///< [point][J, M], real then imaginary parts, weighed by the quadrature
  mutable std::optional<PlaneWaveSums> spherical_waves_;
};

}  // namespace maxwell_dg::dg::maxwell
