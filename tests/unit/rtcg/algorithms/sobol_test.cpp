#include "rtcg/array/random/sobol.hpp"

#include <algorithm>
#include <cmath>

#include "rtcg/array/operators.hpp"
#include "rtcg/array/random/sobol_directions.hpp"
#include "rtcg/array/totals.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

std::uint32_t word_on_host(int dimension, std::uint32_t n) {
  const SobolDirections directions = sobol_directions(dimension);
  std::uint32_t word = 0;
  for (std::size_t bit = 0; bit < directions.size(); ++bit) {
    if (((n ^ n >> 1) >> bit & 1) != 0) word ^= directions[bit];
  }
  return word;
}

class SobolTest : public ArrayTest {};

// The ten points of three dimensions that Joe and Kuo print as an example beside their table.
constexpr std::array<std::array<double, 3>, 10> published{{{0, 0, 0},
                                                           {0.5, 0.5, 0.5},
                                                           {0.75, 0.25, 0.25},
                                                           {0.25, 0.75, 0.75},
                                                           {0.375, 0.375, 0.625},
                                                           {0.875, 0.875, 0.125},
                                                           {0.625, 0.125, 0.875},
                                                           {0.125, 0.625, 0.375},
                                                           {0.1875, 0.3125, 0.9375},
                                                           {0.6875, 0.8125, 0.4375}}};

// Of scipy.stats.qmc.Sobol (SciPy 1.17.1), which reads all of that table.
struct KnownWord {
  std::uint32_t point;
  int dimension;
  std::uint32_t word;
};
constexpr std::array known_words{KnownWord{1000, 9, 0x11c00000},        KnownWord{1001, 63, 0xf2400000},
                                 KnownWord{4095, 127, 0x42f00000},      KnownWord{4094, 100, 0xd8500000},
                                 KnownWord{4000000000, 1, 0x5eecb507},  KnownWord{4000000000, 9, 0xd79559f9},
                                 KnownWord{4000000000, 127, 0xccca5147}};

TEST_F(SobolTest, points_are_the_published_ones) {
  SobolSequence sequence(context(), {.dimensions = 3});
  const std::vector<float> points = sequence.uniform(10, Dtype::float32).transpose().copy().to_vector<float>();
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i], published.at(i / 3).at(i % 3)) << i;
  EXPECT_EQ(sequence.position(), 10);
  SobolSequence wide(context(), {.dimensions = sobol_dimensions});
  for (const KnownWord& known : known_words) {
    wide.set_position(known.point);
    EXPECT_EQ(wide.bits(1)(known.dimension, 0).item<std::uint32_t>(), known.word) << known.point;
  }
}

TEST_F(SobolTest, points_are_those_of_the_host_wherever_a_run_begins) {
  const Context many(context().stream(), context().compiler(), context().pool(), WorkShape::many_items);
  for (const Context& each : {context(), many}) {
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{77}, (std::int64_t{1} << 32) - 20000}) {
      SobolSequence sequence(each, {.dimensions = 5});
      sequence.set_position(first);
      const std::vector<std::uint32_t> words = sequence.bits(20000).to_vector<std::uint32_t>();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < words.size(); ++i) {
        const auto n = static_cast<std::uint32_t>(first + static_cast<std::int64_t>(i % 20000));
        if (words[i] != word_on_host(static_cast<int>(i / 20000), n)) ++wrong;
      }
      EXPECT_EQ(wrong, 0U) << "from point " << first;
    }
  }
}

// Of 256 points, one in each of 256 slices of every coordinate, and one in each of 16 x 16 boxes of the first two.
TEST_F(SobolTest, points_fill_the_cube_evenly) {
  constexpr std::int64_t n = 256;
  SobolSequence sequence(context(), {.dimensions = sobol_dimensions, .seed = 5});
  const DeviceArray points = sequence.uniform(n, Dtype::float32);
  for (std::int64_t d = 0; d < sobol_dimensions; ++d) {
    std::vector<float> row = points(d).to_vector<float>();
    std::ranges::sort(row);
    for (std::size_t i = 0; i < row.size(); ++i) ASSERT_EQ(std::floor(row[i] * n), static_cast<float>(i)) << d;
  }
  const std::vector<float> x = points(0).to_vector<float>(), y = points(1).to_vector<float>();
  std::vector<int> boxes(n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ++boxes.at(static_cast<std::size_t>(x[i] * 16) * 16 + static_cast<std::size_t>(y[i] * 16));
  }
  EXPECT_EQ(boxes, std::vector<int>(n, 1));
}

TEST_F(SobolTest, means_converge_faster_than_those_of_random_points) {
  if (!has_float64()) GTEST_SKIP() << "needs float64";
  const auto error = [&](std::int64_t n, std::uint64_t seed) {
    SobolSequence sequence(context(), {.dimensions = 2, .seed = seed});
    const DeviceArray p = sequence.uniform(n);
    return std::abs(mean(exp(lazy(p(0))) * p(1)).item<double>() - (std::exp(1.0) - 1) / 2);
  };
  double coarse = 0, fine = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    coarse += error(256, seed);
    fine += error(16384, seed);
  }
  EXPECT_LT(fine * 32, coarse) << "of 64 times as many points: random ones gain a factor of 8";
}

TEST_F(SobolTest, a_seed_moves_all_points_and_keeps_their_order) {
  SobolSequence plain(context(), {.dimensions = 2}), moved(context(), {.dimensions = 2, .seed = 1});
  const auto words = plain.bits(100).to_vector<std::uint32_t>(), others = moved.bits(100).to_vector<std::uint32_t>();
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(words[i] ^ others[i], others[i / 100 * 100]);  // point 0 is the shift itself
  }
  EXPECT_NE(others[0], 0U);
  EXPECT_NE(others[0], others[100]);
}

TEST_F(SobolTest, what_it_has_not_is_refused) {
  EXPECT_EQ(message_of<ArrayError>([&] { SobolSequence(context(), {.dimensions = 129}); }),
            "a Sobol sequence of 129 dimensions; expected 1 to 128");
  SobolSequence sequence(context(), {});
  sequence.set_position(std::int64_t{1} << 32);
  EXPECT_EQ(sequence.bits(0).size(), 0);
  EXPECT_EQ(message_of<ArrayError>([&] { (void)sequence.bits(1); }),
            "1 points behind point 4294967296 of a Sobol sequence; it has 2^32");
  EXPECT_THROW(sequence.set_position(-1), ArrayError);
  EXPECT_THROW((void)sequence.uniform(4, Dtype::float16), DtypeError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
