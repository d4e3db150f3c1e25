#include "dg/lowering/tensor_weights.hpp"

#include <algorithm>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

using namespace symbolic;
using Variance = ElementBasis::Variance;

namespace {

/// The coefficient of a product of two fields in all energies, times 2 for a square.
Expr energy_weight(const LoweredSystem& lowered, int f, int g) {
  Expr sum = 0.0;
  for (const System::Energy& energy : lowered.energies) {
    if (f == g) sum = sum + 2.0 * energy.weights[static_cast<std::size_t>(f)];
    for (const auto& [first, second, weight] : energy.couplings) {
      if (std::minmax(first, second) == std::minmax(f, g)) sum = sum + weight;
    }
  }
  return sum;
}

std::vector<Expr> weights_of(const LoweredSystem& lowered, const std::vector<ElementBasis::Quantity>& quantities) {
  std::vector<Expr> weights;
  for (const auto& [variance, first] : quantities) {
    if (variance == Variance::scalar) {
      weights.push_back(energy_weight(lowered, first, first));
      continue;
    }
    const Tensor t = energy_weight(lowered, first);
    weights.insert(weights.end(), {t.xx, t.yy, t.zz, t.yz, t.xz, t.xy});
  }
  return weights;
}

}  // namespace

Tensor energy_weight(const LoweredSystem& lowered, int first) {
  const auto of = [&](int a, int b) { return energy_weight(lowered, first + a, first + b); };
  return {of(0, 0), of(1, 1), of(2, 2), of(1, 2), of(0, 2), of(0, 1)};
}

TensorWeights::TensorWeights(const LoweredSystem& lowered, const ElementBasis& basis)
    : quantities_(basis.quantities), weights_(weights_of(lowered, basis.quantities)) {}

std::vector<Expr> TensorWeights::divide(std::vector<Expr> fields) const {
  int next = 0;
  const auto number = [&next] { return Expr(LoweredSymbol{.kind = LoweredSymbol::Kind::invariant, .number = next++}); };
  for (const auto& [variance, first] : quantities_) {
    const auto f = static_cast<std::size_t>(first);
    if (variance == Variance::scalar) {
      fields[f] = number() * fields[f];
      continue;
    }
    const Expr xx = number(), yy = number(), zz = number(), yz = number(), xz = number(), xy = number();
    const Vector v = Tensor(xx, yy, zz, yz, xz, xy).times({fields[f], fields[f + 1], fields[f + 2]});
    for (int axis = 0; axis < 3; ++axis) fields[f + static_cast<std::size_t>(axis)] = v[axis];
  }
  return fields;
}

std::vector<double> TensorWeights::inverse(std::span<const double> constants) const {
  std::vector<double> work(weights_.size()), values(count());
  const auto constant = [&](const LoweredSymbol& s) { return constants[static_cast<std::size_t>(s.number)]; };
  weights_.run(Program::Lookup{.lowered = constant}, work, values);
  std::size_t next = 0;
  for (const auto& [variance, first] : quantities_) {
    double* const w = values.data() + next;
    next += variance == Variance::scalar ? 1 : 6;
    if (variance == Variance::scalar) {
      w[0] = 1 / w[0];
      continue;
    }
    Eigen::Matrix3d weight;
    weight << w[0], w[5], w[4], w[5], w[1], w[3], w[4], w[3], w[2];
    const Eigen::Matrix3d inverse = weight.inverse();
    const double numbers[6] = {inverse(0, 0), inverse(1, 1), inverse(2, 2),
                               inverse(1, 2), inverse(0, 2), inverse(0, 1)};
    std::ranges::copy(numbers, w);
  }
  return values;
}

}  // namespace maxwell_dg::dg
