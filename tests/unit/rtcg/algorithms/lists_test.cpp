#include "rtcg/array/lists.hpp"

#include "rtcg/array/operators.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

using Numbers = std::vector<std::int64_t>;

class ListsTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray numbers(std::int64_t n) const { return arange(context(), {.stop = n}, Dtype::int64); }
};

TEST_F(ListsTest, values_are_grouped_by_their_keys_in_order) {
  const DeviceArray keys = to_device(context(), std::vector<std::int16_t>{4, 1, 4, 0, 1, 4});
  const auto [starts, values] = group_by_key(keys, numbers(6), 7);
  EXPECT_EQ(starts.to_vector<std::int64_t>(), (Numbers{0, 1, 3, 3, 3, 6, 6, 6}));
  EXPECT_EQ(values.to_vector<std::int64_t>(), (Numbers{3, 1, 4, 0, 2, 5}));

  constexpr std::int64_t n = 30001, key_count = 1000;
  std::vector<Numbers> expected(key_count);
  for (std::int64_t k = 0; k < n; ++k) expected[static_cast<std::size_t>(k * k % key_count)].push_back(k);
  const DeviceArray squares = numbers(n) * numbers(n) % key_count;
  const Lists lists = group_by_key(squares, numbers(n), key_count);
  const Numbers begin = lists.starts.to_vector<std::int64_t>(), all = lists.values.to_vector<std::int64_t>();
  ASSERT_EQ(begin.size(), std::size_t{key_count} + 1);
  for (std::size_t key = 0; key < key_count; ++key) {
    EXPECT_EQ(Numbers(all.begin() + begin[key], all.begin() + begin[key + 1]), expected[key]) << key;
  }
  EXPECT_EQ(group_by_key(numbers(0), numbers(0), 2).starts.to_vector<std::int64_t>(), (Numbers{0, 0, 0}));
}

TEST_F(ListsTest, keys_that_are_none_are_refused) {
  EXPECT_EQ(message_of<IndexError>([&] { (void)group_by_key(numbers(4), numbers(4), 3); }),
            "key 3 of lists; expected 0 to 2");
  EXPECT_EQ(message_of<IndexError>([&] { (void)group_by_key(numbers(4) - 1, numbers(4), 3); }),
            "key -1 of lists; expected 0 to 2");
  EXPECT_THROW((void)group_by_key(ones(context(), {3}, Dtype::float32), numbers(3), 3), DtypeError);
  EXPECT_THROW((void)group_by_key(numbers(3), numbers(4), 4), ShapeError);
}

TEST_F(ListsTest, each_index_appends_as_many_values_as_it_likes) {
  const ListBuilder divisors({.lists = {{"proper", Dtype::int32}, {"halves", Dtype::float16}},
                              .arguments = "const int64* x, int64 least",
                              .generate = R"(for (int64 d = least; d < x[i]; ++d) {
  if (x[i] % d == 0) APPEND_proper((int32)d);
}
if (x[i] % 2 == 1) APPEND_halves(0.5f * x[i]);)"});
  constexpr std::int64_t n = 700;
  const std::vector<Lists> lists = divisors({numbers(n), 2}, n);
  Numbers starts{0}, half_starts{0};
  std::vector<std::int32_t> values;
  std::vector<float> halves;
  for (std::int32_t x = 0; x < n; ++x) {
    for (std::int32_t d = 2; d < x; ++d) {
      if (x % d == 0) values.push_back(d);
    }
    if (x % 2 == 1) halves.push_back(0.5F * static_cast<float>(x));
    starts.push_back(static_cast<std::int64_t>(values.size()));
    half_starts.push_back(static_cast<std::int64_t>(halves.size()));
  }
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0].starts.to_vector<std::int64_t>(), starts);
  EXPECT_EQ(lists[0].values.to_vector<std::int32_t>(), values);
  EXPECT_EQ(lists[1].starts.to_vector<std::int64_t>(), half_starts);
  EXPECT_EQ(lists[1].values.astype(Dtype::float32).to_vector<float>(), halves);
}

TEST_F(ListsTest, of_no_index_or_without_a_value_are_empty) {
  const ListBuilder none(
      {.lists = {{"none", Dtype::int8}}, .arguments = "const int64* x", .generate = "if (x[i] < 0) APPEND_none(1);"});
  EXPECT_EQ(none({numbers(3)}, 3).front().starts.to_vector<std::int64_t>(), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(none({numbers(3)}, 3).front().values.size(), 0);
  EXPECT_EQ(none({numbers(0)}, 0).front().starts.to_vector<std::int64_t>(), Numbers{0});
}

TEST_F(ListsTest, what_makes_no_list_is_refused) {
  EXPECT_THROW(ListBuilder({.lists = {}, .arguments = "const int64* x", .generate = ""}), ArrayError);
  EXPECT_THROW(ListBuilder({.lists = {{"x", Dtype::int8}}, .arguments = "const int64* x", .generate = ""}), ArrayError);
  const ListBuilder wrong({.lists = {{"a", Dtype::int8}}, .arguments = "const int64* x", .generate = "APPEND_b(1);"});
  EXPECT_THROW((void)wrong({numbers(3)}, 3), CompileError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
