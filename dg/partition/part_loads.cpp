#include "dg/partition/part_loads.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "dg/partition/reads.hpp"

namespace maxwell_dg::dg {

namespace {

template <class T>
void sort_once(std::vector<T>& values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::vector<PartLoad> part_loads(const Discretization& d, const Problem& problem, std::span<const int> rank_of_element,
                                 int parts, std::span<const double> costs) {
  std::vector<PartLoad> loads(index(parts));
  for (std::size_t k = 0; k < d.K(); ++k) {
    PartLoad& load = loads[index(rank_of_element[k])];
    ++load.elements;
    load.cost += costs.empty() ? 1.0 : costs[k];
    for (const std::int32_t n : d.connectivity.neighbours[k]) {
      if (n >= 0 && rank_of_element[index(n / 4)] != rank_of_element[k]) ++load.faces_cut;
    }
  }
  const double mean = std::accumulate(loads.begin(), loads.end(), 0.0,
                                      [](double sum, const PartLoad& load) { return sum + load.cost; }) /
                      parts;
  for (PartLoad& load : loads) load.cost /= mean;

  // A place of complex fields is a ghost with both of its elements, if either is read.
  const std::size_t places = d.complex_view.places(), copies = d.K() / places;
  std::vector<std::tuple<int, ElementFace>> traces;  // the part that reads, the face
  std::vector<std::tuple<int, std::size_t>> ghosts;  // the part that reads, the place
  std::vector<std::set<int>> neighbours(index(parts));
  for_each_read(d, problem, [&](std::size_t k, const ElementFace& face) {
    const int reader = rank_of_element[k], owner = rank_of_element[face.element];
    if (reader == owner) return;
    traces.emplace_back(reader, face);
    ghosts.emplace_back(reader, face.element % places);
    neighbours[index(reader)].insert(owner);
    neighbours[index(owner)].insert(reader);
  });
  sort_once(traces);
  sort_once(ghosts);
  for (const auto& [reader, face] : traces) ++loads[index(rank_of_element[face.element])].traces_sent;
  for (const auto& [reader, place] : ghosts) loads[index(reader)].ghosts += copies;
  for (std::size_t part = 0; part < loads.size(); ++part) loads[part].neighbours = neighbours[part].size();
  return loads;
}

}  // namespace maxwell_dg::dg
