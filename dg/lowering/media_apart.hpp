#pragma once

#include "dg/lowering/contraction.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/lowering.hpp"

namespace maxwell_dg::dg {

/// Which invariants of curved elements are written such that numbers of the media, which do not differ from point to
/// point, are invariants of their own.
struct MediaApart {
  bool in_elements = false;  ///< not where media vary within elements
  bool on_faces = false;

  /// What of faces is then not a part of other invariants.
  [[nodiscard]] ComputedOnFaces computed_on_faces() const { return {.edges = on_faces, .over_scale = on_faces}; }
};

/// How many of the invariants differ from point to point.
struct CountsAtPoints {
  int of_element{}, of_face{};
};

/// Renumbers the invariants of a contracted system, of `apart.computed_on_faces()`: those that differ from point to
/// point come first, in their order. Products of a face's edges become such invariants. Where nothing is asked for, all
/// are taken to differ.
CountsAtPoints order_invariants(ContractedSystem& system, const LoweredSystem& lowered, const MediaApart& apart);

}  // namespace maxwell_dg::dg
