#pragma once

#include <functional>
#include <vector>

#include <Eigen/Core>

#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/system.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg::maxwell {

/// How the media of a system enter Maxwell's equations.
struct Medium {
  /// (1/divisor) epsilon^-1 v and (1/divisor) mu^-1 v, in the element.
  std::function<symbolic::Vector(const symbolic::Vector&v, const symbolic::Expr&divisor)> over_epsilon, over_mu;
  /// The smallest eigenvalues, on one side of a face: they bound the speed, and their quotient is the flux's impedance.
  std::function<symbolic::Expr(symbolic::Side)> epsilon, mu;
  /// Of a wave along `n`, in the element: of the traces of both tensors across n.
  std::function<symbolic::Expr(const symbolic::Vector& n)> impedance_along;
  symbolic::ParameterField sigma;
  /// Energies of E, by epsilon, and of H, by mu.
  System::Energy electric, magnetic;
};

/// Scalars: parameters epsilon_r, mu_r, sigma.
[[nodiscard]] Medium isotropic(System& system);

/// Symmetric tensors: parameters epsilon_r and mu_r (the mean eigenvalues), sigma, then epsilon_xx epsilon_yy
/// epsilon_zz epsilon_yz epsilon_xz epsilon_xy, the same of mu, and epsilon_min and mu_min, the smallest eigenvalues.
[[nodiscard]] Medium anisotropic(System& system);

/// sqrt(mu / epsilon) of either system, as the flux takes it.
[[nodiscard]] symbolic::Expr impedance(const System& system, symbolic::Side side);

/// The parameters of one element of an anisotropic system, in the order above. Throws std::invalid_argument for a
/// tensor that is not symmetric or not positive definite.
[[nodiscard]] std::vector<double> anisotropic_parameters(const Eigen::Matrix3d& epsilon_r, const Eigen::Matrix3d& mu_r,
                                                         double sigma);

/// The smallest eigenvalue of a symmetric tensor.
[[nodiscard]] double smallest_eigenvalue(const Eigen::Matrix3d& tensor);

}  // namespace maxwell_dg::dg::maxwell
