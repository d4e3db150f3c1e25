#include "dg/maxwell/pml_flux.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/mpi/of_all.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

/// A flux between elements, at a wall: the state outside is that of the boundary condition.
std::vector<Expr> at_wall(const std::vector<Expr>& flux, const System::Boundary& wall) {
  std::vector<Expr> result;
  for (const Expr& of_field : flux) {
    result.push_back(substitute(of_field, [&](const Symbol& s) {
      return s.kind == Symbol::Kind::field && s.side == Side::outside ? wall.outside[index(s.index)] : Expr(s);
    }));
  }
  return result;
}

}  // namespace

std::vector<FaceTerm> pml_flux_terms(const Problem& problem, const Discretization& discretization,
                                     const std::vector<std::int32_t>& elements, const core::Communicator& ranks) {
  const double alpha = problem.system.alpha.value_or(0.0);
  const auto flux_with = [&](double of_flux) {
    return system({.alpha = of_flux, .anisotropic = problem.system.name == system({.anisotropic = true}).name}).flux;
  };
  const std::vector<Expr> upwind = flux_with(1), central = flux_with(0);
  const auto term_for = [&](std::string name, double wanted) {
    FaceTerm term{.name = std::move(name), .flux = upwind, .faces = {}};
    for (std::size_t f = 0; f < central.size(); ++f) term.flux[f] = (wanted - alpha) * (upwind[f] - central[f]);
    return term;
  };
  constexpr double of_straight = 0.3, of_curved = 1;
  FaceTerm straight = term_for("pml", of_straight), curved = term_for("pml_curved", of_curved);
  std::map<int, FaceTerm> at_walls;  // by the number of the boundary
  for (std::size_t b = 0; b < problem.system.boundaries.size(); ++b) {
    const System::Boundary& wall = problem.system.boundaries[b];
    if (wall.traits.no_tangential.empty()) continue;
    FaceTerm& term = at_walls[static_cast<int>(b)] = term_for("pml_" + wall.name, of_curved);
    term.flux = at_wall(term.flux, wall);
  }
  std::vector<bool> damps(discretization.K());
  for (const std::int32_t k : elements) damps[index(k)] = true;
  const auto damps_and_is_curved = [&](std::size_t k) { return damps[k] && discretization.mesh.curved.is_curved(k); };
  for (std::size_t k = 0; k < discretization.own(); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t neighbour = discretization.connectivity.neighbours[k].at(index(face));
      if (neighbour < 0) {
        const auto wall = at_walls.find(problem.boundary[index(-1 - neighbour)]);
        if (damps_and_is_curved(k) && wall != at_walls.end())
          wall->second.faces.push_back({static_cast<std::int32_t>(k), face});
        continue;
      }
      const std::size_t other = index(neighbour / 4);
      if (!damps[k] && !damps[other]) continue;
      FaceTerm& term = damps_and_is_curved(k) || damps_and_is_curved(other) ? curved : straight;
      term.faces.push_back({static_cast<std::int32_t>(k), face});
    }
  }
  std::vector<FaceTerm> terms;
  const bool any_straight = core::on_any(ranks, !straight.faces.empty());
  const bool any_curved = core::on_any(ranks, !curved.faces.empty());
  if (alpha < of_straight && any_straight) terms.push_back(std::move(straight));
  if (alpha < of_curved && any_curved) terms.push_back(std::move(curved));
  for (auto& [boundary, term] : at_walls) {
    if (core::on_any(ranks, !term.faces.empty()) && alpha < of_curved) terms.push_back(std::move(term));
  }
  return terms;
}

}  // namespace maxwell_dg::dg::maxwell
