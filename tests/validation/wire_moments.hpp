#pragma once

#include <complex>

namespace maxwell_dg::testing {

/// A dipole of a tube of metal without thickness, along its axis from -half to half, open at both ends, fed across its
/// middle from -gap/2 to gap/2. Lengths in metres.
struct TubeDipole {
  double half, radius, gap;
};

/// The input impedance in ohm of the tube in vacuum, by the method of moments: Pocklington's equation for the current
/// on the tube, in and out together, with the exact kernel (the mean around the tube of exp(-jkR)/(4 pi R)), on the
/// whole length, where E along the axis vanishes but in the gap, and is even there, with a voltage of 1 (R. F.
/// Harrington, Field Computation by Moment Methods, 1968, chapter 4). Trial and test functions are triangles of the
/// same width, of which `in_gap` go into the gap, an even number; the error falls with their width, so two solutions
/// are extrapolated.
[[nodiscard]] std::complex<double> impedance_of(const TubeDipole& dipole, double frequency, int in_gap = 20);

}  // namespace maxwell_dg::testing
