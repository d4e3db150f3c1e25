#include "dg/partition/metis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#if MAXWELL_DG_HAVE_METIS
#include <metis.h>
#endif

namespace maxwell_dg::dg {

#if MAXWELL_DG_HAVE_METIS

namespace {

/// METIS counts weights in integers: at least 1 each, about three digits of them, and all in 31 bits.
std::vector<idx_t> whole_weights(const std::vector<double>& weights) {
  constexpr double digits = 1000, most = 1e9;
  const double least = *std::ranges::min_element(weights), sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double scale = std::min(digits / least, most / sum);
  std::vector<idx_t> result;
  result.reserve(weights.size());
  for (const double weight : weights)
    result.push_back(std::max<idx_t>(1, static_cast<idx_t>(std::lround(weight * scale))));
  return result;
}

}  // namespace

bool has_metis() {
  return true;
}

std::vector<int> divide_by_metis(const PartitionGraph& graph, int parts) {
  if (parts == 1) return std::vector<int>(graph.weights.size(), 0);  // METIS 5.1 divides by 0
  std::array<idx_t, METIS_NOPTIONS> options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_UFACTOR] = 10;  // thousandths by which a part may be heavier than the mean
  idx_t vertices = static_cast<idx_t>(graph.weights.size()), constraints = 1, count = parts, cut = 0;
  std::vector<idx_t> first(graph.first.begin(), graph.first.end()), others(graph.others.begin(), graph.others.end());
  std::vector<idx_t> weights = whole_weights(graph.weights), part(graph.weights.size());
  const int result = METIS_PartGraphKway(&vertices, &constraints, first.data(), others.data(), weights.data(), nullptr,
                                         nullptr, &count, nullptr, nullptr, options.data(), &cut, part.data());
  if (result != METIS_OK)
    throw std::runtime_error("METIS_PartGraphKway returned " + std::to_string(result) +
                             ": too little memory, or a signal");
  return {part.begin(), part.end()};
}

#else

bool has_metis() {
  return false;
}

std::vector<int> divide_by_metis(const PartitionGraph&, int) {
  throw std::logic_error("divide_by_metis: this build has no METIS");
}

#endif

}  // namespace maxwell_dg::dg
