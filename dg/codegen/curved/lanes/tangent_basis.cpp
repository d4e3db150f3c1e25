#include "dg/codegen/curved/lanes/tangent_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "dg/lowering/affine_map.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Variance = ElementBasis::Variance;

namespace {

Expr number_at_node(int i) {
  return Expr(LoweredSymbol{.kind = LoweredSymbol::Kind::invariant, .number = i});
}

Vector tangent_at_node(int a) {
  return {number_at_node(3 * a), number_at_node(3 * a + 1), number_at_node(3 * a + 2)};
}

/// J grad r_a
Vector scaled_gradient(int a) {
  return cross(tangent_at_node((a + 1) % 3), tangent_at_node((a + 2) % 3));
}

Expr field_at_node(int f) {
  return Expr(Symbol{.kind = Symbol::Kind::field, .index = f});
}

}  // namespace

bool TangentBasis::has_contravariant() const {
  return std::ranges::any_of(basis_.quantities,
                             [](const auto& quantity) { return quantity.variance == Variance::contravariant; });
}

std::vector<double> TangentBasis::numbers(const CurvedGeometry::Gradients& gradients) const {
  const std::array<double, 18> metric = metric_values(gradients);
  double inverse_J = 0;
  for (std::size_t i = 0; i < 3; ++i) inverse_J += metric.at(i) * metric.at(9 + i);
  std::vector<double> numbers;
  for (std::size_t i = 9; i < metric.size(); ++i) numbers.push_back(metric.at(i) / inverse_J);
  numbers.push_back(inverse_J);
  if (has_contravariant()) numbers.push_back(std::copysign(1.0, inverse_J));
  return numbers;
}

std::vector<Expr> TangentBasis::stored() const {
  std::vector<Expr> result;
  for (const auto& [variance, f] : basis_.quantities) {
    if (variance == Variance::scalar) {
      result.push_back(field_at_node(f));
      continue;
    }
    const Vector v{field_at_node(f), field_at_node(f + 1), field_at_node(f + 2)};
    for (int a = 0; a < 3; ++a) {
      result.push_back(variance == Variance::covariant ? dot(tangent_at_node(a), v)
                                                       : dot(number_at_node(of_sign) * scaled_gradient(a), v));
    }
  }
  return result;
}

std::vector<Expr> TangentBasis::cartesian() const {
  std::vector<Expr> result;
  for (const auto& [variance, f] : basis_.quantities) {
    if (variance == Variance::scalar) {
      result.push_back(field_at_node(f));
      continue;
    }
    Vector v;
    for (int a = 0; a < 3; ++a) {
      const Vector along = variance == Variance::covariant
                               ? number_at_node(of_inverse_J) * scaled_gradient(a)
                               : (number_at_node(of_sign) * number_at_node(of_inverse_J)) * tangent_at_node(a);
      v = v + field_at_node(f + a) * along;
    }
    for (int axis = 0; axis < 3; ++axis) result.push_back(v[axis]);
  }
  return result;
}

}  // namespace maxwell_dg::dg
