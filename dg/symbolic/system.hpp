#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "dg/symbolic/expression.hpp"
#include "dg/symbolic/term.hpp"

namespace maxwell_dg::dg {

/// A first-order linear hyperbolic system on a nodal DG discretization, in symbols:
///
///   dq_f/dt = volume_f(q, dq/dx, parameters) + LIFT (Fscale * flux_f(q_m, q_p, n, parameters of both sides))
///
/// Nothing else in the code base knows an equation.
struct System {
  /// What a number means that is given from outside: who asks for it writes its documentation and checks it by this.
  struct Meaning {
    enum class Range { positive, at_least_zero, any };
    std::string doc{};  ///< one line: "density"
    core::Dimension dimension{core::Dimension::none};
    Range range{Range::positive};
  };
  struct Parameter {
    std::string name;  ///< "epsilon_r"; one value an element
    double default_value;
    Meaning meaning{};
  };
  /// What can be asked of a boundary condition beside its outside state; by default it is a wall that reflects.
  struct Traits {
    bool absorbs{};               ///< it ends open space: nothing comes in from there
    bool conducts{};              ///< it may be the wall of a waveguide: tangential E vanishes, or nearly so
    std::string no_tangential{};  ///< "E": the vector field whose tangential components vanish there
  };
  /// A boundary condition is what the outside state is. `outside` may hold inside fields and parameters, the normal,
  /// coordinates and time. Outside parameters equal the inside ones.
  struct Boundary {
    std::string name;                     ///< "pec"; of a condition that takes numbers "impedance_0", "impedance_1" ...
    std::vector<symbolic::Expr> outside;  ///< [field]
    Traits traits{};
  };
  /// The description of a boundary condition, before it has the numbers that it takes.
  struct Condition {
    struct Number {
      std::string name;  ///< "impedance"
      Meaning meaning{};
    };
    std::string name;  ///< "pec"
    std::string doc;   ///< one line: "perfect electric conductor"
    Traits traits{};
    std::vector<Number> numbers{};  ///< none: the system has the boundary as it is
    /// [field] the outside state with these numbers, in the order of `numbers` and in the units inside.
    std::function<std::vector<symbolic::Expr>(std::span<const double> numbers)> outside{};
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
  std::vector<Condition> conditions;   ///< all that `add_boundary` can make
  std::vector<Boundary> boundaries;
  std::optional<double> alpha{};   ///< of the flux: 0 central, 1 upwind, between: blended; none: anything
  symbolic::Expr max_speed;        ///< of parameters
  symbolic::Expr relaxation_rate;  ///< of parameters: how fast local terms (losses, gains) change q; 0: there are none
  std::vector<Energy> energies;
  double nominal_flux_operations{};  ///< a face node, for counting work (dg/variants/work.hpp); 0: not counted

  [[nodiscard]] int field_count() const { return static_cast<int>(fields.size()); }
  /// Index of a boundary by name, -1 if there is none.
  [[nodiscard]] int find_boundary(const std::string& boundary) const;
  /// Index of the first boundary that absorbs, -1 if none does.
  [[nodiscard]] int find_absorbing() const;
  /// The condition of this name, nullptr if there is none.
  [[nodiscard]] const Condition* find_condition(const std::string& condition) const;

  /// Adds a condition, and the boundary that it is if it takes no numbers.
  void add_condition(Condition condition);
  /// Adds the boundary that a condition is with these numbers, "NAME_I", where I counts those of the condition from 0;
  /// without numbers, the one that there is already. Returns its index. Throws std::invalid_argument for an unknown
  /// condition, or if it does not take so many numbers.
  int add_boundary(const std::string& condition, std::span<const double> numbers);
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

/// The condition that holds at a boundary face.
[[nodiscard]] const System::Boundary& condition_at(const Problem& problem, std::size_t boundary_face);

/// [element] an expression of parameters alone: the fastest speed, say.
[[nodiscard]] std::vector<double> in_each_element(const Problem& problem, const symbolic::Expr& expression,
                                                  std::size_t elements);

}  // namespace maxwell_dg::dg
