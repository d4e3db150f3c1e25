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

}  // namespace maxwell_dg::dg
