#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"

namespace maxwell_dg::dg {

/// Takes out of expressions what is the same at all nodes of an element or a face: replaces every largest part of a
/// product, sum or function that is invariant by a numbered symbol (LoweredSymbol::Kind::invariant), and appends it to
/// `invariants` unless it is there; divisions by invariants become products with their reciprocals.
class InvariantHoister {
 public:
  /// Invariant: the metric and constants of the element. Where the kernel has the metric itself, its symbols stay.
  [[nodiscard]] static InvariantHoister of_element(std::vector<symbolic::Expr>& invariants, bool metric_is_at_hand);
  /// Invariant: the normal, Fscale and constants of both sides.
  [[nodiscard]] static InvariantHoister of_face(std::vector<symbolic::Expr>& invariants);

  [[nodiscard]] symbolic::Expr operator()(const symbolic::Expr& e);

 private:
  using Is = std::function<bool(const symbolic::AnySymbol&)>;
  InvariantHoister(Is is_invariant, Is is_at_hand, std::vector<symbolic::Expr>& invariants);

  /// coefficient * rest / divisor, or minus that, the coefficient holding all that is invariant.
  struct Factors {
    symbolic::Expr coefficient = 1.0, rest = 1.0, divisor = 1.0;
    bool negative = false;
  };
  void collect(const symbolic::Expr& e, bool inverse, Factors& factors);
  [[nodiscard]] bool invariant(const symbolic::Expr& e) const;
  [[nodiscard]] symbolic::Expr product(const symbolic::Expr& e);
  [[nodiscard]] symbolic::Expr number(const symbolic::Expr& e);

  Is is_invariant_;
  Is is_at_hand_;  ///< such symbols alone stay as they are
  std::vector<symbolic::Expr>& invariants_;
  std::map<std::string, int> numbers_;
};

}  // namespace maxwell_dg::dg
