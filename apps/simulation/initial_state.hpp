#pragma once

#include <optional>
#include <vector>

#include "apps/simulation/plan.hpp"
#include "dg/observe/error_norms.hpp"

namespace maxwell_dg::simulation {

/// Interpolates the config's initial fields. Throws ConfigError with the place in the mesh where an expression is no
/// finite number (a division by zero, a logarithm of a negative number).
void set_initial_state(const Plan& plan, dg::Operator& op);

/// Expressions of fields, [field].
struct Formulas {
  std::vector<dg::symbolic::Expr> real;
  std::vector<dg::symbolic::Expr> imaginary{};  ///< of complex fields; empty: zero
};

/// The reference solution's, after the same check at the first and the last moment.
[[nodiscard]] std::optional<Formulas> reference_solution(const Plan& plan, const dg::Operator& op);

/// Errors of the present state in the config's units; of complex fields, both parts.
[[nodiscard]] std::vector<dg::ErrorNorm> reference_errors(const Plan& plan, const dg::Operator& op,
                                                          const Formulas& reference, double t);

}  // namespace maxwell_dg::simulation
