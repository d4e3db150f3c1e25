#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A term made ready for the interpreter and the generator: what depends on parameters alone became a constant of each
/// place (element or face), an `element_constant`.
struct LoweredTerm {
  std::vector<int> fields;                ///< those that something is added to, ascending
  std::vector<symbolic::Expr> added;      ///< [place in fields] to the right-hand side, or to the flux
  std::vector<symbolic::Expr> rates;      ///< [auxiliary variable]
  std::vector<symbolic::Expr> constants;  ///< [constant] of parameters of both sides and of the term's own
  bool depends_on_time = false;
  bool depends_on_position = false;

  [[nodiscard]] std::vector<symbolic::Expr> outputs() const;  ///< added, then rates

  /// [place][constant] their values.
  [[nodiscard]] std::vector<std::vector<double>> constants_at(const Discretization& discretization,
                                                              const Problem& problem, const ElementTerm& term) const;
  [[nodiscard]] std::vector<std::vector<double>> constants_at(const Discretization& discretization,
                                                              const Problem& problem, const FaceTerm& term) const;
};

/// Throws std::invalid_argument for a term whose lists do not fit the system or each other.
[[nodiscard]] LoweredTerm lower(const System& system, const ElementTerm& term);
[[nodiscard]] LoweredTerm lower(const System& system, const FaceTerm& term);

/// What is outside of a term's i-th face: 4 * element + face, at a boundary the face itself.
[[nodiscard]] std::int32_t other_side(const Discretization& discretization, const FaceTerm& term, std::size_t i);

/// How many values the auxiliary variables of a term have, [element][variable][node], and those of all terms,
/// [term][element][variable][node].
[[nodiscard]] std::size_t auxiliary_count(const ElementTerm& term, int Np);
[[nodiscard]] std::size_t auxiliary_count(const Problem& problem, int Np);

}  // namespace maxwell_dg::dg
