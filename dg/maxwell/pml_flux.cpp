#include "dg/maxwell/pml_flux.hpp"

#include <string>
#include <utility>

#include "core/mpi/of_all.hpp"
#include "dg/maxwell/maxwell.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

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
  std::vector<bool> damps(discretization.K());
  for (const std::int32_t k : elements) damps[index(k)] = true;
  const auto damps_and_is_curved = [&](std::size_t k) { return damps[k] && discretization.mesh.curved.is_curved(k); };
  for (std::size_t k = 0; k < discretization.own(); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t neighbour = discretization.connectivity.neighbours[k].at(index(face));
      if (neighbour < 0) continue;
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
  return terms;
}

}  // namespace maxwell_dg::dg::maxwell
