#include "rtcg/array/layout.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

using Numbers = std::vector<std::int64_t>;

// The indices that Python's range(extent)[start:stop:step] holds.
Numbers taken(const Slice& slice, std::int64_t extent) {
  const SliceRange range = range_of(slice, extent);
  Numbers list;
  for (std::int64_t i = 0; i < range.count; ++i) list.push_back(range.first + i * slice.step);
  return list;
}

TEST(Slice, takes_what_python_takes) {
  EXPECT_EQ(taken({}, 3), (Numbers{0, 1, 2}));
  EXPECT_EQ(taken({.start = 1, .stop = -1}, 5), (Numbers{1, 2, 3}));
  EXPECT_EQ(taken({.start = -2}, 5), (Numbers{3, 4}));
  EXPECT_EQ(taken({.step = -1}, 3), (Numbers{2, 1, 0}));
  EXPECT_EQ(taken({.start = 7, .stop = 1, .step = -2}, 5), (Numbers{4, 2}));
  EXPECT_EQ(taken({.start = 0, .stop = 10, .step = 3}, 5), (Numbers{0, 3}));
  EXPECT_EQ(taken({.start = 3, .stop = 1}, 5), Numbers{});
  EXPECT_EQ(taken({.start = -9, .stop = -8, .step = -1}, 5), Numbers{});
  EXPECT_EQ(taken({.step = std::numeric_limits<std::int64_t>::min()}, 5), Numbers{4});
  EXPECT_EQ(message_of<IndexError>([] { (void)range_of({.step = 0}, 5); }),
            "the step of a slice is 0; it may be any other number");
}

TEST(Shape, counts_and_refuses_what_overflows) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({3, 0, 5}), 0);
  EXPECT_EQ(element_count({1L << 31, 2}), 1L << 32);
  EXPECT_EQ(message_of<ShapeError>([] {
              (void)element_count({1L << 32, 1L << 32});
            }),
            "shape (4294967296, 4294967296): the number of elements or bytes exceeds 2^63 - 1");
  EXPECT_THROW((void)byte_count({1L << 60}, Dtype::float64), ShapeError);
  EXPECT_THROW((void)element_count({3, -2}), ShapeError);
}

TEST(Shape, broadcasts_from_the_last_axis) {
  EXPECT_EQ(broadcast(std::vector<Shape>{{3, 1}, {4}}), (Shape{3, 4}));
  EXPECT_EQ(broadcast(std::vector<Shape>{{}, {2, 1}, {2, 5}}), (Shape{2, 5}));
  EXPECT_EQ(broadcast(std::vector<Shape>{{1}, {0}}), (Shape{0}));
  EXPECT_EQ(message_of<ShapeError>([] {
              (void)broadcast(std::vector<Shape>{{2, 3}, {4}});
            }),
            "shapes (2, 3) and (4,) do not broadcast: counted from the last axis, extents must be equal or 1");
}

TEST(Layout, of_a_view_follows_its_indices) {
  const Layout full = contiguous_layout({4, 5, 6});
  const std::vector<Index> row{std::int64_t{-1}, Slice{.start = 1, .stop = 5, .step = 2}};
  EXPECT_EQ(indexed(full, row), (Layout{{2, 6}, {12, 1}, 96}));
  const std::vector<Index> last{ellipsis, std::int64_t{2}};
  EXPECT_EQ(indexed(full, last), (Layout{{4, 5}, {30, 6}, 2}));
  const std::vector<Index> added{whole, new_axis, ellipsis, new_axis};
  EXPECT_EQ(indexed(full, added).shape, (Shape{4, 1, 5, 6, 1}));
  const std::vector<Index> outside{std::int64_t{0}, std::int64_t{5}};
  EXPECT_EQ(message_of<IndexError>([&] { (void)indexed(full, outside); }),
            "index 5 is outside of axis 1 of shape (4, 5, 6); it may be -5 to 4");
  const std::vector<Index> too_many(4, std::int64_t{0});
  EXPECT_THROW((void)indexed(full, too_many), IndexError);
  const std::vector<Index> twice{ellipsis, ellipsis};
  EXPECT_THROW((void)indexed(full, twice), IndexError);
}

