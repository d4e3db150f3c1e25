#pragma once

#include <complex>
#include <span>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/maxwell/homogeneous_medium.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/enclosing_surface.hpp"

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

/// What is around a surface: the medium outside of it; and where planes of symmetry cut it, the images that close it
/// (see mirror_images).
struct Surroundings {
  HomogeneousMedium medium{};
  std::vector<MirrorImage> images = mirror_images({});
};

/// The field far away, in each direction, of what radiates inside of a closed surface:
///
///   J = n x H,  M = -n x E,  N = integral of J exp(j k r^.x),  L = integral of M exp(j k r^.x)
///   E_theta = -j k / (4 pi) (L_phi + Z N_theta),  E_phi = j k / (4 pi) (L_theta - Z N_phi)
///
/// (Balanis, Advanced Engineering Electromagnetics, 2nd ed. 2012, section 6.8; Taflove & Hagness, Computational
/// Electrodynamics, 3rd ed. 2005, section 8.4). n points out of what is enclosed, against the elements of `faces`
/// (see enclosing_surface). `traces`: [face][Ex Ey Ez Hx Hy Hz][face node]. The traces are polynomials; with the phase
/// they are integrated by a quadrature that is exact to about 1e-10. Works on all processors. `omega` gives
/// k, omega times the refractive index. `ranks`: those that have parts of the mesh, each with its own faces; all get
/// the field of all faces, and the call is collective. Throws std::invalid_argument for traces of another size.
[[nodiscard]] std::vector<FarField> far_field(const Discretization& d, std::span<const ElementFace> faces, double omega,
                                              std::span<const std::complex<double>> traces,
                                              std::span<const Direction> directions, const Surroundings& around = {},
                                              const core::Communicator& ranks = {});

/// The mean power that is radiated: half the integral of |E|^2 of the far field over all directions, by a quadrature
/// that is exact for the multipoles that sources of the surface's size have. Waves that come back from outside, as from
/// a boundary that is not quite open, do not change it. Of several ranks as far_field.
[[nodiscard]] double radiated_power(const Discretization& d, std::span<const ElementFace> faces, double omega,
                                    std::span<const std::complex<double>> traces, const Surroundings& around = {},
                                    const core::Communicator& ranks = {});

}  // namespace maxwell_dg::dg::maxwell
