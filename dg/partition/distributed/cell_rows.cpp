#include "dg/partition/distributed/cell_rows.hpp"

#include <cstddef>
#include <utility>

#include "core/mpi/exchange.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

template <class T>
std::vector<T> rows(const std::vector<T>& all, std::span<const std::int32_t> chosen) {
  std::vector<T> result;
  result.reserve(chosen.size());
  for (const std::int32_t i : chosen) result.push_back(all[index(i)]);
  return result;
}

template <class T>
void add(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

template <class T>
std::vector<std::vector<T>> exchange_rows(const std::vector<T>& all, std::span<const std::vector<std::int32_t>> lists,
                                          const core::Communicator& ranks) {
  std::vector<std::vector<T>> to_each;
  for (const auto& list : lists) to_each.push_back(rows(all, list));
  return core::exchange(ranks, to_each);
}

}  // namespace

CellRows CellRows::picked(std::span<const std::int32_t> cells) const {
  CellRows result{.numbers = rows(numbers, cells),
                  .vertices = rows(vertices, cells),
                  .region = rows(region, cells),
                  .curved = curved,
                  .values = {}};
  result.curved.reorder(cells);
  for (const auto& [name, of_cells] : values) result.values[name] = rows(of_cells, cells);
  return result;
}

void CellRows::append(const CellRows& others) {
  if (curved.any() || others.curved.any()) {
    const CurvedCells& one = curved.any() ? curved : others.curved;
    const auto count = static_cast<std::int32_t>(curved.any() ? curved.count() : 0);
    CurvedCells all{.order = one.order, .number = {}, .nodes = curved.nodes};
    for (std::size_t k = 0; k < size(); ++k) all.number.push_back(curved.is_curved(k) ? curved.number[k] : -1);
    for (std::size_t k = 0; k < others.size(); ++k) {
      all.number.push_back(others.curved.is_curved(k) ? count + others.curved.number[k] : -1);
    }
    add(all.nodes, others.curved.nodes);
    curved = std::move(all);
  }
  add(numbers, others.numbers);
  add(vertices, others.vertices);
  add(region, others.region);
  for (const auto& [name, of_cells] : others.values) add(values[name], of_cells);
}

std::vector<std::int32_t> numbers_of_vertices(const CellRows& cells) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(4 * cells.size());
  for (const auto& cell : cells.vertices) numbers.insert(numbers.end(), cell.begin(), cell.end());
  return numbers;
}

std::vector<CellRows> exchange(const CellRows& cells, std::span<const std::vector<std::int32_t>> lists,
                               int curved_order, const core::Communicator& ranks) {
  std::vector<CellRows> result(lists.size());
  const auto take = [&]<class T>(std::vector<std::vector<T>> of_ranks, const auto& place) {
    for (std::size_t r = 0; r < result.size(); ++r) place(result[r]) = std::move(of_ranks[r]);
  };
  take(
      exchange_rows(cells.numbers, lists, ranks), [](CellRows & to) -> auto& { return to.numbers; });
  take(
      exchange_rows(cells.vertices, lists, ranks), [](CellRows & to) -> auto& { return to.vertices; });
  take(
      exchange_rows(cells.region, lists, ranks), [](CellRows & to) -> auto& { return to.region; });
  for (const auto& [name, of_cells] : cells.values) {
    take(
        exchange_rows(of_cells, lists, ranks), [&](CellRows & to) -> auto& { return to.values[name]; });
  }
  if (curved_order == 1) return result;

  std::vector<std::vector<std::int32_t>> curved;  // [rank] indices into its list
  std::vector<std::vector<Point>> nodes;
  for (const auto& list : lists) {
    curved.emplace_back();
    nodes.emplace_back();
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!cells.curved.is_curved(index(list[i]))) continue;
      curved.back().push_back(static_cast<std::int32_t>(i));
      const auto of_cell = cells.curved.nodes_of(index(list[i]));
      nodes.back().insert(nodes.back().end(), of_cell.begin(), of_cell.end());
    }
  }
  const auto curved_of_ranks = core::exchange(ranks, curved);
  auto nodes_of_ranks = core::exchange(ranks, nodes);
  for (std::size_t r = 0; r < result.size(); ++r) {
    if (curved_of_ranks[r].empty()) continue;
    CurvedCells& of_rank = result[r].curved;
    of_rank = {.order = curved_order,
               .number = std::vector<std::int32_t>(result[r].size(), -1),
               .nodes = std::move(nodes_of_ranks[r])};
    std::int32_t number = 0;
    for (const std::int32_t i : curved_of_ranks[r]) of_rank.number[index(i)] = number++;
  }
  return result;
}

}  // namespace maxwell_dg::dg
