#pragma once

#include <vector>

#include "dg/symbolic/program.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// A system made ready for an affine element, still in symbols: what both the interpreter and the generator read.
///
/// - Physical derivatives, curls and divergences are expanded by the metric: d/dx = rx d/dr + sx d/ds + tx d/dt.
/// - What depends on the parameters of one element alone (an impedance, 1/epsilon) becomes an *element constant*,
///   computed once on the host in double; parameters do not occur any more.
struct LoweredSystem {
  std::vector<symbolic::Expr> volume;                ///< [field] by derivatives along r, s, t
  std::vector<symbolic::Expr> physical_volume;       ///< [field] the same by derivatives, curls ... as written
  std::vector<symbolic::Expr> flux;                  ///< [field]
  std::vector<std::vector<symbolic::Expr>> outside;  ///< [boundary][field]
  std::vector<System::Energy> energies;              ///< as the system's
  std::vector<symbolic::Expr> constants;             ///< [constant] of System::parameters, inside
  symbolic::Program constants_program{{}};           ///< the same, to run

  std::vector<int> differentiated;  ///< fields whose derivatives the volume term reads
  std::vector<int> outside_fields;  ///< fields whose outside trace the flux reads
  bool boundaries_move = false;     ///< some outside state depends on position or time

  /// [constant] their values for one element.
  [[nodiscard]] std::vector<double> constants_of(const std::vector<std::vector<double>>& parameters,
                                                 std::size_t element) const;
};

[[nodiscard]] LoweredSystem lower(const System& system);

}  // namespace maxwell_dg::dg
