#include "dg/observe/error_norms.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>

#include <Eigen/Dense>

#include "core/in_parallel.hpp"
#include "core/round_up.hpp"

namespace maxwell_dg::dg {
namespace {

/// Whether a value replaces the largest one so far. NaN does, and then stays.
bool is_larger(double value, double largest) {
  return value > largest || std::isnan(value);
}

}  // namespace

ErrorSum::ErrorSum(const Discretization& d, std::span<const std::string> fields)
    : d_(d), groups_(field_groups(fields)), field_count_(static_cast<int>(fields.size())) {
  for (const FieldGroup& group : groups_) sums_.push_back({group.name, 0, 0});
}

void ErrorSum::add(std::size_t first, std::span<const double> q, std::span<const double> q_ref) {
  const std::size_t an_element = index(d_.Np() * field_count_);
  constexpr std::size_t elements_at_once = 64;
  const std::size_t a_part = elements_at_once * an_element;
  std::vector<std::vector<ErrorNorm>> parts(ceil_divide(q.size(), a_part));
  for_each_in_parallel(parts.size(), [&](std::size_t i) {
    const std::size_t begin = i * a_part, values = std::min(a_part, q.size() - begin);
    parts[i] = of_part(first + i * elements_at_once, q.subspan(begin, values), q_ref.subspan(begin, values));
  });
  for (const std::vector<ErrorNorm>& part : parts) {
    for (std::size_t g = 0; g < sums_.size(); ++g) {
      sums_[g].l2 += part[g].l2;
      if (is_larger(part[g].linf, sums_[g].linf)) sums_[g].linf = part[g].linf;
    }
  }
}

std::vector<ErrorNorm> ErrorSum::of_part(std::size_t first, std::span<const double> q,
                                         std::span<const double> q_ref) const {
  using Nodal = Eigen::Map<const Eigen::MatrixXd>;  // [node, field] of one element after the other
  const Eigen::Index Np = d_.Np(), columns = static_cast<Eigen::Index>(q.size()) / Np;
  const Eigen::MatrixXd e = Nodal(q.data(), Np, columns) - Nodal(q_ref.data(), Np, columns);
  const Eigen::MatrixXd Me = d_.reference.M * e;
  const std::size_t elements = q.size() / index(d_.Np() * field_count_);
  std::vector<ErrorNorm> sums;
  for (const FieldGroup& group : groups_) {
    ErrorNorm sum{group.name, 0, 0};
    for (std::size_t k = 0; k < elements; ++k) {
      const bool is_curved = d_.mesh.curved.is_curved(first + k);
      Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(Np);
      double integral = 0;
      for (const int f : group.fields) {
        const Eigen::Index column = static_cast<Eigen::Index>(k) * field_count_ + f;
        integral += is_curved ? of_curved(first + k, e.col(column)) : e.col(column).dot(Me.col(column));
        squares += e.col(column).array().square();
      }
      sum.l2 += is_curved ? integral : std::abs(d_.geometry.J[first + k]) * integral;
      const double largest = std::sqrt(squares.maxCoeff<Eigen::PropagateNaN>());
      if (is_larger(largest, sum.linf)) sum.linf = largest;
    }
    sums.push_back(sum);
  }
  return sums;
}

double ErrorSum::of_curved(std::size_t k, const Eigen::VectorXd& nodal) const {
  const std::vector<double> weights = d_.volume_weights(k);
  const Eigen::ArrayXd squares = (d_.curved->quadrature.at_volume * nodal).array().square();
  return squares.matrix().dot(Eigen::Map<const Eigen::VectorXd>(weights.data(), squares.size()));
}

std::vector<ErrorNorm> ErrorSum::norms(const core::Communicator& ranks) const {
  std::vector<ErrorNorm> norms = sums_;
  for (ErrorNorm& norm : norms) {
    double is_nan = std::isnan(norm.linf) ? 1 : 0;  // which is lost among the largest
    ranks.sum({&norm.l2, 1});
    ranks.max({&norm.linf, 1});
    ranks.max({&is_nan, 1});
    if (is_nan != 0) norm.linf = std::numeric_limits<double>::quiet_NaN();
    norm.l2 = std::sqrt(norm.l2);
  }
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

std::vector<ErrorNorm> error_norms(const Operator& op, const FillElements& reference) {
  ErrorSum sum(op.part(), op.problem().system.fields);
  const std::size_t an_element = op.dofs() / op.discretization().K();
  if (&op.part() != &op.discretization()) {  // its own elements lie scattered in the whole
    sum.add(0, op.own_state(), op.own_values(reference, an_element));
    return sum.norms(op.ranks());
  }
  // By pieces: states of a mesh that is read by slices need not fit into the host's memory.
  std::vector<double> q_ref;
  op.get_state([&](std::size_t first, std::span<const double> q) {
    const std::size_t own = std::max(op.part().own(), first) - first;  // ghosts follow
    q = q.first(std::min(q.size(), own * an_element));
    if (q.empty()) return;
    q_ref.resize(q.size());
    reference(first, q_ref);
    sum.add(first, q, q_ref);
  });
  return sum.norms(op.ranks());
}

std::vector<ErrorNorm> error_norms(const Operator& op, std::span<const symbolic::Expr> reference, double t) {
  return error_norms(op, [&](std::size_t first, std::span<double> q) { op.nodal_values(reference, t, first, q); });
}

}  // namespace maxwell_dg::dg
