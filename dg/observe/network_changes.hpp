#pragma once

#include <span>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// Scattering parameters of the same device with other reference planes: `radians` [port] is the phase that a wave
/// gains between the old plane and the new one, positive where the new one is nearer to the device.
[[nodiscard]] Eigen::MatrixXcd with_planes_shifted(const Eigen::MatrixXcd& S, std::span<const double> radians);

/// The same for other reference impedances, all real. With V = sqrt(Z) (a + b) and I = (a - b) / sqrt(Z) of each port,
///
///   a' = ((Z + Z') a + (Z - Z') b) / (2 sqrt(Z Z')),  b' = ((Z - Z') a + (Z + Z') b) / (2 sqrt(Z Z'))
///
/// (Kurokawa, IEEE Trans. Microwave Theory Tech. 13, 1965), and b' = S' a' for all a. `from`: [port].
[[nodiscard]] Eigen::MatrixXcd with_reference(const Eigen::MatrixXcd& S, std::span<const double> from, double to);

}  // namespace maxwell_dg::dg
