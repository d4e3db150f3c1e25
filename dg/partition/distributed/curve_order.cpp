#include "dg/partition/distributed/curve_order.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

namespace maxwell_dg::dg {

namespace {

/// [piece but the first] where it begins. Each rank gives places at equal distances in what it has, sorted.
std::vector<std::uint64_t> begins_of_pieces(const std::vector<CellOnCurve>& sorted, const core::Communicator& ranks) {
  const std::size_t pieces = static_cast<std::size_t>(ranks.size()), count = std::min(8 * pieces, sorted.size());
  std::vector<std::uint64_t> samples;
  for (std::size_t i = 0; i < count; ++i) samples.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * count)].place);
  std::vector<std::uint64_t> all;
  for (const auto& of_rank : ranks.gather_to_all(std::as_bytes(std::span(samples)))) {
    const auto places = core::values_of<std::uint64_t>(of_rank);
    all.insert(all.end(), places.begin(), places.end());
  }
  std::ranges::sort(all);
  std::vector<std::uint64_t> begins;
  for (std::size_t piece = 1; piece < pieces; ++piece) begins.push_back(all[piece * all.size() / pieces]);
  return begins;
}

/// What pieces of the curve hold: straight cells, curved ones, costs.
using Totals = std::array<double, 3>;

/// The sums over the ranks before this one, and over all.
std::pair<Totals, Totals> sums_before(const Totals& mine, const core::Communicator& ranks) {
  Totals before{}, all{};
  int rank = 0;
  for (const auto& of_rank : ranks.gather_to_all(std::as_bytes(std::span(mine)))) {
    const auto theirs = core::values_of<double>(of_rank);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (rank < ranks.rank()) before[i] += theirs[i];
      all[i] += theirs[i];
    }
    ++rank;
  }
  return {before, all};
}

}  // namespace

std::vector<OrderedCell> order_along_curve(std::vector<CellOnCurve> mine, const Slices& cells,
                                           const core::Communicator& ranks) {
  const auto by_place = [](const CellOnCurve& a, const CellOnCurve& b) {
    return std::tuple(a.place, a.is_curved, a.cell) < std::tuple(b.place, b.is_curved, b.cell);
  };
  const std::size_t parts = static_cast<std::size_t>(ranks.size()), given = mine.size();
  std::ranges::sort(mine, by_place);
  const std::vector<std::uint64_t> begins = begins_of_pieces(mine, ranks);
  std::vector<std::vector<CellOnCurve>> to_sorters(parts);
  for (const CellOnCurve& cell : mine) {
    to_sorters[static_cast<std::size_t>(std::ranges::upper_bound(begins, cell.place) - begins.begin())].push_back(cell);
  }
  mine.clear();
  std::vector<CellOnCurve> piece;
  for (const auto& of_rank : core::exchange(ranks, to_sorters))
    piece.insert(piece.end(), of_rank.begin(), of_rank.end());
  std::ranges::sort(piece, by_place);

  Totals totals{};
  for (const CellOnCurve& cell : piece) {
    totals[cell.is_curved != 0 ? 1 : 0] += 1;
    totals[2] += cell.cost;
  }
  auto [before, all] = sums_before(totals, ranks);
  struct Answer {
    std::int32_t cell;
    OrderedCell order;
  };
  std::vector<std::vector<Answer>> answers(parts);
  for (const CellOnCurve& cell : piece) {
    const double place = cell.is_curved != 0 ? all[0] + before[1]++ : before[0]++;
    const double middle = before[2] + 0.5 * cell.cost;
    before[2] += cell.cost;
    const auto rank =
        std::min<std::int32_t>(ranks.size() - 1, static_cast<std::int32_t>(middle / all[2] * ranks.size()));
    answers[cells.owner(index(cell.cell))].push_back({cell.cell, {static_cast<std::int32_t>(place), rank}});
  }
  std::vector<OrderedCell> result(given);
  const std::size_t first = cells.begin(ranks.rank());
  for (const auto& of_rank : core::exchange(ranks, answers)) {
    for (const Answer& answer : of_rank) result[index(answer.cell) - first] = answer.order;
  }
  return result;
}

}  // namespace maxwell_dg::dg
