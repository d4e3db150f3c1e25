#include "dg/codegen/tiles/mirror/mirror_tiles.hpp"

#include <algorithm>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/tiles/bank_order.hpp"

namespace maxwell_dg::dg {

namespace {

/// [orbit] its four points, repeated where it has fewer.
std::vector<std::array<int, 4>> points_of_orbits(const MirrorSums& sums) {
  std::vector<int> point_in(sums.slot.size());  // [slot]
  for (std::size_t x = 0; x < sums.slot.size(); ++x) {
    point_in[static_cast<std::size_t>(sums.slot[x])] = static_cast<int>(x);
  }
  const auto point = [&](int kind, int i) {
    return point_in[static_cast<std::size_t>(sums.first_slot.at(static_cast<std::size_t>(kind)) + i)];
  };
  std::vector<std::array<int, 4>> orbits;
  for (int o = 0; o < sums.count[0]; ++o) {
    const int x = point(0, o);
    if (o < sums.fours) {
      orbits.push_back({x, point(1, o), point(2, o), point(3, o)});
    } else if (o < sums.fours + sums.seconds) {
      orbits.push_back({x, x, point(2, o), point(2, o)});
    } else if (o < sums.fours + sums.seconds + sums.firsts) {
      const int y = point(1, o - sums.seconds);
      orbits.push_back({x, y, x, y});
    } else {
      orbits.push_back({x, x, x, x});
    }
  }
  return orbits;
}

}  // namespace

MirrorColumns::MirrorColumns(MirrorSums of_points) : sums(std::move(of_points)) {
  for (std::size_t kind = 0; kind < MirrorSums::kinds; ++kind) {
    first.at(kind) = count;
    count += round_up(sums.count.at(kind), step_columns);
  }
}

MirrorColumns MirrorColumns::of_nodes(const ReferenceElement& reference) {
  const MirrorSums sums = MirrorSums::of_nodes(reference);
  const std::vector<std::array<int, 4>> orbits = points_of_orbits(sums);
  std::vector<SquareAccess> accesses(4);
  for (const std::array<int, 4>& orbit : orbits) {
    for (std::size_t i = 0; i < 4; ++i) accesses[i].offsets.push_back(orbit.at(i));
  }
  std::vector<int> first_points;
  for (const int o : order_by_squares(accesses, {sums.fours, sums.seconds, sums.firsts, sums.ones})) {
    first_points.push_back(orbits[static_cast<std::size_t>(o)].front());
  }
  return MirrorColumns(MirrorSums::of_nodes(reference, first_points));
}

MirrorColumns MirrorColumns::of_face_nodes(const ReferenceElement& reference) {
  return MirrorColumns(MirrorSums::of_face_nodes(reference));
}

std::vector<int> MirrorColumns::offsets() const {
  std::vector<int> offsets = sums.slot;
  for (int& offset : offsets) {
    std::size_t kind = 0;
    while (kind + 1 < MirrorSums::kinds && offset >= sums.first_slot.at(kind + 1)) ++kind;
    offset += first.at(kind) - sums.first_slot.at(kind);
  }
  return offsets;
}

std::vector<MirrorTile> mirror_tiles(const MirrorColumns& nodes, const MirrorColumns& face_nodes, int tile_nodes) {
  std::vector<MirrorTile> tiles;
  int first_D = 0, first_lift = 0;
  for (int kind = 0; kind < MirrorSums::kinds; ++kind) {
    const int rows = nodes.sums.count.at(static_cast<std::size_t>(kind));
    for (int first = 0; first < rows; first += tile_nodes) {
      tiles.push_back({kind, first, std::min(tile_nodes, rows - first), first_D, first_lift});
      for (int axis = 0; axis < 3; ++axis) first_D += nodes.steps_of(kind ^ axis);
      first_lift += face_nodes.steps_of(kind);
    }
  }
  return tiles;
}

std::int32_t word_of(const std::array<int, 4>& bytes) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= static_cast<std::uint32_t>(bytes.at(i)) << (8 * i);
  return static_cast<std::int32_t>(word);
}

std::vector<std::int32_t> mirror_words(const MirrorColumns& nodes, const MirrorColumns& face_nodes) {
  std::vector<std::int32_t> words;
  const std::vector<int> offsets = face_nodes.offsets();
  const std::size_t Nfp = offsets.size() / 4;
  for (std::size_t node = 0; node < Nfp; ++node) {
    words.push_back(word_of({offsets[node], offsets[Nfp + node], offsets[2 * Nfp + node], offsets[3 * Nfp + node]}));
  }
  for (const std::array<int, 4>& orbit : points_of_orbits(nodes.sums)) words.push_back(word_of(orbit));
  return words;
}

}  // namespace maxwell_dg::dg
