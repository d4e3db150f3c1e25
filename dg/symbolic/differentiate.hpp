#pragma once

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg::symbolic {

/// d expression / d variable, by the rules of calculus. All other symbols are constants, fields too. The derivative of
/// abs, min and max is that of the branch which gives the value; where both branches have the same value, a mean of
/// their derivatives.
[[nodiscard]] Expr differentiate(const Expr& expression, const Symbol& variable);

/// The derivatives with respect to the time, and to x, y or z (axis 0, 1, 2).
[[nodiscard]] Expr time_derivative(const Expr& expression);
[[nodiscard]] Expr space_derivative(const Expr& expression, int axis);

}  // namespace maxwell_dg::dg::symbolic
