#pragma once

#include <cstddef>
#include <vector>

#include "dg/maxwell/plane_wave.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// What an incident plane wave of vacuum meets on a mesh: media, sheets, walls, and where open space ends. The problem
/// has the terms of its dispersive media and sheets already. Discretization, problem and PML must outlive the scene.
class Scene {
 public:
  /// `in_pml`: [element]. `pml`: null where there is none.
  Scene(const Discretization& discretization, const Problem& problem, std::vector<bool> in_pml, const PmlLayer* pml);

  [[nodiscard]] const Discretization& discretization() const { return d_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Mesh& mesh() const { return d_.mesh; }
  [[nodiscard]] const std::vector<Connectivity::BoundaryFace>& boundary_faces() const {
    return d_.connectivity.boundary_faces;
  }

  /// Of an element. Where it is in vacuum the incident wave solves the equations.
  [[nodiscard]] bool in_vacuum(std::size_t k) const { return in_vacuum_[k]; }
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
  std::vector<bool> in_pml_, in_vacuum_;  ///< [element]
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

/// At all of the mesh.
[[nodiscard]] TimesInMesh times_in_mesh(const Mesh& mesh, const Point& direction);
/// At what scatters it.
[[nodiscard]] TimesInMesh times_at_scatterers(const Scene& scene, const Point& direction);

}  // namespace maxwell_dg::dg::maxwell
