#include "dg/lowering/face_sample.hpp"

#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "dg/lowering/affine_map.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using Lowered = LoweredSymbol::Kind;

FaceSample::FaceSample(unsigned seed, const LoweredSystem& lowered) : lowered_(lowered), random_(seed) {
  std::array<double, 9> frame{};
  for (double& g : frame) g = signed_value_(random_);
  metric_ = metric_values(frame);
  for (std::size_t axis = 0; axis < 3; ++axis) {  // the slanted face, r + s + t = -1, or one where t = -1
    n_.at(axis) = seed % 2 == 0 ? frame.at(axis) + frame.at(3 + axis) + frame.at(6 + axis)
                                : (seed % 4 == 1 ? -1 : 1) * frame.at(6 + axis);
  }
  Fscale_ = std::hypot(n_[0], n_[1], n_[2]);
  for (double& n : n_) n /= Fscale_;
}

double FaceSample::operator()(const Symbol& s) {
  switch (s.kind) {
    case Kind::normal: return n_.at(static_cast<std::size_t>(s.axis));
    case Kind::field: return values_.try_emplace(s, signed_value_(random_)).first->second;
    default: throw std::logic_error("a flux is of fields, constants and the normal");
  }
}

double FaceSample::operator()(const LoweredSymbol& s) {
  const auto number = static_cast<std::size_t>(s.number);
  switch (s.kind) {
    case Lowered::face_scale: return Fscale_;
    case Lowered::metric: return metric_.at(number);
    case Lowered::element_constant: return constant(number, s.side);
    default: throw std::logic_error("a flux holds a volume quantity");
  }
}

double FaceSample::value_of(const Expr& e) {
  const Program program({e});
  std::vector<double> work(program.size()), result(1);
  program.run(Program::Lookup{std::ref(*this), std::ref(*this)}, work, result);
  return result[0];
}

double FaceSample::constant(std::size_t number, Side side) {
  return value_of(substitute(lowered_.constants[number], [&](Symbol s) {
    s.side = side;
    return Expr(parameters_.try_emplace(s, 1.5 + signed_value_(random_)).first->second);
  }));
}

}  // namespace maxwell_dg::dg
