#pragma once

#include <cstddef>
#include <vector>

#include "dg/lowering/curved_system.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

/// The numbers of the metric and of the media that the equations and fluxes of curved elements read at their points.
class CurvedInvariants {
 public:
  using Rows = std::vector<std::vector<double>>;

  /// Refers to nothing of these afterwards.
  CurvedInvariants(const Discretization& discretization, const CurvedSystem& system, const VaryingMedia& media);

  /// [curved element x volume points + point] values of ContractedSystem::element_invariants.
  [[nodiscard]] const Rows& of_elements() const { return of_elements_; }
  /// [(curved element x 4 + face) x face points + point] values of ContractedSystem::face_invariants.
  [[nodiscard]] const Rows& of_faces() const { return of_faces_; }

 private:
  Rows of_elements_, of_faces_;
};

}  // namespace maxwell_dg::dg
