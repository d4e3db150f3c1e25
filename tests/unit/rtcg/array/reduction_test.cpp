#include "rtcg/array/reduction.hpp"

#include <cmath>
#include <numeric>

#include "rtcg/array/indexing.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/totals.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

using Complex = std::complex<float>;

class ReductionTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray counted(const Shape& shape) const {
    std::vector<int> values(static_cast<std::size_t>(element_count(shape)));
    std::iota(values.begin(), values.end(), 0);
    return to_device(context(), values, shape);
  }
  template <class T>
  [[nodiscard]] DeviceArray array(const std::vector<T>& values) const {
    return to_device(context(), values);
  }
};

TEST_F(ReductionTest, takes_every_element_once_whatever_their_number) {
  for (const std::int64_t n : {0, 1, 2, 31, 32, 33, 255, 257, 4097, 1000003}) {
    const DeviceArray total = sum(counted({n}));
    EXPECT_EQ(total.shape(), Shape{});
    EXPECT_EQ(total.item<std::int64_t>(), n * (n - 1) / 2) << n;
  }
}

TEST_F(ReductionTest, runs_along_any_axes_of_any_layout) {
  const Shape shape{7, 70, 65};
  const DeviceArray a = counted(shape);
  const auto at = [](std::int64_t i, std::int64_t j, std::int64_t k) { return (i * 70 + j) * 65 + k; };
  const auto expect_sum = [&](const DeviceArray& array, std::vector<std::int64_t> axes, const auto& expected) {
    const DeviceArray result = sum(array, {.axes = axes});
    const std::vector<std::int64_t> got = result.to_vector<std::int64_t>();
    for (std::size_t o = 0; o < got.size(); ++o) ASSERT_EQ(got[o], expected(static_cast<std::int64_t>(o))) << o;
  };
  expect_sum(a, {0}, [&](std::int64_t o) { return 7 * at(3, o / 65, o % 65); });
  expect_sum(a, {1}, [&](std::int64_t o) { return 70 * at(o / 65, 0, o % 65) + 65 * 69 * 35; });
  expect_sum(a, {-1}, [&](std::int64_t o) { return 65 * at(o / 70, o % 70, 32); });
  expect_sum(a, {0, 2}, [&](std::int64_t o) { return 7 * 65 * at(3, o, 32); });
  expect_sum(a.transpose(), {0}, [&](std::int64_t o) { return 65 * at(o % 7, o / 7, 32); });
  expect_sum(a.permute({1, 0, 2}), {1, 2}, [&](std::int64_t o) { return 7 * 65 * at(3, o, 32); });
  expect_sum(a(whole, whole, Slice{.step = -2}), {0},
             [&](std::int64_t o) { return 7 * at(3, o / 33, 64 - 2 * (o % 33)); });
  expect_sum(a, {}, [&](std::int64_t o) { return o; });
  EXPECT_EQ(sum(a, {.axes = {{1}}, .keeps_axes = true}).shape(), (Shape{7, 1, 65}));
  EXPECT_EQ(sum(a.broadcast_to({3, 7, 70, 65})).item<std::int64_t>(), 3 * sum(a).item<std::int64_t>());
  EXPECT_THROW((void)sum(a, {.axes = {{3}}}), IndexError);
  EXPECT_THROW((void)sum(a, {.axes = {{0, -3}}}), IndexError);
}

// The least, the largest and where it stands, of one struct.
TEST_F(ReductionTest, has_several_results_from_one_pass) {
  const ReductionKernel extremes({.arguments = "const int32* x",
                                  .map = "range_of(x[i], i)",
                                  .reduce = "range_joined(a, b)",
                                  .neutral = "range_of_none()",
                                  .result = Dtype::int32,
                                  .finish = "a.least",
                                  .name = "extremes",
                                  .preamble = R"(
typedef struct { int32 least, largest; int64 at; } range;
DEVICE_FUNCTION range range_of(int32 x, int64 i) {
  range r;
  r.least = r.largest = x;
  r.at = i;
  return r;
}
DEVICE_FUNCTION range range_of_none() {
  range r = range_of(2147483647, -1);
  r.largest = -2147483647;
  return r;
}
DEVICE_FUNCTION range range_joined(range a, range b) {
  if (b.least < a.least) a.least = b.least;
  if (b.largest > a.largest) { a.largest = b.largest; a.at = b.at; }
  return a;
})",
                                  .type = "range",
                                  .type_bytes = 16,
                                  .more = {{Dtype::float32, "(float32)a.largest"}, {Dtype::int64, "a.at"}}});
  for (const std::int64_t n : {1, 700, 300007}) {
    const std::vector<DeviceArray> results = extremes.reduce_to_all({counted({n})}, {});
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(results[0].item<std::int32_t>(), 0);
    EXPECT_EQ(results[1].item<float>(), static_cast<float>(n - 1));
    EXPECT_EQ(results[2].item<std::int64_t>(), n - 1);
  }
  const std::vector<DeviceArray> by_rows = extremes.reduce_to_all({counted({3, 4})}, {.axes = {{1}}});
  EXPECT_EQ(by_rows[0].to_vector<std::int32_t>(), (std::vector<std::int32_t>{0, 4, 8}));
  EXPECT_EQ(by_rows[1].to_vector<float>(), (std::vector<float>{3, 7, 11}));
  EXPECT_EQ(by_rows[2].to_vector<std::int64_t>(), (std::vector<std::int64_t>{3, 3, 3}));
}

