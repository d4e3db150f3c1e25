#include "apps/maxwell_dg/resolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dg/symbolic/program.hpp"

namespace maxwell_dg {
namespace {

double longest_edge(const dg::Mesh& mesh, std::size_t cell) {
  double longest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const dg::Point& a = mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][i])];
      const dg::Point& b = mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][j])];
      longest = std::max(longest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  return longest;
}

}  // namespace

double fewest_points_per_wavelength(const Plan& plan, double frequency) {
  const dg::Discretization& d = *plan.discretization;
  const dg::symbolic::Program speed{plan.problem.system.max_speed};
  std::vector<double> work(speed.size());
  double fewest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < d.K(); ++k) {
    double c = 0;
    speed.run(
        [&](const dg::symbolic::Symbol& s) { return plan.problem.parameters[static_cast<std::size_t>(s.index)][k]; },
        work, std::span(&c, 1));
    fewest = std::min(fewest, d.N() * c / (frequency * plan.scaling.frequency) / longest_edge(d.mesh, k));
  }
  return fewest;
}

}  // namespace maxwell_dg
