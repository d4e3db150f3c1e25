#include "dg/observe/error_norms.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <Eigen/Dense>

#include "dg/observe/field_groups.hpp"

namespace maxwell_dg::dg {

std::vector<ErrorNorm> error_norms(const Discretization& d, std::span<const std::string> fields,
                                   std::span<const double> q, std::span<const double> q_ref) {
  const Eigen::Index Np = d.Np();
  const auto field_count = static_cast<Eigen::Index>(fields.size());
  const std::size_t stride = static_cast<std::size_t>(Np * field_count);
  if (q.size() != d.K() * stride || q_ref.size() != q.size()) {
    throw std::invalid_argument("error_norms: q and q_ref must have K x fields x Np values");
  }
  const std::vector<FieldGroup> groups = field_groups(fields);
  std::vector<ErrorNorm> norms;
  for (const FieldGroup& group : groups) norms.push_back({group.name, 0, 0});

  using Nodal = Eigen::Map<const Eigen::MatrixXd>;  // [node, field]
  for (std::size_t k = 0; k < d.K(); ++k) {
    const Eigen::MatrixXd e = Nodal(&q[k * stride], Np, field_count) - Nodal(&q_ref[k * stride], Np, field_count);
    const Eigen::MatrixXd Me = std::abs(d.geometry.J[k]) * (d.reference.M * e);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(Np);
      for (const int f : groups[g].fields) {
        norms[g].l2 += e.col(f).dot(Me.col(f));
        squares += e.col(f).array().square();
      }
      const double largest = std::sqrt(squares.maxCoeff<Eigen::PropagateNaN>());
      if (largest > norms[g].linf || std::isnan(largest)) norms[g].linf = largest;  // keeps a NaN once seen
    }
  }
  for (ErrorNorm& norm : norms) norm.l2 = std::sqrt(norm.l2);
  return norms;
}

std::vector<ErrorNorm> error_norms(const Operator& op, std::span<const symbolic::Expr> reference, double t) {
  const std::vector<double> q_ref = op.nodal_values(reference, t);
  std::vector<double> q(op.dofs());
  op.get_state(q);
  return error_norms(op.discretization(), op.problem().system.fields, q, q_ref);
}

}  // namespace maxwell_dg::dg
