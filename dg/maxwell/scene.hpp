#pragma once

#include <cstddef>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/maxwell/homogeneous_medium.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// What an incident plane wave meets on a mesh: media other than its background, sheets, walls, and where open space
/// ends. The problem has the terms of its dispersive media and sheets already. Discretization, problem and PML must
/// outlive the scene.
class Scene {
 public:
  /// `in_pml`: [element]. `pml`: null where there is none.
  Scene(const Discretization& discretization, const Problem& problem, std::vector<bool> in_pml, const PmlLayer* pml,
        const HomogeneousMedium& background);

  [[nodiscard]] const Discretization& discretization() const { return d_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Mesh& mesh() const { return d_.mesh; }
  [[nodiscard]] const std::vector<Connectivity::BoundaryFace>& boundary_faces() const {
    return d_.connectivity.boundary_faces;
  }

  /// The medium that the wave travels in.
  [[nodiscard]] const HomogeneousMedium& background() const { return background_; }
  /// Of an element. Where it is in the background the incident wave solves the equations.
  [[nodiscard]] bool in_background(std::size_t k) const { return in_background_[k]; }
  [[nodiscard]] bool in_pml(std::size_t k) const { return in_pml_[k]; }
  /// Both sides of every sheet, ascending.
  [[nodiscard]] const std::vector<FaceTerm::Face>& sheets() const { return sheets_; }
  [[nodiscard]] bool is_sheet(const FaceTerm::Face& face) const;

  /// Of a boundary face.
  [[nodiscard]] const System::Boundary& condition(std::size_t boundary_face) const {
    return condition_at(problem_, boundary_face);
  }
  /// Does it absorb, with the medium behind it or the PML that stands in front?
  [[nodiscard]] bool absorbs(std::size_t boundary_face) const;
  /// Does a scattered field know of the incident wave there? What absorbs does not, nor a plane of symmetry, nor what
  /// stands behind the PML.
  [[nodiscard]] bool scatters(std::size_t boundary_face) const;
  /// Is it a wall that the wave meets: no end of open space, and none that the wave runs along?
  [[nodiscard]] bool obstructs(std::size_t boundary_face, const PlaneWave& wave) const;

 private:
  const Discretization& d_;
  const Problem& problem_;
  std::vector<bool> in_pml_;  ///< [element]
  HomogeneousMedium background_;
  std::vector<bool> in_background_;  ///< [element]
  const PmlLayer* pml_;
  std::vector<FaceTerm::Face> sheets_;
};

/// The sine of an angle by which mesh and directions of waves may be off.
inline constexpr double parallel_within = 1e-4;

/// From when to when a wave that passes the origin at t = 0 is at some places of a mesh, as times before t = 0: at
/// t = 0 its waveform between `last` and `first` is there. `first` is at least 0; both are 0 where there are no places.
struct TimesInMesh {
  double first{}, last{};
};

/// At all of the mesh, of which the scene may be this rank's part. Collective.
[[nodiscard]] TimesInMesh times_in_mesh(const Scene& scene, const Point& direction,
                                        const core::Communicator& ranks = {});
/// At what scatters it. Collective.
[[nodiscard]] TimesInMesh times_at_scatterers(const Scene& scene, const Point& direction,
                                              const core::Communicator& ranks = {});

}  // namespace maxwell_dg::dg::maxwell
