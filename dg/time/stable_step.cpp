#include "dg/time/stable_step.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

double stability_number(int N, const RungeKutta& method) {
  static constexpr std::array lsrk54_numbers{0.780, 0.485, 0.336, 0.243, 0.183, 0.141, 0.113, 0.0922, 0.0767};
  if (method.name != lsrk54().name) throw std::invalid_argument("no stability numbers are known for " + method.name);
  return lsrk54_numbers.at(static_cast<std::size_t>(N) - 1);
}

double stable_step(const Discretization& discretization, const Problem& problem, const RungeKutta& method) {
  const symbolic::Program speed({problem.system.max_speed});
  std::vector<double> work(speed.size());
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    double c = 0.0;
    speed.run([&](const symbolic::Symbol& s) { return problem.parameters[static_cast<std::size_t>(s.index)][k]; },
              work, {&c, 1});
    smallest = std::min(smallest, inscribed_radius(discretization.geometry, k) / c);
  }
  return stability_number(discretization.N(), method) * smallest;
}

}  // namespace maxwell_dg::dg