TEST(Layout, is_reshaped_without_a_copy_where_strides_allow) {
  const Layout every_second{{6}, {2}, 1};
  EXPECT_EQ(reshaped(every_second, {2, 3}), (Layout{{2, 3}, {6, 2}, 1}));
  const Layout columns{{3, 4}, {8, 1}, 0};  // the left half of a matrix
  EXPECT_EQ(reshaped(columns, {12}), std::nullopt);
  EXPECT_EQ(reshaped(columns, {3, 2, 2}), (Layout{{3, 2, 2}, {8, 2, 1}, 0}));
  EXPECT_EQ(reshaped(columns, {2, 6}), std::nullopt);
  const Layout transposed{{4, 3}, {1, 4}, 0};
  EXPECT_EQ(reshaped(transposed, {3, 4}), std::nullopt);
}

TEST(Layout, completes_one_open_extent) {
  EXPECT_EQ(completed_shape({2, -1}, 6), (Shape{2, 3}));
  EXPECT_EQ(message_of<ShapeError>([] {
              (void)completed_shape({4, -1}, 6);
            }),
            "shape (4, -1) does not hold the 6 elements of the array");
  EXPECT_THROW((void)completed_shape({-1, -1}, 6), ShapeError);
}

TEST(Layout, is_seen_as_elements_of_another_size) {
  const Layout layout{.shape = {3, 4}, .strides = {8, 1}, .offset = 16};
  EXPECT_EQ(reinterpreted(layout, 4, 2), (Layout{.shape = {3, 8}, .strides = {16, 1}, .offset = 32}));
  EXPECT_EQ(reinterpreted(layout, 4, 8), (Layout{.shape = {3, 2}, .strides = {4, 1}, .offset = 8}));
  EXPECT_EQ(reinterpreted({.shape = {3}, .strides = {-2}, .offset = 5}, 4, 4).strides, std::vector<std::int64_t>{-2});
  EXPECT_THROW((void)reinterpreted({.shape = {3}, .strides = {2}}, 4, 2), ShapeError);
  EXPECT_THROW((void)reinterpreted({.shape = {}, .strides = {}}, 4, 2), ShapeError);
  EXPECT_THROW((void)reinterpreted({.shape = {3}, .strides = {1}}, 4, 8), ShapeError);
  EXPECT_THROW((void)reinterpreted({.shape = {2, 2}, .strides = {3, 1}}, 4, 8), ShapeError);
  EXPECT_THROW((void)reinterpreted({.shape = {2}, .strides = {1}, .offset = 1}, 4, 8), ShapeError);
  EXPECT_EQ(squeezed({.shape = {1, 3, 1, 2}, .strides = {7, 4, 9, 1}, .offset = 5}),
            (Layout{.shape = {3, 2}, .strides = {4, 1}, .offset = 5}));
}

TEST(Layout, joins_axes_that_all_layouts_run_through_as_one) {
  std::vector<Layout> layouts{contiguous_layout({2, 1, 3, 4}), {{2, 1, 3, 4}, {24, 7, 8, 2}, 5}};
  join_axes(layouts);
  EXPECT_EQ(layouts[0], (Layout{{24}, {1}, 0}));
  EXPECT_EQ(layouts[1], (Layout{{24}, {2}, 5}));
  layouts = {contiguous_layout({2, 3}), {{2, 3}, {0, 1}, 0}};
  join_axes(layouts);
  EXPECT_EQ(layouts[1], (Layout{{2, 3}, {0, 1}, 0}));
}

TEST(Layout, touches_from_its_first_to_its_last_element) {
  const Extent backwards = extent_of({{3, 2}, {-4, 1}, 10});
  EXPECT_EQ(backwards.begin, 2);
  EXPECT_EQ(backwards.end, 12);
  EXPECT_EQ(extent_of({{0}, {1}, 5}).end, 0);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
