#include "dg/lowering/linear_map.hpp"

#include <stdexcept>
#include <vector>

#include "dg/lowering/affine_map.hpp"

namespace maxwell_dg::dg {

Eigen::MatrixXd linear_map(const symbolic::Program& program, const CurvedGeometry::Gradients& gradients,
                           std::span<const double> invariants) {
  using symbolic::LoweredSymbol, symbolic::Symbol;
  const auto metric = metric_values(gradients);
  const auto fields = static_cast<Eigen::Index>(program.outputs().size());
  Eigen::MatrixXd map(fields, fields);
  std::vector<double> work(program.size());
  for (Eigen::Index column = 0; column < fields; ++column) {
    const auto one = [&](const Symbol& s) {
      if (s.kind != Symbol::Kind::field) throw std::logic_error("a map of fields holds another symbol");
      return s.index == column ? 1.0 : 0.0;
    };
    const auto of_metric = [&](const LoweredSymbol& s) {
      const auto number = static_cast<std::size_t>(s.number);
      if (s.kind == LoweredSymbol::Kind::metric) return metric.at(number);
      if (s.kind == LoweredSymbol::Kind::invariant && number < invariants.size()) return invariants[number];
      throw std::logic_error("a map of fields holds more than the metric and its numbers");
    };
    program.run({one, of_metric}, work, {map.col(column).data(), static_cast<std::size_t>(fields)});
  }
  return map;
}

}  // namespace maxwell_dg::dg
