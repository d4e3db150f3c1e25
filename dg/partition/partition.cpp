#include "dg/partition/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/space_filling_curve.hpp"
#include "dg/partition/metis.hpp"

namespace maxwell_dg::dg {

namespace {

/// Above so many elements METIS takes too long: 6 s for 10 million of them (docs/decisions/028-partition.md).
constexpr std::size_t most_places_for_metis = 20'000'000;
/// A partition that is less balanced than this is no candidate where another one is better balanced.
constexpr double accepted_imbalance = 1.03;

/// [place] the weight of its elements.
std::vector<double> weights_of_places(const DividedMesh& d, std::span<const double> weights) {
  std::vector<double> result(d.places, weights.empty() ? 1.0 : 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) result[k % result.size()] += weights[k];
  return result;
}

PartitionGraph graph_of(const DividedMesh& d, std::vector<double> weights) {
  PartitionGraph graph{.first = {0}, .others = {}, .weights = std::move(weights)};
  for (std::size_t k = 0; k < graph.weights.size(); ++k) {
    for (const std::int32_t n : d.connectivity.neighbours[k]) {
      if (n >= 0) graph.others.push_back(n / 4);
    }
    graph.first.push_back(static_cast<std::int32_t>(graph.others.size()));
  }
  return graph;
}

/// Gives each empty part a vertex of the part that has most of them.
void fill_empty_parts(std::vector<int>& rank_of_place, int parts) {
  std::vector<std::size_t> size(static_cast<std::size_t>(parts));
  for (const int rank : rank_of_place) ++size[index(rank)];
  for (std::size_t empty = 0; empty < size.size(); ++empty) {
    if (size[empty] > 0) continue;
    const auto largest = std::ranges::max_element(size);
    const auto taken = std::ranges::find(rank_of_place, static_cast<int>(largest - size.begin()));
    *taken = static_cast<int>(empty);
    --*largest;
    ++size[empty];
  }
}

std::vector<int> divide_by_curve(const DividedMesh& d, const std::vector<double>& weights, int parts) {
  const std::vector<std::uint64_t> on_curve = places_on_curve(d.mesh);
  std::vector<std::int32_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::int32_t k) { return on_curve[index(k)]; });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<int> rank_of_place(weights.size());
  int rank = 0;
  double before = 0;  // the weight of all that comes earlier on the curve
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double weight = weights[index(order[i])];
    const int wanted = std::min(parts - 1, static_cast<int>((before + 0.5 * weight) / total * parts));
    // At most one further than the element before, and as many elements are left as there are parts to come.
    const int least = parts - static_cast<int>(std::min<std::size_t>(order.size() - i, index(parts)));
    if (i > 0) rank = std::max({rank, least, std::min(wanted, rank + 1)});
    rank_of_place[index(order[i])] = rank;
    before += weight;
  }
  return rank_of_place;
}

Partition partition_of(const DividedMesh& d, PartitionMethod method, const std::vector<int>& rank_of_place, int parts,
                       std::span<const double> weights) {
  Partition result{.rank_of_element = {}, .method = method, .quality = {}};
  result.rank_of_element.reserve(d.K());
  for (std::size_t k = 0; k < d.K(); ++k) result.rank_of_element.push_back(rank_of_place[k % rank_of_place.size()]);
  result.quality = quality_of(d, result.rank_of_element, parts, weights);
  return result;
}

bool is_better(const PartitionQuality& a, const PartitionQuality& b) {
  if (std::max(a.imbalance, b.imbalance) > accepted_imbalance && a.imbalance != b.imbalance) {
    return a.imbalance < b.imbalance;
  }
  return std::pair(a.most_faces_cut, a.faces_cut) < std::pair(b.most_faces_cut, b.faces_cut);
}

}  // namespace

std::string_view name_of(PartitionMethod method) {
  switch (method) {
    case PartitionMethod::best: return "best";
    case PartitionMethod::metis: return "metis";
    default: return "curve";
  }
}

PartitionQuality quality_of(const DividedMesh& d, std::span<const int> rank_of_element, int parts,
                            std::span<const double> weights) {
  const std::vector<double> of_places = weights_of_places(d, weights);
  std::vector<double> weight(index(parts));
  std::vector<std::size_t> faces_cut(index(parts));
  std::vector<std::set<int>> neighbours(index(parts));
  for (std::size_t k = 0; k < of_places.size(); ++k) {
    const int rank = rank_of_element[k];
    weight[index(rank)] += of_places[k];
    for (const std::int32_t n : d.connectivity.neighbours[k]) {
      if (n < 0 || rank_of_element[index(n / 4)] == rank) continue;
      ++faces_cut[index(rank)];
      neighbours[index(rank)].insert(rank_of_element[index(n / 4)]);
    }
  }
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  const auto most = std::ranges::max_element(neighbours, {}, &std::set<int>::size);
  return {.faces_cut = std::accumulate(faces_cut.begin(), faces_cut.end(), std::size_t{0}) / 2,
          .most_faces_cut = *std::ranges::max_element(faces_cut),
          .most_neighbours = most->size(),
          .imbalance = *std::ranges::max_element(weight) / total * parts};
}

void check_partition(const DividedMesh& d, int parts, PartitionMethod method, std::span<const double> weights) {
  const std::size_t places = d.places;
  if (parts < 1) throw std::invalid_argument("partition: at least one part is needed");
  if (!weights.empty() && weights.size() != d.K()) {
    throw std::invalid_argument("partition: one weight for each element is needed");
  }
  if (!std::ranges::all_of(weights, [](double weight) { return weight > 0; })) {
    throw std::invalid_argument("partition: weights above 0 are needed");
  }
  if (index(parts) > places) {
    throw ConfigError("a mesh of " + std::to_string(places) + (places == 1 ? " element" : " elements") + " for " +
                      std::to_string(parts) + " processes: start at most as many processes as there are elements");
  }
  if (method == PartitionMethod::metis && !has_metis()) {
    throw ConfigError(
        "a partition by METIS, which this build is without: install libmetis-dev and build again, or divide the mesh "
        "by its space-filling curve");
  }
}

Partition partition(const DividedMesh& d, int parts, PartitionMethod method, std::span<const double> weights) {
  check_partition(d, parts, method, weights);
  const std::vector<double> of_places = weights_of_places(d, weights);
  const auto by_curve = [&] {
    return partition_of(d, PartitionMethod::curve, divide_by_curve(d, of_places, parts), parts, weights);
  };
  const auto by_metis = [&] {
    std::vector<int> rank_of_place = divide_by_metis(graph_of(d, of_places), parts);
    fill_empty_parts(rank_of_place, parts);
    return partition_of(d, PartitionMethod::metis, rank_of_place, parts, weights);
  };
  if (method == PartitionMethod::metis) return by_metis();
  if (method == PartitionMethod::curve || parts == 1 || of_places.size() > most_places_for_metis) return by_curve();
  if (!has_metis()) {
    log_info("the mesh is divided by its space-filling curve: this build is without METIS");
    return by_curve();
  }
  Partition a = by_curve(), b = by_metis();
  return is_better(b.quality, a.quality) ? b : a;
}

}  // namespace maxwell_dg::dg
