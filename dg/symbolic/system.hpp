#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "dg/symbolic/expression.hpp"
#include "dg/symbolic/term.hpp"

namespace maxwell_dg::dg {

/// A first-order linear hyperbolic system on a nodal DG discretization, in symbols:
///
///   dq_f/dt = volume_f(q, dq/dx, parameters) + LIFT (Fscale * flux_f(q_m, q_p, n, parameters of both sides))
///
/// Nothing else in the code base knows an equation.
struct System {
  struct Parameter {
    std::string name;  ///< "epsilon_r"; one value an element
    double default_value;
  };
  /// A boundary condition is what the outside state is. `outside` may hold inside fields and parameters, the normal,
  /// coordinates and time. Outside parameters equal the inside ones.
  struct Boundary {
    std::string name;                     ///< "pec"
    std::vector<symbolic::Expr> outside;  ///< [field]
  };
  /// A part of the energy: integral of sum_f weights[f] q_f^2 + sum over couplings of weight q_f q_g.
  struct Energy {
    struct Coupling {
      int f, g;  ///< two different fields
      symbolic::Expr weight;
    };
    std::string name;
    std::vector<symbolic::Expr> weights;  ///< [field], of parameters
    std::vector<Coupling> couplings{};
  };

  std::string name;
  std::vector<std::string> fields;  ///< "Ex" ...; components of a vector are adjacent
  std::vector<Parameter> parameters;
  std::vector<symbolic::Expr> volume;  ///< [field]
  std::vector<symbolic::Expr> flux;    ///< [field]
  std::vector<Boundary> boundaries;
  std::optional<double> alpha{};   ///< of the flux: 0 central, 1 upwind, between: blended; none: anything
  symbolic::Expr max_speed;        ///< of parameters
  symbolic::Expr relaxation_rate;  ///< of parameters: how fast local terms (losses, gains) change q; 0: there are none
  std::vector<Energy> energies;
  double nominal_flux_operations{};  ///< a face node, for counting work (dg/variants/work.hpp); 0: not counted

  [[nodiscard]] int field_count() const { return static_cast<int>(fields.size()); }
  /// Index of a boundary by name, -1 if there is none.
  [[nodiscard]] int find_boundary(const std::string& boundary) const;
};

/// A system on a discretization: which numbers its parameters have, which condition holds at each boundary face, and
/// what some elements and faces have besides.
struct Problem {
  System system;
  std::vector<std::vector<double>> parameters;  ///< [parameter][element]
  std::vector<int> boundary;                    ///< [boundary face] index into system.boundaries
  std::vector<ElementTerm> element_terms{};
  std::vector<FaceTerm> face_terms{};

  [[nodiscard]] bool has_terms() const { return !element_terms.empty() || !face_terms.empty(); }
};

/// [element] an expression of parameters alone: the fastest speed, say.
[[nodiscard]] std::vector<double> in_each_element(const Problem& problem, const symbolic::Expr& expression,
                                                  std::size_t elements);

}  // namespace maxwell_dg::dg
