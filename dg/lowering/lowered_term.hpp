#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A term in the form that the interpreter and the generator read: subexpressions of parameters alone are replaced by
/// constants of each of its elements or faces (LoweredSymbol::Kind::element_constant).
struct LoweredTerm {
  std::vector<int> fields;                ///< to which the term adds something, ascending
  std::vector<symbolic::Expr> added;      ///< [index into fields] to the right-hand side, or to the flux
  std::vector<symbolic::Expr> rates;      ///< [auxiliary variable] its time derivative
  std::vector<symbolic::Expr> constants;  ///< [constant] of the system's parameters on both sides and of the term's own
  bool depends_on_time = false;
  bool depends_on_position = false;

  [[nodiscard]] std::vector<symbolic::Expr> outputs() const;  ///< `added`, then `rates`

  /// [element or face of the term][constant] the values of the constants. Throws std::invalid_argument if the term's
  /// lists do not have a number for each of its elements or faces (profiles: for each of their nodes).
  [[nodiscard]] std::vector<std::vector<double>> constants_at(const Discretization& discretization,
                                                              const Problem& problem, const ElementTerm& term) const;
  [[nodiscard]] std::vector<std::vector<double>> constants_at(const Discretization& discretization,
                                                              const Problem& problem, const FaceTerm& term) const;
  /// [element of the term x VaryingParameters::points + point][constant] the same at volume points, which are those of
  /// the element where no parameters vary in it. Empty where none do anywhere.
  [[nodiscard]] std::vector<std::vector<double>> constants_at_points(const Problem& problem,
                                                                     const ElementTerm& term) const;
};

/// Throws std::invalid_argument for a term that lacks an expression for a field of the system, or a rate for an
/// auxiliary variable.
[[nodiscard]] LoweredTerm lower(const System& system, const ElementTerm& term);
[[nodiscard]] LoweredTerm lower(const System& system, const FaceTerm& term);

/// The same as curved elements have it: where media are tensors, what a term adds is weighted by them
/// (weighted_by_energies). Weights that are numbers of the element cancel there, and are left out.
[[nodiscard]] LoweredTerm lower_for_curved(const System& system, const ElementTerm& term);
[[nodiscard]] LoweredTerm lower_for_curved(const System& system, const FaceTerm& term);

/// The face whose traces are outside ones for a term's i-th face, as 4 * element + face; at a boundary the face itself.
[[nodiscard]] std::int32_t other_side(const Discretization& discretization, const FaceTerm& term, std::size_t i);

/// The places of an element at which auxiliary variables have values: its nodes, or the quadrature points of a curved
/// element (docs/theory.md, "Curved elements").
[[nodiscard]] std::size_t auxiliary_places(const Discretization& discretization, std::size_t element);
/// At how many places of each element a term's profiles have values.
[[nodiscard]] std::size_t profile_places(const Discretization& discretization, const ElementTerm& term);
/// Those of a face: its nodes, or the quadrature points of a face of a curved element.
[[nodiscard]] std::size_t auxiliary_places(const Discretization& discretization, const FaceTerm::Face& face);
/// How many values the auxiliary variables of a term have, [element or face of the term][variable][place], and how many
/// those of all terms have, first of elements, then of faces: [term][element or face of the term][variable][place].
[[nodiscard]] std::size_t auxiliary_count(const ElementTerm& term, const Discretization& discretization);
[[nodiscard]] std::size_t auxiliary_count(const FaceTerm& term, const Discretization& discretization);
[[nodiscard]] std::size_t auxiliary_count(const Problem& problem, const Discretization& discretization);

}  // namespace maxwell_dg::dg
