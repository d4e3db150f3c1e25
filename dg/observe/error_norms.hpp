#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "dg/observe/files/field_groups.hpp"
#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {

/// The absolute error of a quantity against a reference; |.| is the length of a vector.
struct ErrorNorm {
  std::string name;  ///< "E"
  /// sqrt of the integral of |q - q_ref|^2, of the difference's nodal interpolant: exact, on curved elements by
  /// quadrature with their maps.
  double l2;
  double linf;  ///< largest |q - q_ref| at a node
};

/// Sums up errors over the mesh, some elements at a time.
class ErrorSum {
 public:
  /// `fields`: the system's. `d` must outlive the sum.
  ErrorSum(const Discretization& d, std::span<const std::string> fields);

  /// Adds the errors of `q` against `q_ref`, both [element][field][node], for elements from `first` on.
  void add(std::size_t first, std::span<const double> q, std::span<const double> q_ref);
  /// A norm for each of `field_groups(fields)`, in that order: of what all ranks have added. Collective.
  [[nodiscard]] std::vector<ErrorNorm> norms(const core::Communicator& ranks = {}) const;

 private:
  /// The integral of the square of a polynomial, by its nodal values, over curved element k.
  [[nodiscard]] double of_curved(std::size_t k, const Eigen::VectorXd& nodal) const;
  [[nodiscard]] std::vector<ErrorNorm> of_part(std::size_t first, std::span<const double> q,
                                               std::span<const double> q_ref) const;

  const Discretization& d_;
  std::vector<FieldGroup> groups_;
  int field_count_;
  std::vector<ErrorNorm> sums_;  ///< with l2 squared
};

/// The errors of nodal values `q` against `q_ref`, both [element][field][node], on the whole mesh; a norm for each of
/// `field_groups(fields)`.
[[nodiscard]] std::vector<ErrorNorm> error_norms(const Discretization& d, std::span<const std::string> fields,
                                                 std::span<const double> q, std::span<const double> q_ref);

/// The errors of the present state against nodal values. Each of several ranks sums up those of its own elements.
/// Collective.
[[nodiscard]] std::vector<ErrorNorm> error_norms(const Operator& op, const FillElements& reference);

/// The errors of the present state against expressions, [field], of coordinates and time. Collective.
[[nodiscard]] std::vector<ErrorNorm> error_norms(const Operator& op, std::span<const symbolic::Expr> reference,
                                                 double t);

}  // namespace maxwell_dg::dg
