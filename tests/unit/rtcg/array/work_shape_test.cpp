// Kernels shaped for a GPU and for a CPU, both on whatever device is there.
#include <atomic>
#include <functional>
#include <thread>

#include "rtcg/array/elementwise_kernel.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/totals.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class WorkShapeTest : public ArrayTest, public testing::WithParamInterface<WorkShape> {
 protected:
  void SetUp() override {
    ArrayTest::SetUp();
    if (!context_) return;
    shaped_.emplace(context().stream(), context().compiler(), context().pool(), GetParam());
  }
  [[nodiscard]] const Context& shaped() const { return *shaped_; }
  [[nodiscard]] DeviceArray counted(const Shape& shape) const {
    return arange(shaped(), {.stop = element_count(shape)}, Dtype::int32).reshape(shape);
  }

  std::optional<Context> shaped_;
};

template <class T>
void expect_each(const DeviceArray& array, const std::function<T(std::int64_t)>& expected) {
  const std::vector<T> got = array.to_vector<T>();
  for (std::size_t k = 0; k < got.size(); ++k) ASSERT_EQ(got[k], expected(static_cast<std::int64_t>(k))) << k;
}

TEST_P(WorkShapeTest, elements_of_any_number_and_width_are_all_reached_once) {
  for (const std::int64_t n : {1, 3, 15, 16, 17, 1023, 70001}) {
    expect_each<int>(counted({n}) + 1, [](std::int64_t k) { return static_cast<int>(k) + 1; });
    const DeviceArray bytes = counted({n}).astype(Dtype::uint8);
    expect_each<std::uint8_t>(bytes * bytes, [](std::int64_t k) { return static_cast<std::uint8_t>(k * k); });
    const DeviceArray mixed = bytes + counted({n}).astype(Dtype::float32);
    expect_each<float>(mixed, [](std::int64_t k) { return static_cast<float>(k + k % 256); });
    // Not aligned to packs.
    expect_each<int>(counted({n + 1})(Slice{.start = 1}) * 2,
                     [](std::int64_t k) { return static_cast<int>(2 * k + 2); });
  }
}

TEST_P(WorkShapeTest, rows_and_columns_of_any_length_are_all_reached_once) {
  for (const Shape& shape : {Shape{700, 3}, Shape{3, 700}, Shape{5, 1, 300}, Shape{40, 50, 60}}) {
    const DeviceArray a = counted(shape);
    const std::int64_t n = a.size(), rows = shape[0], rest = n / rows;
    const DeviceArray turned = a.transpose() + 0;
    EXPECT_EQ(turned.transpose().to_vector<int>(), a.to_vector<int>()) << to_string(shape);
    const DeviceArray by_row = arange(shaped(), {.stop = rows}, Dtype::int32);
    const DeviceArray sums = a.reshape({rows, rest}) + by_row(whole, new_axis);
    expect_each<int>(sums, [&](std::int64_t k) { return static_cast<int>(k + k / rest); });
  }
}

TEST_P(WorkShapeTest, the_index_counts_in_packs_and_in_rows) {
  const ElementwiseKernel number({.arguments = "int64* z", .operation = "z[i] += 10 * i"});
  const DeviceArray packed = zeros(shaped(), {1001}, Dtype::int64);
  number(packed);
  expect_each<std::int64_t>(packed, [](std::int64_t k) { return 10 * k; });
  const DeviceArray strided = zeros(shaped(), {20, 30}, Dtype::int64).transpose();
  number(strided);
  expect_each<std::int64_t>(strided, [](std::int64_t k) { return 10 * k; });
}

TEST_P(WorkShapeTest, reductions_along_any_axes_agree_with_the_formula) {
  for (const std::int64_t n : {0, 1, 255, 257, 300001}) {
    EXPECT_EQ(sum(counted({n})).item<std::int64_t>(), n * (n - 1) / 2) << n;
  }
  const std::int64_t rows = 33, columns = 5000;
  const DeviceArray a = counted({rows, columns});
  expect_each<std::int64_t>(sum(a, {.axes = {{1}}}),
                            [&](std::int64_t r) { return columns * (r * columns) + columns * (columns - 1) / 2; });
  expect_each<std::int64_t>(sum(a, {.axes = {{0}}}),
                            [&](std::int64_t c) { return rows * c + columns * rows * (rows - 1) / 2; });
  expect_each<std::int64_t>(sum(a.transpose(), {.axes = {{0}}}),
                            [&](std::int64_t r) { return columns * (r * columns) + columns * (columns - 1) / 2; });
  EXPECT_EQ(argmax(a % 4999).item<std::int64_t>(), 4998);
  EXPECT_EQ(max(a, {.axes = {{1}}})(32).item<int>(), static_cast<int>(rows * columns - 1));
}

TEST_P(WorkShapeTest, several_threads_share_a_context) {
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int k = 0; k < 10; ++k) {
          const DeviceArray a = full(shaped(), {1000}, t, Dtype::int32);
          if (sum(a * a + k).item<std::int64_t>() != 1000 * (t * t + k)) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(All, WorkShapeTest, testing::Values(WorkShape::long_runs, WorkShape::many_items),
                         [](const auto& shape) {
                           return shape.param == WorkShape::long_runs ? "long_runs" : "many_items";
                         });

}  // namespace
}  // namespace maxwell_dg::rtcg
