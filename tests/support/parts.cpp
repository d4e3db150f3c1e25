#include "tests/support/parts.hpp"

#include <algorithm>
#include <limits>
#include <random>

namespace maxwell_dg::dg::testing {

std::vector<int> random_ranks(const Discretization& whole, int ranks, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t places = whole.complex_view.places();
  std::vector<int> of_place(places);
  for (std::size_t k = 0; k < places; ++k) {
    of_place[k] =
        k < static_cast<std::size_t>(ranks) ? static_cast<int>(k) : static_cast<int>(random() % std::max(1, ranks - 1));
  }
  std::ranges::shuffle(of_place, random);
  std::vector<int> of_element;
  for (std::size_t k = 0; k < whole.K(); ++k) of_element.push_back(of_place[k % places]);
  return of_element;
}

std::vector<double> state_of_part(const Discretization& part, std::size_t fields, const std::vector<double>& whole) {
  const auto Np = static_cast<std::size_t>(part.Np());
  const auto at = [&](std::size_t element, std::size_t field, std::size_t node) {
    return (element * fields + field) * Np + node;
  };
  std::vector<double> q(part.K() * fields * Np, std::numeric_limits<double>::quiet_NaN());
  const auto copy = [&](std::size_t k, std::size_t f, std::size_t n) {
    q[at(k, f, n)] = whole[at(index(part.whole_numbers[k]), f, n)];
  };
  for (std::size_t f = 0; f < fields; ++f) {
    for (std::size_t k = 0; k < part.own(); ++k) {
      for (std::size_t n = 0; n < Np; ++n) copy(k, f, n);
    }
    for (const Halo::Link& link : part.halo.links) {
      for (const auto& [element, face] : link.received) {
        for (int i = 0; i < part.Nfp(); ++i) copy(element, f, index(part.reference.Fmask(i, face)));
      }
    }
  }
  return q;
}

}  // namespace maxwell_dg::dg::testing
