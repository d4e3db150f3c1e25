#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dg/observe/files/field_groups.hpp"
#include "dg/operator/operator.hpp"

namespace maxwell_dg::dg {

/// How far a quantity is from a reference: absolute, |.| being the length of a vector field.
struct ErrorNorm {
  std::string name;  ///< "E"
  double l2;         ///< sqrt of the integral of |q - q_ref|^2, exact for the difference's nodal interpolant
  double linf;       ///< largest |q - q_ref| at a node
};

/// Adds errors up, a piece of the elements at a time.
class ErrorSum {
 public:
  /// `d` outlives it.
  ErrorSum(const Discretization& d, std::span<const std::string> fields);

  /// Of elements from `first` on, `q` against `q_ref`, both [element][field][node].
  void add(std::size_t first, std::span<const double> q, std::span<const double> q_ref);
  /// One for each of `field_groups(fields)`, in that order.
  [[nodiscard]] std::vector<ErrorNorm> norms() const;

 private:
  [[nodiscard]] std::vector<ErrorNorm> of_part(std::size_t first, std::span<const double> q,
                                               std::span<const double> q_ref) const;

  const Discretization& d_;
  std::vector<FieldGroup> groups_;
  int field_count_;
  std::vector<ErrorNorm> sums_;  ///< of squares, in place of l2
};

/// Of nodal values `q` against `q_ref`, both [element][field][node]; one norm for each of `field_groups(fields)`.
[[nodiscard]] std::vector<ErrorNorm> error_norms(const Discretization& d, std::span<const std::string> fields,
                                                 std::span<const double> q, std::span<const double> q_ref);

/// Of the present state against expressions [field] of coordinates and time.
[[nodiscard]] std::vector<ErrorNorm> error_norms(const Operator& op, std::span<const symbolic::Expr> reference,
                                                 double t);

}  // namespace maxwell_dg::dg
