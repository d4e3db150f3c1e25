// Arrays beyond 2^31 elements. They take some gigabytes and, without a GPU, a minute.
#include "rtcg/array/indexing.hpp"
#include "rtcg/array/lists.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/random/random.hpp"
#include "rtcg/array/random/sobol.hpp"
#include "rtcg/array/select.hpp"
#include "rtcg/array/totals.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class LargeArrayTest : public ArrayTest {
 protected:
  static constexpr std::int64_t n = (std::int64_t{1} << 31) + 1000;
  void SetUp() override {
    ArrayTest::SetUp();
    if (!context_) return;
    const core::Device& device = context().device();
    if (device.info().is_cpu) GTEST_SKIP() << "needs a GPU: on a CPU this takes a minute";
    if (device.free_bytes() < 5 * static_cast<std::size_t>(n)) GTEST_SKIP() << "needs 11 GB of device memory";
  }
};

TEST_F(LargeArrayTest, elements_beyond_2_to_31_are_computed) {
  const DeviceArray a = full(context(), {n}, 1, Dtype::int8);
  a(Slice{.start = n - 3}) += 4;
  const DeviceArray doubled = a * 2;
  EXPECT_EQ(doubled(Slice{.start = n - 5}).to_vector<std::int8_t>(), (std::vector<std::int8_t>{2, 2, 10, 10, 10}));
  // Every other one: strided, and more than 2^31 apart.
  const DeviceArray odd = a(Slice{.start = 1, .step = 2}) + 0;
  EXPECT_EQ(odd(-1).item<std::int8_t>(), 5);
  EXPECT_EQ(odd(0).item<std::int8_t>(), 1);
}

TEST_F(LargeArrayTest, elements_beyond_2_to_31_are_reduced_and_found) {
  const DeviceArray a = full(context(), {n}, 1, Dtype::int8);
  a(n - 2).fill(9);
  EXPECT_EQ(sum(a).item<std::int64_t>(), n + 8);
  EXPECT_EQ(argmax(a).item<std::int64_t>(), n - 2);
  const DeviceArray last = to_device(context(), std::vector<std::int64_t>{n - 2, n - 1});
  EXPECT_EQ(take(a, last).to_vector<std::int8_t>(), (std::vector<std::int8_t>{9, 1}));
}

TEST_F(LargeArrayTest, elements_beyond_2_to_31_are_picked_put_and_joined) {
  const DeviceArray a = zeros(context(), {n}, Dtype::int8);
  a(n - 2).fill(9);
  EXPECT_EQ(copy_if(a, "x[i] > 5").to_vector<std::int8_t>(), std::vector<std::int8_t>{9});
  put(a, to_device(context(), std::vector<std::int64_t>{n - 1}), to_device(context(), std::vector<std::int8_t>{4}));
  const DeviceArray joined = concatenate({a, a(Slice{.start = n - 2})});
  EXPECT_EQ(joined(Slice{.start = n - 2}).to_vector<std::int8_t>(), (std::vector<std::int8_t>{9, 4, 9, 4}));
}

TEST_F(LargeArrayTest, rows_beyond_2_to_31_are_transposed) {
  const std::int64_t columns = 4, rows = n / columns;
  const DeviceArray a = zeros(context(), {rows, columns}, Dtype::int8);
  a(-1).fill(3);
  const DeviceArray turned = a.transpose() + 1;
  EXPECT_EQ(turned(3, Slice{.start = -2}).to_vector<std::int8_t>(), (std::vector<std::int8_t>{1, 4}));
  EXPECT_EQ(count_nonzero(turned - 1).item<std::int64_t>(), columns);
}

TEST_F(LargeArrayTest, random_numbers_beyond_2_to_31_are_those_of_the_host) {
  RandomGenerator generator(context(), {.seed = 4});
  const std::vector<std::uint8_t> last =
      generator.bits({n}, Dtype::uint8)(Slice{.start = n - 9}).to_vector<std::uint8_t>();
  for (std::int64_t i = n - 9; i < n; ++i) {
    const auto words = random_words({.seed = 4, .block = static_cast<std::uint64_t>(i / 4)});
    EXPECT_EQ(last[static_cast<std::size_t>(i - (n - 9))],
              static_cast<std::uint8_t>(words[static_cast<std::size_t>(i % 4)]))
        << i;
  }
}

TEST_F(LargeArrayTest, quasi_random_points_beyond_2_to_31_are_those_that_begin_there) {
  SobolSequence sequence(context(), {});
  const DeviceArray all = sequence.bits(n);
  sequence.set_position(n - 5000);
  EXPECT_EQ(all(0, Slice{.start = n - 5000}).to_vector<std::uint32_t>(),
            sequence.bits(5000).to_vector<std::uint32_t>());
}

TEST_F(LargeArrayTest, lists_of_more_than_2_to_31_values_are_built) {
  constexpr std::int64_t count = std::int64_t{1} << 20, each = 2049;
  const ListBuilder builder({.lists = {{"numbers", Dtype::int8}},
                             .arguments = "const int8* x",
                             .generate = "for (int32 k = 0; k < 2049; ++k) APPEND_numbers((int8)(x[i] + k % 100));"});
  const DeviceArray x = zeros(context(), {count}, Dtype::int8);
  x(-1).fill(20);
  const Lists lists = builder({x}, count).front();
  EXPECT_EQ(lists.values.size(), count * each);
  EXPECT_EQ(lists.starts(-2).item<std::int64_t>(), (count - 1) * each);
  EXPECT_EQ(
      lists.values(Slice{.start = (count - 1) * each - 1, .stop = (count - 1) * each + 2}).to_vector<std::int8_t>(),
      (std::vector<std::int8_t>{48, 20, 21}));
}

TEST_F(LargeArrayTest, lists_of_more_than_2_to_31_indices_are_built) {
  if (context().device().free_bytes() < 20 * static_cast<std::size_t>(n)) {
    GTEST_SKIP() << "needs 43 GB of device memory";
  }
  const ListBuilder builder({.lists = {{"found", Dtype::int64}},
                             .arguments = "const int8* x",
                             .generate = "if (x[i] != 0) APPEND_found(i);"});
  const DeviceArray x = zeros(context(), {n}, Dtype::int8);
  x(Slice{.start = n - 2}).fill(1);
  const Lists lists = builder({x}, n).front();
  EXPECT_EQ(lists.values.to_vector<std::int64_t>(), (std::vector<std::int64_t>{n - 2, n - 1}));
  EXPECT_EQ(lists.starts(Slice{.start = n - 2}).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 1, 2}));
}

}  // namespace
}  // namespace maxwell_dg::rtcg
