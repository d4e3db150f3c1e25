#pragma once

#include <array>
#include <string>
#include <vector>

#include "dg/lowering/curved_system.hpp"

namespace maxwell_dg::dg {

/// The sums of curved elements, CurvedSystem::sums, as products of matrices with fields and with fluxes, where a system
/// has no more than these: operands are fields, maybe with another sign, and fluxes depend on jumps of traces alone.
struct CurvedProducts {
  /// A product is added to the sum of a field, by its index in the part; or subtracted.
  struct Term {
    int axis{};  ///< 0, 1, 2: D_r, D_s, D_t; of a flux 0
    int sum{};
    bool negative{};
  };
  struct Operand {
    int field{};
    bool negative{};
    std::vector<Term> terms;
  };
  /// Value `number` of a face's fluxes.
  struct Flux {
    int number{};
    std::vector<Term> terms;
  };
  /// Fields whose equations share sums.
  struct Part {
    std::vector<int> fields;
    std::vector<bool> negative;  ///< [field of the part] whether minus its sum is what the terms add up to
    std::vector<Operand> operands;
    std::array<std::vector<Flux>, 4> fluxes;  ///< [face]
    std::vector<symbolic::Expr> equations;    ///< [field of the part] of sums and invariants
  };
  std::vector<Part> parts;
  std::array<std::vector<symbolic::Expr>, 4>
      fluxes;                          ///< [face][value] of jumps, which have the symbols of inside traces
  std::vector<symbolic::Expr> losses;  ///< [field] the rest of the equations: of fields and invariants

  /// If a system is not of this form, why.
  std::string why_not;
  [[nodiscard]] static CurvedProducts of(const CurvedSystem& system);
};

}  // namespace maxwell_dg::dg
