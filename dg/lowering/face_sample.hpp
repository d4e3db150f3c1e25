#pragma once

#include <array>
#include <map>
#include <random>

#include "dg/lowering/lowering.hpp"

namespace maxwell_dg::dg {

/// A random element with one of its faces, and random parameters of the system on both sides: a value for every symbol
/// that occurs in coefficients of fluxes. Two expressions that agree on several samples are taken as equal.
class FaceSample {
 public:
  static constexpr int enough = 6;          ///< samples that expressions are compared on
  static constexpr double rounding = 1e-9;  ///< of a coefficient, relative to the largest one of its flux

  /// The same seed gives the same sample. `lowered` must outlive it.
  FaceSample(unsigned seed, const LoweredSystem& lowered);

  /// The value of a symbol; a field has a random one until it is set. These throw std::logic_error on a symbol that no
  /// flux has.
  double operator()(const symbolic::Symbol& s);
  double operator()(const symbolic::LoweredSymbol& s);
  /// Sets the value of a field.
  void set(const symbolic::Symbol& s, double value) { values_[s] = value; }
  [[nodiscard]] double value_of(const symbolic::Expr& e);
  /// Takes those parameters of the system that another sample has used, in place of random ones.
  void take_parameters_of(const FaceSample& other) { parameters_ = other.parameters_; }

 private:
  double constant(std::size_t number, symbolic::Side side);

  const LoweredSystem& lowered_;
  std::mt19937 random_;
  std::uniform_real_distribution<double> signed_value_{-1.0, 1.0};
  std::array<double, 18> metric_{};
  std::array<double, 3> n_{};
  double Fscale_{};
  std::map<symbolic::Symbol, double> values_;      ///< of the fields so far
  std::map<symbolic::Symbol, double> parameters_;  ///< of the system, those so far
};

}  // namespace maxwell_dg::dg
