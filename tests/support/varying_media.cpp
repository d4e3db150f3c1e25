#include "tests/support/varying_media.hpp"

#include <cstddef>
#include <cstdint>

#include "dg/lowering/varying_media.hpp"

namespace maxwell_dg::dg::testing {

void vary_within(Problem& problem, const Discretization& d, const Medium& medium) {
  const CurvedGeometry& geometry = d.curved.value();
  VaryingParameters& varying = problem.varying;
  varying.points = geometry.quadrature.volume.size();
  varying.values.assign(problem.parameters.size(), {});
  for (std::size_t k = 0; k < d.K(); ++k) {
    const std::vector<double> centre = medium(centroid(d.mesh, d.mesh.cells[k]));
    for (std::size_t p = 0; p < centre.size(); ++p) problem.parameters[p][k] = centre[p];
    if (!d.mesh.curved.is_curved(k)) continue;
    varying.elements.push_back(static_cast<std::int32_t>(k));
    const std::size_t first = index(d.mesh.curved.number[k]) * varying.points;
    for (std::size_t i = first; i < first + varying.points; ++i) {
      const std::vector<double> here = medium(geometry.volume_positions[i]);
      for (std::size_t p = 0; p < here.size(); ++p) varying.values[p].push_back(here[p]);
    }
  }
  integrate_losses(problem, d);
}

}  // namespace maxwell_dg::dg::testing