TEST_F(ReductionTest, of_each_dtype_has_the_dtype_of_numpy) {
  EXPECT_EQ(sum(array<bool>({true, false, true})).item<std::int64_t>(), 2);
  EXPECT_EQ(sum(array<std::uint8_t>({200, 100})).item<std::uint64_t>(), 300u);
  EXPECT_EQ(sum(array<Half>({Half(0.5F), Half(2)})).item<Half>(), Half(2.5F));
  EXPECT_EQ(sum(array<Complex>({{1, 2}, {3, -1}})).item<Complex>(), Complex(4, 1));
  EXPECT_EQ(prod(array<int>({2, 3, 7})).item<std::int64_t>(), 42);
  EXPECT_EQ(mean(array<int>({1, 2})).item<double>(), 1.5);
  EXPECT_EQ(mean(array<Complex>({{1, 2}, {3, -4}})).item<Complex>(), Complex(2, -1));
  EXPECT_EQ(variance(array<float>({1, 2, 3, 6})).item<float>(), 3.5F);
  EXPECT_TRUE(std::isnan(mean(array<float>({})).item<float>()));
}

TEST_F(ReductionTest, finds_extremes_and_where_they_are_first) {
  const DeviceArray a = array<float>({3, -1, 7, -1, 7});
  EXPECT_EQ(min(a).item<float>(), -1.0F);
  EXPECT_EQ(max(a).item<float>(), 7.0F);
  EXPECT_EQ(argmin(a).item<std::int64_t>(), 1);
  EXPECT_EQ(argmax(a).item<std::int64_t>(), 2);
  EXPECT_EQ(max(array<std::uint8_t>({3, 255})).item<std::uint8_t>(), 255);
  EXPECT_EQ(min(array<std::int64_t>({-5, 3})).item<std::int64_t>(), -5);
  EXPECT_EQ(max(array<bool>({false, true})).item<bool>(), true);
  const DeviceArray grid = array<int>({4, 1, 9, 0, 8, 8}).reshape({2, 3});
  EXPECT_EQ(argmax(grid, {.axes = {{1}}}).to_vector<std::int64_t>(), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(argmin(grid.transpose()).item<std::int64_t>(), 1);
  const DeviceArray with_nan = array<float>({1, std::nanf(""), 5, std::nanf("")});
  EXPECT_TRUE(std::isnan(min(with_nan).item<float>()));
  EXPECT_TRUE(std::isnan(max(with_nan).item<float>()));
  EXPECT_EQ(argmax(with_nan).item<std::int64_t>(), 1);
  EXPECT_EQ(message_of<ShapeError>([&] { (void)max(array<float>({})); }),
            "max of an array without elements, shape (0,)");
  EXPECT_THROW((void)argmin(array<Complex>({{1, 2}})), DtypeError);
}

TEST_F(ReductionTest, takes_a_subset_by_its_indices) {
  const DeviceArray x = to_device(context(), std::vector<float>{1, 2, 4, 8, 16, 32});
  const DeviceArray y = to_device(context(), std::vector<float>{1, -1, 1, -1, 1, -1});
  const DeviceArray subset = to_device(context(), std::vector<std::int32_t>{4, 1, 3});
  EXPECT_EQ(sum(take(x, subset)).item<float>(), 26);
  EXPECT_EQ(max(take(x, subset)).item<float>(), 16);
  const ReductionKernel subset_dot({.arguments = "const int32* subset, const float32* x, const float32* y",
                                    .map = "x[subset[i]] * y[subset[i]]",
                                    .reduce = "a + b",
                                    .neutral = "0",
                                    .result = Dtype::float32});
  EXPECT_EQ(subset_dot(subset, x, y).item<float>(), 6);
}

TEST_F(ReductionTest, judges_and_counts) {
  const DeviceArray a = array<float>({0, 2, 0, 3});
  EXPECT_TRUE(any(a).item<bool>());
  EXPECT_FALSE(all(a).item<bool>());
  EXPECT_EQ(count_nonzero(a).item<std::int64_t>(), 2);
  EXPECT_TRUE(all(array<float>({})).item<bool>());
  EXPECT_FALSE(any(array<float>({})).item<bool>());
  EXPECT_EQ(any(a.reshape({2, 2}), {.axes = {{0}}}).to_vector<bool>(), (std::vector<bool>{false, true}));
}

TEST_F(ReductionTest, multiplies_and_measures_vectors) {
  EXPECT_EQ(dot(array<float>({1, 2, 3}), array<int>({4, 5, 6})).item<double>(), 32.0);
  EXPECT_EQ(dot(array<Complex>({{0, 1}}), array<Complex>({{0, 1}})).item<Complex>(), Complex(-1, 0));
  EXPECT_EQ(dot(conj(lazy(array<Complex>({{0, 1}}))), array<Complex>({{0, 1}})).item<Complex>(), Complex(1, 0));
  EXPECT_EQ(norm(array<float>({3, 4})).item<float>(), 5.0F);
  EXPECT_EQ(norm(array<Complex>({{3, 4}, {0, 12}})).item<float>(), 13.0F);
  EXPECT_EQ(norm(array<int>({-3, 4})).item<double>(), 5.0);
  EXPECT_EQ(message_of<ShapeError>([&] {
              (void)dot(array<float>({1}), array<float>({1, 2}));
            }),
            "dot of arrays of shapes (1,) and (2,); they must be the same");
}

TEST_F(ReductionTest, computes_formulas_on_the_way) {
  const DeviceArray x = array<float>({1, 2, 3, 4}), y = array<float>({1, 0, 1, 0});
  const std::size_t kernels = context().compiler().statistics().kernels;
  EXPECT_EQ(sum(square(lazy(x) - y) + x % 2).item<float>(), 0 + 4 + 4 + 16 + 2.0F);
  EXPECT_EQ(context().compiler().statistics().kernels, kernels + 2);  // x % 2 is no formula: one operand is not lazy
  EXPECT_EQ(argmax(abs(lazy(x) - 2.4)).item<std::int64_t>(), 3);
  EXPECT_TRUE(all(lazy(x) > 0).item<bool>());
  EXPECT_EQ(norm(lazy(x.reshape({2, 2})) * y.reshape({2, 2}), {.axes = {{1}}}).to_vector<float>(),
            (std::vector{1.0F, 3.0F}));
}

TEST_F(ReductionTest, of_a_million_floats_is_near_the_exact_sum) {
  const std::vector<float> values(1 << 20, 0.1F);
  const double exact = 0.1F * static_cast<double>(values.size());
  EXPECT_NEAR(sum(array(values)).item<float>(), exact, 2e-6 * exact);
}

TEST_F(ReductionTest, takes_structs_and_numbers_and_the_index) {
  // The sum of x above a threshold, and how many there are, in one pass.
  const ReductionKernel mean_above({.arguments = "const float32* x, float32 least",
                                    .map = "part_of(x[i] > least ? x[i] : 0, x[i] > least)",
                                    .reduce = "part_of(a.sum + b.sum, a.count + b.count)",
                                    .neutral = "part_of(0, 0)",
                                    .result = Dtype::float32,
                                    .finish = "a.sum / (float32)a.count",
                                    .name = "mean_above",
                                    .preamble = R"(typedef struct { float32 sum; int32 count; } Part;
DEVICE_FUNCTION Part part_of(float32 sum, int32 count) {
  Part p;
  p.sum = sum;
  p.count = count;
  return p;
})",
                                    .type = "Part",
                                    .type_bytes = 8});
  EXPECT_EQ(mean_above(array<float>({1, 5, 2, 7}), 3).item<float>(), 6.0F);
  const ReductionKernel weighted(
      {.arguments = "const int32* x", .map = "x[i] * i", .reduce = "a + b", .neutral = "0", .result = Dtype::int64});
  EXPECT_EQ(weighted(array<int>({5, 6, 7})).item<std::int64_t>(), 20);
  EXPECT_EQ(weighted(counted({2, 3}).transpose()).item<std::int64_t>(), 0 * 0 + 3 * 1 + 1 * 2 + 4 * 3 + 2 * 4 + 5 * 5);
}

TEST_F(ReductionTest, refuses_what_has_no_meaning) {
  EXPECT_EQ(message_of<ArrayError>(
                [] { ReductionKernel({.arguments = "float32* x", .map = "x[i]", .reduce = "a + b", .neutral = "0"}); }),
            "kernel 'reduction': argument 'float32* x' must be const; a reduction returns its result");
  const ReductionKernel add({.arguments = "const float32* x, const float32* y",
                             .map = "x[i] + y[i]",
                             .reduce = "a + b",
                             .neutral = "0",
                             .name = "add"});
  EXPECT_THROW((void)add(array<float>({1, 2}), array<float>({1, 2, 3})), ShapeError);
  EXPECT_EQ(message_of<DtypeError>([&] { (void)add(array<float>({1}), array<int>({1})); }),
            "kernel 'add': argument 'const float32* y' was given an array of int32");
}

}  // namespace
}  // namespace maxwell_dg::rtcg
