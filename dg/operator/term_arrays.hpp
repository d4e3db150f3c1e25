#pragma once

#include "core/device/buffer.hpp"
#include "dg/lowering/lowered_term.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// What the kernels of a term read of its elements or faces, on a device. Arrays that they do not read are empty. All
/// elements are straight, or all are curved; then places are not nodes but the quadrature points of elements or faces.
///
/// In kernels by lanes (CurvedTermGenerator::lanes) all numbers are side by side for so many elements, TermLayout;
/// lanes behind the last element repeat it.
struct TermArrays {
  core::Buffer ids;        ///< elements, or 4 * element + face
  core::Buffer outside;    ///< of faces: the face on the other side (other_side), numbered alike
  core::Buffer geometry;   ///< of faces: nx ny nz Fscale, or [face][gradient][place]
  core::Buffer constants;  ///< [element or face][constant]
  core::Buffer profiles;   ///< [element or face][profile][place]
  core::Buffer positions;  ///< [element or face][axis][place]
  core::Buffer metric_at_nodes{}, metric_at_points{};  ///< by lanes: the nine gradients
};

[[nodiscard]] TermArrays upload_term_arrays(const StageSetting& setting, const ElementTerm& term,
                                            const LoweredTerm& lowered, int lanes = 1);
[[nodiscard]] TermArrays upload_term_arrays(const StageSetting& setting, const FaceTerm& term,
                                            const LoweredTerm& lowered);

/// Calls visit(part) for each range of elements, in order; `part` is the term with its elements or faces of that range
/// alone (the term itself where there is one range).
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
