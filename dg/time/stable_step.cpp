#include "dg/time/stable_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "dg/lowering/lowered_term.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

namespace {

/// What was measured, [flux: alpha = 0, 0.5, 1][order - 1].
struct Measured {
  std::string_view method;
  std::array<std::array<double, 9>, 3> numbers;
};
constexpr std::array<Measured, 2> measured{{
    {"lsrk54",
     {{{0.891, 0.514, 0.344, 0.247, 0.184, 0.142, 0.113, 0.0927, 0.0767},
       {0.854, 0.505, 0.347, 0.242, 0.183, 0.141, 0.113, 0.0922, 0.0769},
       {0.780, 0.485, 0.336, 0.246, 0.190, 0.151, 0.123, 0.102, 0.0874}}}},
    {"lsrk144",
     {{{1.62, 0.935, 0.627, 0.449, 0.334, 0.260, 0.206, 0.168, 0.139},
       {2.35, 1.41, 0.925, 0.671, 0.521, 0.409, 0.331, 0.270, 0.226},
       {3.15, 2.00, 1.33, 1.02, 0.793, 0.627, 0.511, 0.424, 0.358}}}},
}};

}  // namespace

double stability_number(int N, std::optional<double> alpha, const RungeKutta& method) {
  const auto* const found =
      std::find_if(measured.begin(), measured.end(), [&](const Measured& m) { return m.method == method.name; });
  if (found == measured.end()) throw std::invalid_argument("no stability numbers are known for " + method.name);
  const double place = 2 * std::clamp(alpha.value_or(0.0), 0.0, 1.0);
  const auto first = static_cast<std::size_t>(std::floor(place));
  const auto last = alpha ? static_cast<std::size_t>(std::ceil(place)) : found->numbers.size() - 1;
  double least = found->numbers.at(first).at(static_cast<std::size_t>(N) - 1);
  for (std::size_t flux = first; flux <= last; ++flux) {
    least = std::min(least, found->numbers.at(flux).at(static_cast<std::size_t>(N) - 1));
  }
  return least;
}

double real_extent(const RungeKutta& method) {
  constexpr double step = 1e-3;
  double extent = step;
  while (growth(method, -extent - step) <= 1.0) extent += step;
  return extent;
}

namespace {

/// The largest value of a term's fastest rate, as a program, at the places of its element or face number i, which is of
/// element k.
template <class Term>
double fastest_rate(const Problem& problem, const Term& term, const symbolic::Program& program, std::size_t i,
                    std::size_t k, std::size_t places) {
  std::vector<double> work(program.size());
  double largest = 0.0;
  for (std::size_t n = 0; n < places; ++n) {
    double rate = 0.0;
    const auto value = [&](const symbolic::Symbol& s) {
      const auto index = static_cast<std::size_t>(s.index);
      if (s.kind == symbolic::Symbol::Kind::profile) return term.profiles[index][i * places + n];
      return index < problem.parameters.size() ? problem.parameters[index][k]
                                               : term.parameters[index - problem.parameters.size()][i];
    };
    program.run(value, work, {&rate, 1});
    largest = std::max(largest, rate);
  }
  return largest;
}

/// [element] what its terms add to the rates of its equations.
std::vector<double> rates_of_terms(const Discretization& discretization, const Problem& problem) {
  std::vector<double> rates(discretization.K(), 0.0);
  for (const ElementTerm& term : problem.element_terms) {
    const std::size_t places = profile_places(discretization, term);
    const symbolic::Program program({term.fastest_rate});
    for (std::size_t i = 0; i < term.elements.size(); ++i) {
      const auto k = static_cast<std::size_t>(term.elements[i]);
      rates[k] += fastest_rate(problem, term, program, i, k, places);
    }
  }
  for (const FaceTerm& term : problem.face_terms) {
    if (term.auxiliary.empty()) continue;
    const symbolic::Program program({term.fastest_rate});
    for (std::size_t i = 0; i < term.faces.size(); ++i) {
      const auto k = static_cast<std::size_t>(term.faces[i].element);
      rates[k] += fastest_rate(problem, term, program, i, k, static_cast<std::size_t>(discretization.Nfp()));
    }
  }
  return rates;
}

}  // namespace

double stable_step(const Discretization& discretization, const Problem& problem, const RungeKutta& method) {
  const double losses = 0.86 * real_extent(method);  // they move eigenvalues left by their rate
  const double number = stability_number(discretization.N(), problem.system.alpha, method);
  const std::size_t K = discretization.K();
  const std::vector<double> speeds = largest_in_each_element(problem, problem.system.max_speed, K);
  const std::vector<double> loss_rates = largest_in_each_element(problem, problem.system.relaxation_rate, K);
  const std::vector<double> term_rates = rates_of_terms(discretization, problem);
  double largest_rate = 0.0;
  for (std::size_t k = 0; k < K; ++k) {
    const double rate = loss_rates[k] + term_rates[k];
    largest_rate = std::max(largest_rate, speeds[k] / (number * discretization.inscribed_radius(k)) + rate / losses);
  }
  return 1.0 / largest_rate;
}

const RungeKutta& default_method(int N, std::optional<double> alpha) {
  constexpr int last_order_of_long_steps = 6;
  if (N > last_order_of_long_steps) return lsrk54();
  const auto methods = runge_kutta_methods();
  return **std::min_element(methods.begin(), methods.end(), [&](const RungeKutta* a, const RungeKutta* b) {
    return a->stages() / stability_number(N, alpha, *a) < b->stages() / stability_number(N, alpha, *b);
  });
}

}  // namespace maxwell_dg::dg
