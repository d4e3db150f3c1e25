#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg {

/// Finds the subexpressions that are the same at all nodes of an element or of a face, so that they can be computed
/// once: replaces each of them (the largest possible, of products all invariant factors together) by a numbered symbol
/// (LoweredSymbol::Kind::invariant), and appends it to `invariants` unless it is there. A division by an invariant
/// becomes a product with its reciprocal.
class InvariantHoister {
 public:
  /// The metric and the constants of the element are invariant. If the kernel has the metric, its symbols stay.
  [[nodiscard]] static InvariantHoister of_element(std::vector<symbolic::Expr>& invariants, bool metric_is_at_hand);
  /// The normal, Fscale and the constants of both sides are invariant. The symbols of the normal stay.
  [[nodiscard]] static InvariantHoister of_face(std::vector<symbolic::Expr>& invariants);

  [[nodiscard]] symbolic::Expr operator()(const symbolic::Expr& e);

 private:
  using Is = std::function<bool(const symbolic::AnySymbol&)>;
  InvariantHoister(Is is_invariant, Is is_at_hand, std::vector<symbolic::Expr>& invariants);

  /// coefficient * rest / divisor, or minus that; the coefficient has all invariant factors.
  struct Factors {
    symbolic::Expr coefficient = 1.0, rest = 1.0, divisor = 1.0;
    bool negative = false;
  };
  void collect(const symbolic::Expr& e, bool inverse, Factors& factors);
  [[nodiscard]] bool invariant(const symbolic::Expr& e) const;
  [[nodiscard]] symbolic::Expr product(const symbolic::Expr& e);
  [[nodiscard]] symbolic::Expr number(const symbolic::Expr& e);

  Is is_invariant_;
  Is is_at_hand_;  ///< an expression that is such a symbol alone is not replaced
  std::vector<symbolic::Expr>& invariants_;
  std::map<std::string, int> numbers_;
};

}  // namespace maxwell_dg::dg
