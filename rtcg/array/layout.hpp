#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/dtype.hpp"

/// Where the elements of an array lie in its buffer. Nothing here touches memory.
namespace maxwell_dg::rtcg {

/// Elements along each axis; the last axis runs fastest. No axes: one element.
using Shape = std::vector<std::int64_t>;

/// "(3, 4)", "(7,)", "()"
[[nodiscard]] std::string to_string(const Shape& shape);

/// Product of the extents. Throws ShapeError when one is negative or the product exceeds 2^63 - 1.
[[nodiscard]] std::int64_t element_count(const Shape& shape);

/// Bytes of that many elements, checked for overflow in the same way.
[[nodiscard]] std::size_t byte_count(const Shape& shape, Dtype dtype);

/// The shape that all given shapes extend to by NumPy's rule: aligned at the last axis, extents are equal or 1.
/// Throws ShapeError naming the shapes.
[[nodiscard]] Shape broadcast(std::span<const Shape> shapes);

/// Every `step`-th element from `start` to before `stop`, as in Python: negative numbers count from the end, what
/// is left out means all, what lies outside is cut off. `Slice{}` is the whole axis, `Slice{.step = -1}` reverses it.
struct Slice {
  std::optional<std::int64_t> start{};
  std::optional<std::int64_t> stop{};
  std::int64_t step = 1;
};
struct NewAxis {};   ///< an axis of extent 1 is put in
struct Ellipsis {};  ///< as many whole axes as are missing
/// One index: a number (negative: from the end) drops its axis.
using Index = std::variant<std::int64_t, Slice, NewAxis, Ellipsis>;

inline constexpr Slice whole{};
inline constexpr NewAxis new_axis{};
inline constexpr Ellipsis ellipsis{};

/// The indices that a slice takes from an axis. Throws IndexError when the step is 0.
struct SliceRange {
  std::int64_t first{};
  std::int64_t count{};
};
[[nodiscard]] SliceRange range_of(const Slice& slice, std::int64_t extent);

/// Element (i, j, ...) is element `offset + i * strides[0] + j * strides[1] + ...` of the buffer.
struct Layout {
  Shape shape;
  std::vector<std::int64_t> strides;  ///< in elements
  std::int64_t offset = 0;            ///< in elements

  [[nodiscard]] std::size_t rank() const { return shape.size(); }
  [[nodiscard]] std::int64_t size() const { return element_count(shape); }
  /// The elements follow each other in order, the last axis fastest.
  [[nodiscard]] bool is_contiguous() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};

[[nodiscard]] Layout contiguous_layout(Shape shape);

/// `axis` as a number from 0; negative ones count from the end. Throws IndexError.
[[nodiscard]] std::size_t checked_axis(std::int64_t axis, std::size_t rank);

/// Views. Each throws ShapeError or IndexError saying what was given and what the array has.
[[nodiscard]] Layout indexed(const Layout& layout, std::span<const Index> indices);
[[nodiscard]] Layout permuted(const Layout& layout, std::span<const std::int64_t> axes);
[[nodiscard]] Layout broadcast_to(const Layout& layout, const Shape& shape);

/// `shape` with its one -1, if any, replaced by what makes `size` elements. Throws ShapeError.
[[nodiscard]] Shape completed_shape(Shape shape, std::int64_t size);
/// The same elements under another shape, if strides can say so without a copy.
[[nodiscard]] std::optional<Layout> reshaped(const Layout& layout, const Shape& shape);

/// Without the axes of extent 1.
[[nodiscard]] Layout squeezed(const Layout& layout);
/// Elements of `from` bytes read as elements of `to` bytes; unless both are the same, the last axis must be contiguous,
/// and its extent, the offset and all other strides whole numbers of the new elements. Throws ShapeError.
[[nodiscard]] Layout reinterpreted(const Layout& layout, std::size_t from, std::size_t to);

/// Layouts of one shape, with axes of extent 1 dropped and axes joined wherever all layouts run through them as
/// through one. The order of the elements stays.
void join_axes(std::vector<Layout>& layouts);

/// First and one past the last element of the buffer that the layout touches; both 0 when it has no elements.
struct Extent {
  std::int64_t begin{};
  std::int64_t end{};
};
[[nodiscard]] Extent extent_of(const Layout& layout);

}  // namespace maxwell_dg::rtcg
