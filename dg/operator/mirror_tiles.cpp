#include "dg/operator/mirror_tiles.hpp"

#include <algorithm>
#include <utility>

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

MirrorColumns::MirrorColumns(MirrorSums of_points) : sums(std::move(of_points)) {
  for (std::size_t kind = 0; kind < MirrorSums::kinds; ++kind) {
    first.at(kind) = count;
    count += round_up(sums.count.at(kind), step_columns);
  }
}

std::vector<int> MirrorColumns::places() const {
  std::vector<int> places = sums.slot;
  for (int& place : places) {
    std::size_t kind = 0;
    while (kind + 1 < MirrorSums::kinds && place >= sums.first_slot.at(kind + 1)) ++kind;
    place += first.at(kind) - sums.first_slot.at(kind);
  }
  return places;
}

std::vector<MirrorTile> mirror_tiles(const MirrorColumns& nodes, const MirrorColumns& face_nodes, int tile_nodes) {
  std::vector<MirrorTile> tiles;
  int first_D = 0, first_LIFT = 0;
  for (int kind = 0; kind < MirrorSums::kinds; ++kind) {
    const int rows = nodes.sums.count.at(static_cast<std::size_t>(kind));
    for (int first = 0; first < rows; first += tile_nodes) {
      tiles.push_back({kind, first, std::min(tile_nodes, rows - first), first_D, first_LIFT});
      for (int axis = 0; axis < 3; ++axis) first_D += nodes.steps_of(kind ^ axis);
      first_LIFT += face_nodes.steps_of(kind);
    }
  }
  return tiles;
}

std::vector<std::int32_t> mirror_words(const ReferenceElement& reference) {
  const auto word = [](const std::array<int, 4>& bytes) {
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < 4; ++i) all |= static_cast<std::uint32_t>(bytes.at(i)) << (8 * i);
    return static_cast<std::int32_t>(all);
  };
  std::vector<std::int32_t> words;
  const std::vector<int> places = MirrorColumns(MirrorSums::of_face_nodes(reference)).places();
  for (int node = 0; node < reference.Nfp; ++node) {
    std::array<int, 4> of_faces{};
    for (int face = 0; face < 4; ++face) {
      of_faces.at(static_cast<std::size_t>(face)) = places[static_cast<std::size_t>(face * reference.Nfp + node)];
    }
    words.push_back(word(of_faces));
  }
  const MirrorSums sums = MirrorSums::of_nodes(reference);
  std::vector<int> node_in(sums.slot.size());  // [slot]
  for (std::size_t n = 0; n < sums.slot.size(); ++n)
    node_in[static_cast<std::size_t>(sums.slot[n])] = static_cast<int>(n);
  const auto node = [&](int kind, int orbit) {
    return node_in[static_cast<std::size_t>(sums.first_slot.at(static_cast<std::size_t>(kind)) + orbit)];
  };
  const int orbits = sums.count[0];
  for (int o = 0; o < orbits; ++o) {
    const int x = node(0, o);
    if (o < sums.fours) {
      words.push_back(word({x, node(1, o), node(2, o), node(3, o)}));
    } else if (o < sums.fours + sums.seconds) {
      words.push_back(word({x, x, node(2, o), node(2, o)}));
    } else if (o < sums.fours + sums.seconds + sums.firsts) {
      const int y = node(1, o - sums.seconds);
      words.push_back(word({x, y, x, y}));
    } else {
      words.push_back(word({x, x, x, x}));
    }
  }
  return words;
}

}  // namespace maxwell_dg::dg
