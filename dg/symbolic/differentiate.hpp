#pragma once

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg::symbolic {

/// d expression / d variable, by the rules of calculus. Of abs, min and max it is that of the branch taken; where
/// branches meet, of one between them. Other symbols count as constants: fields too.
[[nodiscard]] Expr differentiate(const Expr& expression, const Symbol& variable);

/// The same with respect to the time, and to x, y or z.
[[nodiscard]] Expr time_derivative(const Expr& expression);
[[nodiscard]] Expr space_derivative(const Expr& expression, int axis);

}  // namespace maxwell_dg::dg::symbolic
