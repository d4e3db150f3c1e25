#include "rtcg/array/random/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/operators.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The known-answer vectors that the authors publish with Random123.
struct KnownAnswer {
  Words counter;
  std::array<std::uint32_t, 2> key;
  Words result;
};
constexpr std::array known_answers{
    KnownAnswer{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    KnownAnswer{{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    KnownAnswer{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                {0xa4093822, 0x299f31d0},
                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

std::uint64_t joined(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}
RandomPosition position_of(const KnownAnswer& known) {
  return {.seed = joined(known.key[0], known.key[1]),
          .stream = joined(known.counter[2], known.counter[3]),
          .block = joined(known.counter[0], known.counter[1])};
}

TEST(Philox, gives_the_published_answers) {
  for (const KnownAnswer& known : known_answers) {
    EXPECT_EQ(philox4x32(known.counter, known.key), known.result);
    EXPECT_EQ(random_words(position_of(known)), known.result);
  }
}

class RandomTest : public ArrayTest {};

TEST_F(RandomTest, words_of_the_device_are_the_published_answers) {
  for (const KnownAnswer& known : known_answers) {
    RandomGenerator generator(context(), position_of(known));
    const std::vector<std::uint32_t> words = generator.bits({4}).to_vector<std::uint32_t>();
    EXPECT_TRUE(std::ranges::equal(words, known.result));
  }
}

TEST_F(RandomTest, uniform_numbers_are_those_of_the_host_to_the_bit) {
  const RandomPosition position{.seed = 0x0123456789abcdef, .stream = 77, .block = 0xfffffffeu};  // carries into y
  for (const std::int64_t n : {0, 1, 2, 3, 5, 4099}) {
    RandomGenerator generator(context(), position);
    std::vector<float> expected(static_cast<std::size_t>(n));
    uniform_on_host(position, expected);
    EXPECT_EQ(generator.uniform({n}, Dtype::float32).to_vector<float>(), expected);
    if (!has_float64()) continue;
    std::vector<double> in_double(expected.size());
    generator.set_position(position);
    uniform_on_host(position, in_double);
    EXPECT_EQ(generator.uniform({n}, Dtype::float64).to_vector<double>(), in_double);
  }
}

TEST_F(RandomTest, normal_numbers_are_those_of_the_host_up_to_rounding) {
  const RandomPosition position{.seed = 5};
  RandomGenerator generator(context(), position);
  std::vector<float> expected(10001);
  normal_on_host(position, expected);
  const std::vector<float> numbers = generator.normal({10001}, Dtype::float32).to_vector<float>();
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(numbers[i], expected[i], 4e-6) << i;
  if (!has_float64()) return;
  generator.set_position(position);
  std::vector<double> in_double(10001);
  normal_on_host(position, in_double);
  const std::vector<double> doubles = generator.normal({10001}).to_vector<double>();
  for (std::size_t i = 0; i < doubles.size(); ++i) ASSERT_NEAR(doubles[i], in_double[i], 1e-14) << i;
}

// Moments of n numbers, within five standard deviations of what they should be.
TEST_F(RandomTest, moments_are_right) {
  constexpr std::int64_t n = 1 << 20;
  const double deviation = 5 / std::sqrt(static_cast<double>(n));
  RandomGenerator generator(context(), {.seed = 1});
  const auto moment = [](const std::vector<float>& values, int power) {
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [power](double sum, float x) { return sum + std::pow(static_cast<double>(x), power); }) /
           static_cast<double>(values.size());
  };
  const std::vector<float> uniform = generator.uniform({n}, Dtype::float32).to_vector<float>();
  for (int k = 1; k <= 4; ++k) EXPECT_NEAR(moment(uniform, k), 1.0 / (k + 1), deviation) << k;
  EXPECT_GE(*std::ranges::min_element(uniform), 0.0F);
  EXPECT_LT(*std::ranges::max_element(uniform), 1.0F);
  const std::vector<float> normal = generator.normal({n}, Dtype::float32).to_vector<float>();
  const std::array<double, 4> expected{0, 1, 0, 3}, spread{1, 1.42, 3.9, 9.8};
  for (int k = 1; k <= 4; ++k) {
    const auto at = static_cast<std::size_t>(k - 1);
    EXPECT_NEAR(moment(normal, k), expected[at], spread[at] * deviation) << k;
  }
}

TEST_F(RandomTest, calls_continue_and_streams_differ) {
  RandomGenerator one(context(), {.seed = 3}), other(context(), {.seed = 3, .stream = 1});
  const auto first = one.bits({8}).to_vector<std::uint32_t>(), second = one.bits({8}).to_vector<std::uint32_t>();
  EXPECT_NE(first, second);
  EXPECT_EQ(one.position().block, 4u);
  EXPECT_NE(other.bits({8}).to_vector<std::uint32_t>(), first);
  one.set_position({.seed = 3, .block = 2});
  EXPECT_EQ(one.bits({8}).to_vector<std::uint32_t>(), second);
}

TEST_F(RandomTest, fills_views_of_any_strides) {
  RandomGenerator generator(context(), {.seed = 9});
  const DeviceArray numbers = generator.uniform({4, 5}, Dtype::float32);
  const DeviceArray array = zeros(context(), {5, 9}, Dtype::float32);
  generator.set_position({.seed = 9});
  generator.fill_uniform(array(whole, Slice{1, 9, 2}).transpose());
  EXPECT_EQ(array(whole, Slice{1, 9, 2}).transpose().copy().to_vector<float>(), numbers.to_vector<float>());
  EXPECT_EQ(array(whole, Slice{0, 9, 2}).copy().to_vector<float>(), std::vector<float>(25, 0.0F));
  const DeviceArray shifted = zeros(context(), {21}, Dtype::float32);
  generator.set_position({.seed = 9});
  generator.fill_uniform(shifted(Slice{1, 21}));
  EXPECT_EQ(shifted(Slice{1, 21}).to_vector<float>(), numbers.to_vector<float>());
}

TEST_F(RandomTest, complex_numbers_are_pairs_and_half_numbers_stay_below_1) {
  RandomGenerator generator(context(), {.seed = 11});
  const auto pairs = generator.uniform({100}, Dtype::complex64).to_vector<std::complex<float>>();
  generator.set_position({.seed = 11});
  const auto numbers = generator.uniform({200}, Dtype::float32).to_vector<float>();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i], std::complex<float>(numbers[2 * i], numbers[2 * i + 1]));
  }
  for (const Half half : generator.uniform({100000}, Dtype::float16).to_vector<Half>()) {
    ASSERT_LT(static_cast<float>(half), 1.0F);
  }
}

TEST_F(RandomTest, integers_are_spread_over_their_range) {
  RandomGenerator generator(context(), {.seed = 13});
  std::array<int, 6> counts{};
  for (const std::int8_t value :
       generator.integers({60000}, {.low = -3, .high = 3}, Dtype::int8).to_vector<std::int8_t>()) {
    ASSERT_TRUE(value >= -3 && value < 3);
    ++counts.at(static_cast<std::size_t>(value + 3));
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
  for (const std::int64_t value :
       generator.integers({100}, {.low = INT64_MIN, .high = INT64_MAX}).to_vector<std::int64_t>()) {
    EXPECT_GT(std::abs(static_cast<double>(value)), 1e12);
  }
  const auto bools = generator.bits({10000}, Dtype::boolean).to_vector<bool>();
  EXPECT_NEAR(static_cast<double>(std::ranges::count(bools, true)), 5000, 300);
  EXPECT_EQ(generator.bits({3}, Dtype::uint64).size(), 3);
}

TEST_F(RandomTest, poisson_numbers_have_their_probabilities) {
  if (!has_float64()) GTEST_SKIP() << "the device has no float64";
  constexpr std::int64_t n = 40000;
  for (const double mean : {0.0, 0.3, 4.0, 650.0}) {
    RandomGenerator generator(context(), {.seed = 5});
    const std::vector<std::int64_t> numbers = generator.poisson({n}, mean).to_vector<std::int64_t>();
    double sum = 0, squares = 0;
    for (const std::int64_t k : numbers) sum += static_cast<double>(k);
    for (const std::int64_t k : numbers) squares += std::pow(static_cast<double>(k) - mean, 2);
    // Five standard deviations; those of a squared distance are mean + 2 mean^2.
    EXPECT_NEAR(sum / n, mean, 5 * std::sqrt(mean / n));
    EXPECT_NEAR(squares / n, mean, 5 * std::sqrt((mean + 2 * mean * mean) / n));
    if (mean > 5) continue;
    for (int k = 0; k < 8; ++k) {
      const double p = std::pow(mean, k) * std::exp(-mean) / std::tgamma(k + 1.0);
      const auto seen = static_cast<double>(std::ranges::count(numbers, k));
      EXPECT_NEAR(seen / n, p, 5 * std::sqrt(p * (1 - p) / n) + 1e-12) << k << " of mean " << mean;
    }
  }
  RandomGenerator generator(context());
  const DeviceArray means = to_device(context(), std::vector<float>{0, 600, 0});
  const std::vector<float> each = generator.poisson(means, Dtype::float32).to_vector<float>();
  EXPECT_EQ(each[0], 0);
  EXPECT_NEAR(each[1], 600, 150);
  EXPECT_EQ(each[2], 0);
  EXPECT_EQ(message_of<ArrayError>([&] { (void)generator.poisson({3}, -1); }),
            "Poisson numbers of mean -1.000000; expected 0 to 700");
  EXPECT_THROW((void)generator.poisson({3}, 1, Dtype::complex64), DtypeError);
}

TEST_F(RandomTest, log_normal_numbers_are_exponentials_of_normal_ones) {
  RandomGenerator generator(context(), {.seed = 9});
  const double mean = 0.2, deviation = 0.5;
  const DeviceArray numbers = evaluate(exp(mean + deviation * lazy(generator.normal({100000}, Dtype::float32))));
  double sum = 0;
  for (const float x : numbers.to_vector<float>()) sum += x;
  EXPECT_NEAR(sum / 1e5, std::exp(mean + deviation * deviation / 2), 0.012);  // five standard deviations
}

TEST_F(RandomTest, kernel_text_makes_its_own) {
  const ElementwiseKernel kernel({.arguments = "float32* z",
                                  .operation = "z[i] = uniform_float32(random_block(42, 0, i).y)",
                                  .preamble = "#include \"random.h\""});
  const DeviceArray z = zeros(context(), {100}, Dtype::float32);
  kernel(z);
  std::vector<float> expected(400);
  uniform_on_host({.seed = 42}, expected);
  const std::vector<float> numbers = z.to_vector<float>();
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(numbers[i], expected[4 * i + 1]);
}

TEST_F(RandomTest, what_makes_no_sense_is_refused) {
  RandomGenerator generator(context());
  EXPECT_EQ(message_of<DtypeError>([&] { (void)generator.uniform({3}, Dtype::int32); }),
            "uniform random numbers of int32; take a real or complex dtype, or integers()");
  EXPECT_THROW((void)generator.normal({3}, Dtype::boolean), DtypeError);
  EXPECT_EQ(message_of<DtypeError>([&] { (void)generator.integers({3}, {.high = 257}, Dtype::uint8); }),
            "random integers from 0 to below 257: uint8 does not hold them");
  EXPECT_EQ(message_of<ArrayError>([&] { (void)generator.integers({3}, {.low = 2, .high = 2}); }),
            "random integers from 2 to below 2: there is none");
  EXPECT_THROW((void)generator.integers({3}, {.high = 2}, Dtype::float32), DtypeError);
  EXPECT_THROW((void)generator.bits({3}, Dtype::float32), DtypeError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
