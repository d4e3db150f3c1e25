#include "tests/support/energy_rate.hpp"

#include <cmath>
#include <numeric>

#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg::testing {

std::vector<double> rhs_of(const ReferenceOperator& op, const std::vector<double>& q, double t) {
  std::vector<double> rhs(q.size());
  op.rhs(q, t, rhs);
  return rhs;
}

std::vector<double> energy_matrix(const ReferenceOperator& op, const std::vector<double>& q) {
  std::vector<double> result(q.size());
  op.apply_energy_matrix(q, result);
  return result;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double energy_rate(const ReferenceOperator& op) {
  const std::vector<double> q = random_values(op.size()), rhs = rhs_of(op, q), Mq = energy_matrix(op, q);
  return dot(Mq, rhs) / std::sqrt(dot(Mq, q) * dot(energy_matrix(op, rhs), rhs));
}

}  // namespace maxwell_dg::dg::testing
