#pragma once

#include <complex>
#include <span>

#include "dg/maxwell/port.hpp"

/// What a lumped port's film takes of a field that is not that of a voltage (docs/theory.md, Lumped ports).
namespace maxwell_dg::dg::maxwell {

/// Of a mode whose faces, both sides of each that lies inside the mesh, are numbered as in the discretization; its part
/// in the mesh is one of so many equal ones.
[[nodiscard]] FilmQuadrature film_quadrature(const Discretization& discretization, const PortMode& mode, double parts);

/// The mean power Y_s |E* - V e|^2 / 2, integrated over the film of a lumped port: what it takes beside V and I, from
/// the unevenness of the field in its gap. E* is the field in which what goes out of both sides of the film meets, by
/// the fields inside, [face][field][face node], with V of the mode (modal_amplitudes). 0 of other ports.
[[nodiscard]] double power_of_unevenness(const Port& port, bool driven, std::span<const std::complex<double>> traces,
                                         std::complex<double> V);

}  // namespace maxwell_dg::dg::maxwell
