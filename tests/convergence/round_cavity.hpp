#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/mesh/point.hpp"

/// Round cavities whose lowest mode is known without a mesh, and what the polynomial surfaces of a mesh change about
/// its frequency.
namespace maxwell_dg::dg {

/// A surface that a mesh of curved elements meets at its nodes alone.
struct RoundSurface {
  std::function<double(const Point& x)> height;  ///< of a point outside of it; negative inside
  /// By how much the square of the fields in a unit of area shifts the frequency when the surface moves outwards by a
  /// unit: |E|^2 - |H|^2 at a wall, of fields whose omega is the exact one (see shift_by_surfaces).
  std::function<double(const Point& x)> density;
};

/// A part of a cavity, whose wall and electric planes are metal. Media have mu = 1.
struct RoundCavity {
  std::string script;                                        ///< Gmsh's, of radius 1
  std::vector<std::size_t> magnetic;                         ///< axes of planes at 0
  std::function<double(const Point& farthest)> epsilon_r{};  ///< by the vertex of an element that is farthest out
  std::function<Point(const Point&x)> E{}, H{};              ///< of the mode, at its peak; one of them
  std::vector<RoundSurface> surfaces;                        ///< from within
  double omega{};
  double decay = 0;              ///< of the fields: they are Re(q exp((j omega - decay) t))
  double sheet_conductance = 0;  ///< of a sheet at half of the radius, relative to 1/Z_0; 0: there is none
};

/// The relative shift of a cavity's frequency that the deviation of the mesh's surfaces from the exact ones brings, to
/// first order in it: with the height h of the mesh's surface, the integral of h times RoundSurface::density over the
/// surfaces, over four times the energy at the peak of E or H. At a wall that is Slater's theorem (J. C. Slater,
/// Rev. Mod. Phys. 18, 441, 1946); where epsilon jumps, S. G. Johnson et al., Phys. Rev. E 65, 066611 (2002).
/// `energy`: the integral of (epsilon |E|^2 + |H|^2) / 2 of the cavity's E or H.
[[nodiscard]] double shift_by_surfaces(const RoundCavity& cavity, const Discretization& discretization, double energy);

/// An eighth of a metal ball that is filled up to the radius 0.5 with one medium and with another beyond: TM_11.
[[nodiscard]] RoundCavity layered_ball(double epsilon_inside = 1, double epsilon_beyond = 1);

/// The empty ball with a sheet at half of its radius, that is layered_ball() with losses. H is that without the sheet.
[[nodiscard]] RoundCavity ball_with_sheet(double conductance);

/// A quarter of a cylinder, 0.7 high: TM_010.
[[nodiscard]] RoundCavity round_cylinder();

/// A sector of 30 degrees of a torus, of a tube of radius 1 whose centre is 2 from the axis: E is around the axis.
[[nodiscard]] RoundCavity torus();

/// The lowest frequency of such a torus with another distance of the centre, by polynomials of this degree.
[[nodiscard]] double torus_frequency(double distance, int degree = 14);

}  // namespace maxwell_dg::dg
