#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"

/// What only some elements or faces have beside the equations of a System: sources, losses, memory of a medium. The
/// other elements pay nothing for it.
///
/// The expressions of a term count on from the system: a `field` from System::field_count() on is an auxiliary variable
/// of the term, a `parameter` from the system's number of parameters on is one of its own; a `profile` is a number a
/// node.
namespace maxwell_dg::dg {

/// In some elements, with auxiliary variables u of their own:
///
///   dq_f/dt = (what the system says) + added_f(q, u, parameters, profiles, x, t)
///   du_i/dt = rates_i(q, u, parameters, profiles, x, t)
///
/// node by node: no derivatives occur.
struct ElementTerm {
  std::string name;                    ///< "pml"; names its kernel
  std::vector<std::string> auxiliary;  ///< nodal, zero at first
  std::vector<symbolic::Expr> added;   ///< [field]
  std::vector<symbolic::Expr> rates;   ///< [auxiliary variable]
  symbolic::Expr fastest_rate;         ///< of parameters and profiles: bounds how fast the term decays or oscillates
  std::vector<std::int32_t> elements;  ///< ascending, each once
  std::vector<std::vector<double>> parameters{};  ///< [own parameter][place in `elements`]
  std::vector<std::vector<double>> profiles{};    ///< [profile][place in `elements` x Np + node]
};

/// At some faces, each seen from one element: the flux is System::flux plus `flux`, of the traces inside and (at inner
/// faces) outside, the normal, parameters of both sides, own ones, profiles, x and t. What is outside is the neighbour,
/// or the elements of `others`.
struct FaceTerm {
  struct Face {
    std::int32_t element;
    std::int32_t face;                              ///< 0 to 3
    auto operator<=>(const Face&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 in it
  };
  std::string name;                               ///< "total_field"; names its kernel
  std::vector<symbolic::Expr> flux;               ///< [field]
  std::vector<Face> faces;                        ///< ascending, each once
  std::vector<std::vector<double>> parameters{};  ///< [own parameter][face]
  std::vector<std::vector<double>> profiles{};    ///< [profile][face x Nfp + node of the face]
  std::vector<Face> others{};  ///< [face] empty, or which face's traces and parameters are outside; its nodes in order
};

namespace symbolic {
/// A number a node that a term brings along.
[[nodiscard]] inline Expr profile(int index) {
  return Expr(Symbol{.kind = Symbol::Kind::profile, .index = index});
}
}  // namespace symbolic

/// What a term has in elements `begin` to `end` - 1: a term of its own, of as many nodes in an element or face.
[[nodiscard]] ElementTerm part_of(const ElementTerm& term, std::size_t begin, std::size_t end);
[[nodiscard]] FaceTerm part_of(const FaceTerm& term, std::size_t begin, std::size_t end);

}  // namespace maxwell_dg::dg
