#include "rtcg/array/sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "rtcg/array/operators.hpp"
#include "rtcg/array/random/random.hpp"
#include "rtcg/array/select.hpp"
#include "rtcg/array/totals.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

const std::vector<SortMethod> sort_methods{SortMethod::runs, SortMethod::tiles};

// Any bits, and for reals what is special among them; few values of 16 bits and less, so that many are equal.
template <class T>
std::vector<T> random_keys(std::size_t n) {
  std::mt19937_64 engine(n);
  std::vector<T> keys(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t bits = engine();
    if constexpr (std::same_as<T, bool>) {
      keys[i] = bits % 2 == 0;
    } else if constexpr (std::same_as<T, Half>) {
      keys[i] = Half::from_bits(static_cast<std::uint16_t>(bits));
    } else {
      std::memcpy(&keys[i], &bits, sizeof(T));
      if constexpr (std::floating_point<T>) {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        constexpr std::array special{T{0}, -T{0}, std::numeric_limits<T>::quiet_NaN(), infinity, -infinity};
        if (bits % 8 < special.size()) keys[i] = special[bits % 8];
      }
    }
  }
  return keys;
}

template <class T>
double as_number(T key) {
  if constexpr (std::same_as<T, Half>) {
    return static_cast<double>(static_cast<float>(key));
  } else {
    return static_cast<double>(key);
  }
}

// a before b, with NaNs behind all else.
template <class T>
bool is_before(T a, T b, SortOrder order) {
  if constexpr (std::integral<T>) {
    return order == SortOrder::ascending ? a < b : a > b;
  } else {
    const double x = as_number(a), y = as_number(b);
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x);
    return order == SortOrder::ascending ? x < y : x > y;
  }
}

class SortTest : public ArrayTest {
 protected:
  template <class T>
  void expect_sorted_as_on_the_host(std::size_t n, const SortOptions& options) const {
    const std::vector<T> keys = random_keys<T>(n);
    std::vector<std::int64_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
      return is_before<T>(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)], options.order);
    });
    DeviceArray array;
    if constexpr (std::same_as<T, bool>) {
      array = to_device(context(), std::vector<std::uint8_t>(keys.begin(), keys.end())).astype(Dtype::boolean);
    } else {
      array = to_device(context(), keys);
    }
    ASSERT_EQ(argsort(array, options).to_vector<std::int64_t>(), order) << name_of(dtype_of<T>) << " " << n;
    const std::vector<T> sorted = sort(array, options).to_vector<T>();
    for (std::size_t k = 0; k < n; ++k) {
      const T expected = keys[static_cast<std::size_t>(order[k])], found = sorted[k];
      if constexpr (std::same_as<T, bool>) {
        ASSERT_EQ(found, expected) << k;
      } else {
        using Bytes = std::array<std::byte, sizeof(T)>;  // which tell -0 from 0, and NaNs apart
        ASSERT_EQ(std::bit_cast<Bytes>(found), std::bit_cast<Bytes>(expected))
            << name_of(dtype_of<T>) << " " << n << " at " << k;
      }
    }
  }
};

// Tiles are a GPU's way; a CPU, for which they take seconds to compile, sorts one dtype of each width and kind by them.
TEST_F(SortTest, is_that_of_the_host_for_every_dtype) {
  const std::set<Dtype> by_tiles_on_a_cpu{Dtype::uint8, Dtype::float16, Dtype::int32, Dtype::float64};
  for (const SortMethod method : sort_methods) {
    for (const Dtype dtype : all_dtypes) {
      if (is_complex(dtype)) continue;
      const bool is_slow = method == SortMethod::tiles && context().prefers_long_runs();
      if (is_slow && !by_tiles_on_a_cpu.contains(dtype)) continue;
      visit_dtype(dtype, [&]<class T>(T) {
        if constexpr (!is_complex(dtype_of<T>)) expect_sorted_as_on_the_host<T>(20011, {.method = method});
      });
    }
  }
}

TEST_F(SortTest, takes_every_length_and_either_order) {
  for (const SortMethod method : sort_methods) {
    for (const std::size_t n : {0u, 1u, 2u, 255u, 3072u, 3073u, 9001u}) {
      expect_sorted_as_on_the_host<float>(n, {.method = method});
      expect_sorted_as_on_the_host<float>(n, {.order = SortOrder::descending, .method = method});
      expect_sorted_as_on_the_host<std::int16_t>(n, {.order = SortOrder::descending, .method = method});
    }
  }
}

TEST_F(SortTest, values_of_any_dtype_go_with_their_keys) {
  using Complex = std::complex<double>;
  if (!has_float64()) GTEST_SKIP() << "needs float64";
  for (const SortMethod method : sort_methods) {
    const std::vector<std::uint8_t> keys = random_keys<std::uint8_t>(5000);
    std::vector<Complex> values(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) values[i] = {static_cast<double>(keys[i]), static_cast<double>(i)};
    const auto [sorted, moved] =
        sort_by_key(to_device(context(), keys), to_device(context(), values), {.method = method});
    std::ranges::stable_sort(values, {}, [](Complex z) { return z.real(); });
    EXPECT_EQ(moved.to_vector<Complex>(), values);
    EXPECT_TRUE(std::ranges::is_sorted(sorted.to_vector<std::uint8_t>()));
  }
}

