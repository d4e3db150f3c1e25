#pragma once

#include <vector>

#include "dg/symbolic/program.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A system for an affine element, still in symbols: the form that both the interpreter and the generators read.
///
/// - Physical derivatives, curls and divergences are expanded by the metric: d/dx = rx d/dr + sx d/ds + tx d/dt.
/// - Subexpressions of the parameters of one element alone (an impedance, 1/epsilon) become *element constants*, which
///   the host computes once, in double. No other expression has parameters.
struct LoweredSystem {
  std::vector<symbolic::Expr> volume;                ///< [field] of derivatives along r, s, t
  std::vector<symbolic::Expr> physical_volume;       ///< [field] the same with curls, derivatives ... as in the system
  std::vector<symbolic::Expr> flux;                  ///< [field] n . (F* - F^-)
  std::vector<std::vector<symbolic::Expr>> outside;  ///< [boundary condition][field] the outside trace
  std::vector<System::Energy> energies;              ///< those of the system
  std::vector<symbolic::Expr> constants;             ///< [constant] of System::parameters, inside ones
  symbolic::Program constants_program{{}};           ///< computes `constants`

  std::vector<int> differentiated;  ///< fields whose derivatives the volume term reads, ascending
  std::vector<int> outside_fields;  ///< fields whose outside trace the flux reads, ascending
  bool boundaries_vary = false;     ///< some outside trace depends on position or time

  /// [constant] the values of the element constants of one element. `parameters`: [parameter][element].
  [[nodiscard]] std::vector<double> constants_of(const std::vector<std::vector<double>>& parameters,
                                                 std::size_t element) const;
};

[[nodiscard]] LoweredSystem lower(const System& system);

}  // namespace maxwell_dg::dg
