#include "dg/observe/error_norms.hpp"

#include <cmath>
#include <cstddef>
#include <stdexcept>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

ErrorSum::ErrorSum(const Discretization& d, std::span<const std::string> fields)
    : d_(d), groups_(field_groups(fields)), field_count_(static_cast<int>(fields.size())) {
  for (const FieldGroup& group : groups_) sums_.push_back({group.name, 0, 0});
}

void ErrorSum::add(std::size_t first, std::span<const double> q, std::span<const double> q_ref) {
  using Nodal = Eigen::Map<const Eigen::MatrixXd>;  // [node, field]
  const Eigen::Index Np = d_.Np();
  const std::size_t stride = index(d_.Np() * field_count_);
  for (std::size_t k = 0; k < q.size() / stride; ++k) {
    const Eigen::MatrixXd e = Nodal(&q[k * stride], Np, field_count_) - Nodal(&q_ref[k * stride], Np, field_count_);
    const Eigen::MatrixXd Me = std::abs(d_.geometry.J[first + k]) * (d_.reference.M * e);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(Np);
      for (const int f : groups_[g].fields) {
        sums_[g].l2 += e.col(f).dot(Me.col(f));
        squares += e.col(f).array().square();
      }
      const double largest = std::sqrt(squares.maxCoeff<Eigen::PropagateNaN>());
      if (largest > sums_[g].linf || std::isnan(largest)) sums_[g].linf = largest;  // keeps a NaN once seen
    }
  }
}

std::vector<ErrorNorm> ErrorSum::norms() const {
  std::vector<ErrorNorm> norms = sums_;
  for (ErrorNorm& norm : norms) norm.l2 = std::sqrt(norm.l2);
  return norms;
}

std::vector<ErrorNorm> error_norms(const Discretization& d, std::span<const std::string> fields,
                                   std::span<const double> q, std::span<const double> q_ref) {
  if (q.size() != d.K() * fields.size() * static_cast<std::size_t>(d.Np()) || q_ref.size() != q.size()) {
    throw std::invalid_argument("error_norms: q and q_ref must have K x fields x Np values");
  }
  ErrorSum sum(d, fields);
  sum.add(0, q, q_ref);
  return sum.norms();
}

std::vector<ErrorNorm> error_norms(const Operator& op, std::span<const symbolic::Expr> reference, double t) {
  ErrorSum sum(op.discretization(), op.problem().system.fields);
  std::vector<double> q_ref;
  op.get_state([&](std::size_t first, std::span<const double> q) {
    q_ref.resize(q.size());
    op.nodal_values(reference, t, first, q_ref);
    sum.add(first, q, q_ref);
  });
  return sum.norms();
}

}  // namespace maxwell_dg::dg
