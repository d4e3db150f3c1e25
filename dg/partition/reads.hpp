#pragma once

#include <cstddef>
#include <cstdint>

#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// Calls `read(k, face)` for each face of another element whose trace element k reads: across a face of its own, or as
/// FaceTerm::others. A face may be read several times.
template <class Read>
void for_each_read(const Discretization& d, const Problem& problem, const Read& read) {
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (const std::int32_t n : d.connectivity.neighbours[k]) {
      if (n >= 0) read(k, ElementFace{.element = index(n / 4), .face = n % 4});
    }
  }
  for (const FaceTerm& term : problem.face_terms) {
    for (std::size_t i = 0; i < term.others.size(); ++i) {
      const auto& [element, face] = term.others[i];
      read(index(term.faces[i].element), ElementFace{.element = index(element), .face = face});
    }
  }
}

}  // namespace maxwell_dg::dg
