#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"

/// Terms: what some elements or faces have in addition to the equations of a System (sources, PMLs, dispersive media).
/// Other elements have no cost from them.
///
/// The symbols in a term's expressions continue the numbers of the system: `field` number System::field_count() is the
/// first auxiliary variable of the term (inside), `parameter` number System::parameters.size() the first of its own
/// parameters. A `profile` is a number for each node, or for each volume point of a curved element.
///
/// On a curved element a term is evaluated at quadrature points instead of nodes, of interpolated fields and profiles,
/// and integrated; auxiliary variables are numbers of these points (docs/theory.md, "Curved elements").
namespace maxwell_dg::dg {

/// A term in some elements, with auxiliary variables u:
///
///   dq_f/dt = (what the system says) + added_f(q, u, parameters, profiles, x, t)
///   du_i/dt = rates_i(q, u, parameters, profiles, x, t)
///
/// at each node; there are no derivatives.
struct ElementTerm {
  std::string name;                    ///< "pml"; part of its kernel's name
  std::vector<std::string> auxiliary;  ///< the names of the auxiliary variables, one a place, zero at t = 0
  std::vector<symbolic::Expr> added;   ///< [field]
  std::vector<symbolic::Expr> rates;   ///< [auxiliary variable]
  symbolic::Expr fastest_rate;         ///< of parameters and profiles: decay + weight_of_oscillation x frequency
  std::vector<std::int32_t> elements;  ///< ascending, each once
  std::vector<std::vector<double>> parameters{};  ///< [own parameter][index into `elements`]
  std::vector<std::vector<double>> profiles{};    ///< [profile][index into `elements` x Np + node]
  /// Profiles are numbers of the volume points, not of the nodes; then all elements must be curved.
  bool profiles_at_points = false;
};

/// A term at some faces, each seen from one element. `flux` is added to System::flux. It may depend on traces (outside
/// ones at inner faces only), the normal, parameters of both sides and of the term, profiles, x and t. The outside
/// traces are those of the neighbour, or of the faces in `others`.
///
/// Auxiliary variables u are numbers of the face's nodes (on a curved element of its quadrature points), as this
/// element has them, with du_i/dt = rates_i of the same symbols: of a face with two sides, each side has its own.
struct FaceTerm {
  struct Face {
    std::int32_t element;
    std::int32_t face;                              ///< 0 to 3
    auto operator<=>(const Face&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
  };
  std::string name;                               ///< "total_field"; part of its kernel's name
  std::vector<symbolic::Expr> flux;               ///< [field]
  std::vector<Face> faces;                        ///< ascending, each once
  std::vector<std::vector<double>> parameters{};  ///< [own parameter][face]
  std::vector<std::vector<double>> profiles{};    ///< [profile][face x Nfp + node of the face]
  /// [face] the face whose traces and parameters are the outside ones, with nodes in the same order; empty: the
  /// neighbours'.
  std::vector<Face> others{};
  std::vector<std::string> auxiliary{};  ///< the names of the auxiliary variables, zero at t = 0
  std::vector<symbolic::Expr> rates{};   ///< [auxiliary variable]
  symbolic::Expr fastest_rate{};         ///< of parameters of this side and of the term: a bound as ElementTerm has it
};

namespace symbolic {
/// The symbol of a term's profile.
[[nodiscard]] inline Expr profile(int index) {
  return Expr(Symbol{.kind = Symbol::Kind::profile, .index = index});
}
}  // namespace symbolic

/// The part of a term in elements `begin` to `end` - 1, as a term.
[[nodiscard]] ElementTerm part_of(const ElementTerm& term, std::size_t begin, std::size_t end);
[[nodiscard]] FaceTerm part_of(const FaceTerm& term, std::size_t begin, std::size_t end);

}  // namespace maxwell_dg::dg
