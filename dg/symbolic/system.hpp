#pragma once

#include <cstddef>
#include <cstdint>
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
  /// The meaning of a number that a user gives: from this its documentation is written and its value is checked.
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
  /// What checks of a config need to know about a boundary condition, besides its outside state. By default it
  /// reflects.
  struct Traits {
    bool absorbs{};               ///< it may end open space: no wave comes in through it
    bool conducts{};              ///< it may be the wall of a waveguide: tangential E vanishes, or nearly so
    bool is_symmetry{};           ///< it is no thing: fields go on behind it, mirrored
    std::string no_tangential{};  ///< "E": the vector field whose tangential components vanish there
  };
  /// A boundary condition, which is given by the outside traces that it sets. These may depend on inside fields and
  /// parameters, the normal, coordinates and time. Outside parameters equal the inside ones.
  struct Boundary {
    std::string name;                     ///< "pec"; of a condition that takes numbers "impedance_0", "impedance_1" ...
    std::vector<symbolic::Expr> outside;  ///< [field]
    Traits traits{};
  };
  /// The description of a boundary condition that may take numbers: with them it becomes a Boundary.
  struct Condition {
    struct Number {
      std::string name;  ///< "impedance"
      Meaning meaning{};
    };
    std::string name;  ///< "pec"
    std::string doc;   ///< one line: "perfect electric conductor"
    Traits traits{};
    std::vector<Number> numbers{};  ///< none: add_condition adds the boundary
    /// [field] the outside state for these numbers, in the order of `numbers` and in the solver's units.
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
  std::vector<symbolic::Expr> flux;    ///< [field] n . (F* - F^-)
  std::vector<Condition> conditions;   ///< all that `add_boundary` can add
  std::vector<Boundary> boundaries;
  std::optional<double> alpha{};   ///< of the flux: 0 central, 1 upwind, between: blended; none: another kind of flux
  symbolic::Expr max_speed;        ///< the fastest wave, of parameters
  symbolic::Expr relaxation_rate;  ///< of parameters: the rate of terms without derivatives (losses); 0 without any
  std::vector<Energy> energies;
  double nominal_flux_operations{};  ///< per node of a face, to count work (dg/variants/work.hpp); 0: not counted

  [[nodiscard]] int field_count() const { return static_cast<int>(fields.size()); }
  /// Index of a boundary by name, -1 if there is none.
  [[nodiscard]] int find_boundary(const std::string& boundary) const;
  /// Index of the first boundary that absorbs, -1 if none does.
  [[nodiscard]] int find_absorbing() const;
  /// The condition of this name, nullptr if there is none.
  [[nodiscard]] const Condition* find_condition(const std::string& condition) const;
  /// Whether some energy weighs products of different fields: its medium is a tensor.
  [[nodiscard]] bool has_tensors() const;

  /// Adds a condition; if it takes no numbers, adds its boundary as well.
  void add_condition(Condition condition);
  /// Adds the boundary of a condition with these numbers and returns its index. Its name is "NAME_I", where I counts
  /// the boundaries of this condition from 0. For a condition without numbers, returns the boundary that is there
  /// already. Throws std::invalid_argument for an unknown condition, or a wrong count of numbers.
  int add_boundary(const std::string& condition, std::span<const double> numbers);
};

/// [field] an addition to dq/dt, multiplied with the matrix of the quadratic form of the energies, and by 2: what
/// epsilon and mu, or their tensors, make of it. The energy grows at the rate of the integral of its product with q.
[[nodiscard]] std::vector<symbolic::Expr> weighted_by_energies(const System& system,
                                                               const std::vector<symbolic::Expr>& added);

/// Parameters that vary within some elements, which count as curved (CurvedCells), whatever their shape: by their
/// values at the volume points of such elements.
struct VaryingParameters {
  std::vector<std::int32_t> elements;       ///< ascending, each once
  std::size_t points{};                     ///< of an element
  std::vector<std::vector<double>> values;  ///< [parameter][index into `elements` x points + point]

  /// Whether parameters vary within any element.
  [[nodiscard]] bool any() const { return !elements.empty(); }
  /// The index of an element, -1 where parameters do not vary in it. O(log elements).
  [[nodiscard]] std::ptrdiff_t find(std::size_t element) const;
};

/// A system on a discretization: the values of its parameters, the condition at each boundary face, and the terms of
/// some elements and faces.
struct Problem {
  System system;
  std::vector<std::vector<double>> parameters;  ///< [parameter][element]; where it varies within the element, a mean
  std::vector<int> boundary;                    ///< [boundary face] index into system.boundaries
  std::vector<ElementTerm> element_terms{};
  std::vector<FaceTerm> face_terms{};
  VaryingParameters varying{};

  [[nodiscard]] bool has_terms() const { return !element_terms.empty() || !face_terms.empty(); }
};

/// The condition that holds at a boundary face.
[[nodiscard]] const System::Boundary& condition_at(const Problem& problem, std::size_t boundary_face);

/// [element] the values of an expression of parameters alone: of the fastest speed, say.
[[nodiscard]] std::vector<double> in_each_element(const Problem& problem, const symbolic::Expr& expression,
                                                  std::size_t elements);
/// The same, with the largest value at a point where parameters vary within the element.
[[nodiscard]] std::vector<double> largest_in_each_element(const Problem& problem, const symbolic::Expr& expression,
                                                          std::size_t elements);

}  // namespace maxwell_dg::dg
