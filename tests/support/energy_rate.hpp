#pragma once

#include <vector>

#include "dg/lowering/reference_operator.hpp"

/// How the energy of the scheme changes, by the reference operator.
namespace maxwell_dg::dg::testing {

[[nodiscard]] std::vector<double> rhs_of(const ReferenceOperator& op, const std::vector<double>& q, double t = 0);
/// The matrix of the energy (ReferenceOperator::apply_energy_matrix), times q.
[[nodiscard]] std::vector<double> energy_matrix(const ReferenceOperator& op, const std::vector<double>& q);
[[nodiscard]] double dot(const std::vector<double>& a, const std::vector<double>& b);
/// q^T M rhs(q) of random q, over the norms of q and of rhs(q) in M, the matrix of the energy.
[[nodiscard]] double energy_rate(const ReferenceOperator& op);

}  // namespace maxwell_dg::dg::testing
