#include "dg/codegen/tiles/mirror/mirror_tiles.hpp"

#include <set>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

TEST(MirrorTiles, kinds_begin_where_steps_do_and_every_point_has_a_column) {
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    const ReferenceElement reference = ReferenceElement::make(N);
    const MirrorColumns columns = MirrorColumns::of_face_nodes(reference);
    for (const int first : columns.first) EXPECT_EQ(first % step_columns, 0) << "order " << N;
    const std::vector<int> offsets = columns.offsets();
    const std::set<int> different(offsets.begin(), offsets.end());
    EXPECT_EQ(different.size(), static_cast<std::size_t>(4 * reference.Nfp)) << "order " << N;
    EXPECT_LT(*different.rbegin(), columns.count) << "order " << N;
    EXPECT_LT(columns.count, 256) << "a place is a byte of a word";
  }
}

TEST(MirrorTiles, tiles_of_order_4_have_all_rows_and_a_quarter_of_the_steps) {
  const ReferenceElement reference = ReferenceElement::make(4);
  const MirrorColumns nodes = MirrorColumns::of_nodes(reference), face_nodes = MirrorColumns::of_face_nodes(reference);
  const std::vector<MirrorTile> tiles = mirror_tiles(nodes, face_nodes, 8);
  int rows = 0;
  for (const MirrorTile& tile : tiles) rows += tile.rows;
  EXPECT_EQ(rows, reference.Np);
  ASSERT_EQ(tiles.size(), 5U);  // of 14, 8, 8 and 5 rows
  // With D_u, D_v and D_w, 2 + 1 + 1, 1 + 2 + 1, 1 + 1 + 2 and 1 + 1 + 1 steps; of whole matrices a tile has 15.
  EXPECT_EQ(tiles.back().first_D, 4 + 4 + 4 + 4);
}

TEST(MirrorTiles, the_nodes_of_an_orbit_are_mirror_images) {
  const ReferenceElement reference = ReferenceElement::make(5);
  const MirrorColumns nodes = MirrorColumns::of_nodes(reference);
  const std::vector<std::int32_t> words = mirror_words(nodes, MirrorColumns::of_face_nodes(reference));
  ASSERT_EQ(words.size(), static_cast<std::size_t>(reference.Nfp + nodes.orbits()));
  std::set<int> all;
  for (int o = 0; o < nodes.orbits(); ++o) {
    const auto word = static_cast<std::uint32_t>(words[static_cast<std::size_t>(reference.Nfp + o)]);
    const auto node = [&](int i) { return static_cast<int>(word >> (8 * i) & 255U); };
    for (int i = 0; i < 4; ++i) all.insert(node(i));
    EXPECT_NEAR(reference.r[node(0)], reference.s[node(1)], 1e-12);  // the first reflection exchanges r and s
    EXPECT_NEAR(reference.t[node(0)], reference.t[node(1)], 1e-12);
    EXPECT_NEAR(reference.r[node(0)], reference.r[node(2)], 1e-12);  // the second keeps them
    EXPECT_NEAR(reference.s[node(2)], reference.r[node(3)], 1e-12);
  }
  EXPECT_EQ(all.size(), static_cast<std::size_t>(reference.Np));
}

}  // namespace
}  // namespace maxwell_dg::dg
