#pragma once

#include <array>
#include <map>
#include <random>

#include "dg/lowering/lowering.hpp"

namespace maxwell_dg::dg {

/// An element and one of its faces at random, and parameters of the system on both sides: numbers for all symbols that
/// coefficients of fluxes have. What two expressions have in common is found out by trying them at some of these.
class FaceSample {
 public:
  static constexpr int enough = 6;
  static constexpr double rounding = 1e-9;  ///< of a coefficient, relative to the largest of its flux

  /// `lowered` outlives it.
  FaceSample(unsigned seed, const LoweredSystem& lowered);

  /// Throw std::logic_error on a symbol that no flux has.
  double operator()(const symbolic::Symbol& s);
  double operator()(const symbolic::LoweredSymbol& s);
  /// The value of a field, from now on.
  void set(const symbolic::Symbol& s, double value) { values_[s] = value; }
  [[nodiscard]] double value_of(const symbolic::Expr& e);

 private:
  double constant(std::size_t number, symbolic::Side side);

  const LoweredSystem& lowered_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> signed_value_{-1.0, 1.0};
  std::array<double, 18> metric_{};
  std::array<double, 3> n_{};
  double Fscale_{};
  std::map<symbolic::Symbol, double> values_;      ///< of fields
  std::map<symbolic::Symbol, double> parameters_;  ///< of the system
};

}  // namespace maxwell_dg::dg