TEST_F(SortTest, takes_more_keys_than_32_bits_count) {
  if (context().device().info().is_cpu) GTEST_SKIP() << "takes a GPU's speed and memory";
  const std::int64_t n = (std::int64_t{1} << 31) + 1001;
  RandomGenerator generator(context(), {.seed = 2});
  const DeviceArray keys = generator.bits({n}, Dtype::uint8);
  // Element n - 1 is word 0 of block (n - 1) / 4.
  EXPECT_EQ(keys(n - 1).item<std::uint8_t>(),
            static_cast<std::uint8_t>(random_words({.seed = 2, .block = static_cast<std::uint64_t>(n - 1) / 4})[0]));
  const DeviceArray sorted = sort(keys);
  EXPECT_EQ(sum(sorted).item<std::uint64_t>(), sum(keys).item<std::uint64_t>());
  EXPECT_TRUE(all(sorted(Slice{0, n - 1}) <= sorted(Slice{1, n})).item<bool>());
}

TEST_F(SortTest, takes_nothing_by_every_method) {
  for (const SortMethod method : {SortMethod::runs, SortMethod::tiles}) {
    EXPECT_EQ(sort(zeros(context(), {0}, Dtype::int32), {.method = method}).size(), 0);
  }
}

TEST_F(SortTest, leaves_its_input_and_takes_views) {
  const DeviceArray array = to_device(context(), std::vector<std::int32_t>{5, 4, 3, 2, 1, 0});
  EXPECT_EQ(sort(array(Slice{.step = 2})).to_vector<std::int32_t>(), (std::vector<std::int32_t>{1, 3, 5}));
  EXPECT_EQ(array.to_vector<std::int32_t>(), (std::vector<std::int32_t>{5, 4, 3, 2, 1, 0}));
}

TEST_F(SortTest, what_makes_no_sense_is_refused) {
  EXPECT_EQ(message_of<DtypeError>([&] { (void)sort(zeros(context(), {3}, Dtype::complex64)); }),
            "complex numbers have no order to sort complex64 keys by");
  EXPECT_EQ(message_of<ShapeError>([&] {
              (void)argsort(zeros(context(), {3, 2}, Dtype::int8));
            }),
            "sort of an array of shape (3, 2); it takes one axis, as from ravel()");
  EXPECT_THROW((void)sort_by_key(zeros(context(), {3}, Dtype::int8), zeros(context(), {2}, Dtype::int8)), ShapeError);
}

class SelectTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray numbers(std::int64_t n) const { return arange(context(), {.stop = n}, Dtype::int32); }
};

TEST_F(SelectTest, copies_what_meets_a_predicate) {
  for (const std::int64_t n : {0, 1, 10, 30001}) {
    std::vector<std::int32_t> even, odd;
    for (std::int32_t k = 0; k < n; ++k) (k % 2 == 0 ? even : odd).push_back(k);
    EXPECT_EQ(copy_if(numbers(n), "x[i] % 2 == 0").to_vector<std::int32_t>(), even);
    EXPECT_EQ(remove_if(numbers(n), "i % 2 == 0").to_vector<std::int32_t>(), odd);
    const auto [matching, rest] = partition(numbers(n), "x[i] % 2 == 0");
    EXPECT_EQ(matching.to_vector<std::int32_t>(), even);
    EXPECT_EQ(rest.to_vector<std::int32_t>(), odd);
    EXPECT_EQ(compress(numbers(n) % 2 == 1, numbers(n)).to_vector<std::int32_t>(), odd);
  }
}

TEST_F(SelectTest, takes_arrays_of_any_shape_and_dtype) {
  const DeviceArray array = numbers(12).reshape({3, 4}).transpose().astype(Dtype::float16);
  std::vector<float> found;
  for (const Half half : copy_if(array, "x[i] > 5.0f").to_vector<Half>()) found.push_back(static_cast<float>(half));
  EXPECT_EQ(found, (std::vector<float>{8, 9, 6, 10, 7, 11}));
}

TEST_F(SelectTest, unique_values_are_numpys) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const DeviceArray array = to_device(
      context(), std::vector<float>{3, nan, -1, 3, -0.0F, nan, 0, -1, -1, std::numeric_limits<float>::infinity()});
  const auto [values, counts] = unique_counts(array);
  const std::vector<float> found = values.to_vector<float>();
  ASSERT_EQ(found.size(), 5u);
  EXPECT_TRUE(std::isnan(found[4]));
  EXPECT_EQ(std::vector<float>(found.begin(), found.end() - 1),
            (std::vector<float>{-1, 0, 3, std::numeric_limits<float>::infinity()}));
  EXPECT_EQ(counts.to_vector<std::int64_t>(), (std::vector<std::int64_t>{3, 2, 2, 1, 2}));
  EXPECT_EQ(unique(numbers(5000) % 7).to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(unique(numbers(0)).size(), 0);
  EXPECT_EQ(unique(array.astype(Dtype::float16)).size(), 5);
}

TEST_F(SelectTest, what_makes_no_sense_is_refused) {
  EXPECT_EQ(message_of<DtypeError>([&] { (void)compress(numbers(3), numbers(3)); }),
            "a mask of int32; it must be bool, as a comparison gives it");
  EXPECT_THROW((void)compress(numbers(3) == 1, numbers(4)), ShapeError);
  EXPECT_THROW((void)copy_if(numbers(3), "x[i] >"), CompileError);
  EXPECT_THROW((void)unique(zeros(context(), {3}, Dtype::complex64)), DtypeError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
