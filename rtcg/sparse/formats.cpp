#include "rtcg/sparse/formats.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/round_up.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::size_t size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

// Rows in packets, one packet after another.
std::vector<std::int32_t> grown_packets(const SparsityPattern& p, std::size_t packet_rows) {
  std::vector<std::int32_t> order;
  std::vector<bool> is_seen(size(p.rows), false);
  std::vector<std::int32_t> queue;
  std::size_t seed = 0;
  while (true) {
    const std::size_t packet_begin = order.size();
    queue.clear();
    for (std::size_t next = 0; order.size() - packet_begin < packet_rows; ++next) {
      if (next == queue.size()) {  // nothing more hangs together with it
        while (seed < is_seen.size() && is_seen[seed]) ++seed;
        if (seed == is_seen.size()) break;
        is_seen[seed] = true;
        queue.push_back(static_cast<std::int32_t>(seed));
      }
      const auto row = static_cast<std::size_t>(queue[next]);
      order.push_back(queue[next]);
      for (std::size_t k = size(p.row_begin[row]); k < size(p.row_begin[row + 1]); ++k) {
        const auto neighbour = static_cast<std::size_t>(p.column[k]);
        if (is_seen[neighbour]) continue;
        is_seen[neighbour] = true;
        queue.push_back(p.column[k]);
      }
    }
    // Those that the packet had no room for wait for another.
    for (std::size_t k = order.size() - packet_begin; k < queue.size(); ++k) {
      is_seen[static_cast<std::size_t>(queue[k])] = false;
      seed = std::min(seed, static_cast<std::size_t>(queue[k]));
    }
    if (order.size() == packet_begin) return order;
    order.resize(round_up(order.size(), packet_rows), -1);
  }
}

}  // namespace

std::vector<std::int64_t> row_blocks(const SparsityPattern& p, std::int64_t most_rows, std::int64_t most_entries) {
  std::vector<std::int64_t> begin{0};
  for (std::int64_t row = 0; row < p.rows; ++row) {
    const bool is_full =
        row - begin.back() == most_rows || p.row_begin[size(row) + 1] - p.row_begin[size(begin.back())] > most_entries;
    if (row > begin.back() && is_full) begin.push_back(row);
  }
  if (p.rows > 0) begin.push_back(p.rows);
  return begin;
}

SlicedEll sliced_ell(const SparsityPattern& p, std::size_t slice_rows, RowOrder order) {
  SlicedEll ell{.slice_rows = slice_rows, .row_of = {}, .slice_begin = {0}, .column = {}, .source = {}};
  const auto length = [&](std::size_t row) { return p.row_begin[row + 1] - p.row_begin[row]; };
  if (order == RowOrder::by_length) {
    ell.row_of.resize(size(p.rows));
    std::iota(ell.row_of.begin(), ell.row_of.end(), 0);
    std::ranges::stable_sort(ell.row_of, std::ranges::greater{},
                             [&](std::int32_t row) { return length(static_cast<std::size_t>(row)); });
  }
  const auto row_at = [&](std::size_t place) {
    return ell.row_of.empty() ? place : static_cast<std::size_t>(ell.row_of[place]);
  };
  for (std::size_t first = 0; first < size(p.rows); first += slice_rows) {
    const std::size_t end = std::min(first + slice_rows, size(p.rows));
    std::int64_t width = 0;
    for (std::size_t place = first; place < end; ++place) width = std::max(width, length(row_at(place)));
    const std::size_t begin = ell.column.size();
    ell.column.resize(begin + size(width) * slice_rows, -1);
    ell.source.resize(ell.column.size(), -1);
    for (std::size_t place = first; place < end; ++place) {
      const std::int64_t row_begin = p.row_begin[row_at(place)];
      for (std::int64_t k = 0; k < length(row_at(place)); ++k) {
        const std::size_t to = begin + size(k) * slice_rows + (place - first);
        ell.column[to] = p.column[size(row_begin + k)];
        ell.source[to] = row_begin + k;
      }
    }
    ell.slice_begin.push_back(ell.slice_begin.back() + width);
  }
  return ell;
}

Packets packeted(const SparsityPattern& p, std::size_t packet_rows, std::size_t slice_rows) {
  Packets packets{.packet_rows = packet_rows,
                  .slice_rows = slice_rows,
                  .row_of = grown_packets(p, packet_rows),
                  .slice_begin = {0},
                  .near = {},
                  .source = {},
                  .rest_begin = {0},
                  .rest_column = {},
                  .rest_source = {}};
  const std::vector<std::int32_t>& row_of = packets.row_of;
  std::vector<std::size_t> place_of(size(p.rows));
  for (std::size_t l = 0; l < row_of.size(); ++l) {
    if (row_of[l] >= 0) place_of[static_cast<std::size_t>(row_of[l])] = l;
  }
  for (std::size_t first = 0; first < row_of.size(); first += slice_rows) {
    const std::size_t packet = first / packet_rows, begin = packets.near.size();
    std::size_t width = 0;
    for (std::size_t lane = 0; lane < slice_rows; ++lane) {
      std::size_t inside = 0;
      const std::int32_t row = row_of[first + lane];
      const std::int64_t row_end = row < 0 ? 0 : p.row_begin[static_cast<std::size_t>(row) + 1];
      for (std::int64_t k = row < 0 ? 0 : p.row_begin[static_cast<std::size_t>(row)]; k < row_end; ++k) {
        const std::int32_t column = p.column[size(k)];
        const std::size_t at = place_of[static_cast<std::size_t>(column)];
        if (at / packet_rows != packet) {
          packets.rest_column.push_back(column);
          packets.rest_source.push_back(k);
          continue;
        }
        const std::size_t place = begin + inside * slice_rows + lane;
        if (inside == width) {
          ++width;
          packets.near.resize(begin + width * slice_rows, 0xffff);
          packets.source.resize(packets.near.size(), -1);
        }
        packets.near[place] = static_cast<std::uint16_t>(at % packet_rows);
        packets.source[place] = k;
        ++inside;
      }
      packets.rest_begin.push_back(static_cast<std::int64_t>(packets.rest_column.size()));
    }
    packets.slice_begin.push_back(packets.slice_begin.back() + static_cast<std::int64_t>(width));
  }
  return packets;
}

}  // namespace maxwell_dg::rtcg
