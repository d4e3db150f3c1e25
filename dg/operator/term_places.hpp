#pragma once

#include "core/device/buffer.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// The elements or faces of a term on a device, with all that its kernels read of them; arrays that nobody reads are
/// empty.
struct TermPlaces {
  core::Buffer places;     ///< elements, or 4 * element + face
  core::Buffer others;     ///< of faces: likewise what is outside (other_side)
  core::Buffer geometry;   ///< of faces: nx ny nz Fscale
  core::Buffer constants;  ///< [place][constant]
  core::Buffer profiles;   ///< [place][profile][node]
  core::Buffer positions;  ///< [place][axis][node]
};

[[nodiscard]] TermPlaces upload_places(const StageSetting& setting, const ElementTerm& term,
                                       const LoweredTerm& lowered);
[[nodiscard]] TermPlaces upload_places(const StageSetting& setting, const FaceTerm& term, const LoweredTerm& lowered);

/// visit(part) of each range of elements, in their order, with what the term has in it. Not copied where there is one.
template <class Term, class Visit>
void for_each_range(const StageSetting& setting, const Term& term, const Visit& visit) {
  if (!setting.has_ranges()) {
    visit(term);
    return;
  }
  for (std::size_t r = 0; r < setting.ranges().size(); ++r) {
    visit(part_of(term, setting.ranges()[r].begin, setting.ranges()[r].end));
  }
}

}  // namespace maxwell_dg::dg
