#include "dg/time/stable_step.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

double stability_number(int N, const RungeKutta& method) {
  static constexpr std::array lsrk54_numbers{0.780, 0.485, 0.336, 0.243, 0.183, 0.141, 0.113, 0.0922, 0.0767};
  if (method.name != lsrk54().name) throw std::invalid_argument("no stability numbers are known for " + method.name);
  return lsrk54_numbers.at(static_cast<std::size_t>(N) - 1);
}

double stable_step(const Discretization& discretization, const Problem& problem, const RungeKutta& method) {
  // Losses move eigenvalues left by their rate; LSRK methods here are stable to beyond -4 on the real axis.
  constexpr double real_extent = 4.0;
  const symbolic::Program program({problem.system.max_speed, problem.system.relaxation_rate});
  const double number = stability_number(discretization.N(), method);
  std::vector<double> work(program.size());
  double largest_rate = 0.0;
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    std::array<double, 2> speed_and_rate{};
    program.run([&](const symbolic::Symbol& s) { return problem.parameters[static_cast<std::size_t>(s.index)][k]; },
                work, speed_and_rate);
    const auto [c, rate] = speed_and_rate;
    largest_rate =
        std::max(largest_rate, c / (number * inscribed_radius(discretization.geometry, k)) + rate / real_extent);
  }
  return 1.0 / largest_rate;
}

}  // namespace maxwell_dg::dg
