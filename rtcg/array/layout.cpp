#include "rtcg/array/layout.hpp"

#include <algorithm>

#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::int64_t product(std::int64_t a, std::int64_t b, const Shape& shape) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    throw ShapeError("shape " + to_string(shape) + ": the number of elements or bytes exceeds 2^63 - 1");
  }
  return result;
}

// Position `index` of an axis, counted from the end when negative.
std::int64_t checked_index(std::int64_t index, std::size_t axis, const Shape& shape) {
  const std::int64_t extent = shape[axis];
  if (index < -extent || index >= extent) {
    throw IndexError("index " + std::to_string(index) + " is outside of axis " + std::to_string(axis) + " of shape " +
                     to_string(shape) + "; it may be " + std::to_string(-extent) + " to " + std::to_string(extent - 1));
  }
  return index < 0 ? index + extent : index;
}

}  // namespace

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d > 0 ? ", " : "") + std::to_string(shape[d]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0) throw ShapeError("shape " + to_string(shape) + ": an extent is negative");
  }
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  for (const std::int64_t extent : shape) count = product(count, extent, shape);
  return count;
}

std::size_t byte_count(const Shape& shape, Dtype dtype) {
  return static_cast<std::size_t>(product(element_count(shape), static_cast<std::int64_t>(size_of(dtype)), shape));
}

Shape broadcast(std::span<const Shape> shapes) {
  std::size_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.size());
  Shape result(rank, 1);
  for (const Shape& shape : shapes) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t& extent = result[rank - shape.size() + d];
      if (shape[d] == extent || shape[d] == 1) continue;
      if (extent != 1) {
        std::string names;
        for (const Shape& each : shapes) names += (names.empty() ? "" : " and ") + to_string(each);
        throw ShapeError("shapes " + names +
                         " do not broadcast: counted from the last axis, extents must be equal or 1");
      }
      extent = shape[d];
    }
  }
  return result;
}

SliceRange range_of(const Slice& slice, std::int64_t extent) {
  if (slice.step == 0) throw IndexError("the step of a slice is 0; it may be any other number");
  const bool forward = slice.step > 0;
  // Backwards, "before the first" is -1, which no negative index can say.
  const std::int64_t lowest = forward ? 0 : -1;
  const std::int64_t highest = forward ? extent : extent - 1;
  const auto position = [&](std::optional<std::int64_t> index, std::int64_t otherwise) {
    if (!index) return otherwise;
    return std::clamp(*index < 0 ? *index + extent : *index, lowest, highest);
  };
  const std::int64_t first = position(slice.start, forward ? lowest : highest);
  const std::int64_t stop = position(slice.stop, forward ? highest : lowest);
  const std::int64_t distance = forward ? stop - first : first - stop;
  if (distance <= 0) return {first, 0};
  // Magnitudes are unsigned, because that of the most negative step has no signed counterpart.
  const auto step = forward ? static_cast<std::uint64_t>(slice.step) : 0 - static_cast<std::uint64_t>(slice.step);
  return {first, static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / step) + 1};
}

bool Layout::is_contiguous() const {
  std::int64_t expected = 1;
  for (std::size_t d = rank(); d-- > 0;) {
    if (shape[d] == 0) return true;
    if (shape[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= shape[d];
  }
  return true;
}

Layout contiguous_layout(Shape shape) {
  (void)element_count(shape);  // refuses what overflows
  Layout layout{.shape = std::move(shape), .strides = {}};
  layout.strides.resize(layout.rank());
  std::int64_t stride = 1;
  for (std::size_t d = layout.rank(); d-- > 0;) {
    layout.strides[d] = stride;
    stride *= std::max<std::int64_t>(layout.shape[d], 1);
  }
  return layout;
}

std::size_t checked_axis(std::int64_t axis, std::size_t rank) {
  const auto axes = static_cast<std::int64_t>(rank);
  if (axis < -axes || axis >= axes) {
    throw IndexError("axis " + std::to_string(axis) + " of an array of " + std::to_string(rank) + " axes");
  }
  return static_cast<std::size_t>(axis < 0 ? axis + axes : axis);
}

Layout indexed(const Layout& layout, std::span<const Index> indices) {
  std::size_t taken = 0;
  bool has_ellipsis = false;
  for (const Index& index : indices) {
    if (std::holds_alternative<Ellipsis>(index)) {
      if (has_ellipsis) throw IndexError("more than one ellipsis in an index");
      has_ellipsis = true;
    } else if (!std::holds_alternative<NewAxis>(index)) {
      ++taken;
    }
  }
  if (taken > layout.rank()) {
    throw IndexError(std::to_string(taken) + " indices for an array of shape " + to_string(layout.shape));
  }
  Layout result{.shape = {}, .strides = {}, .offset = layout.offset};
  std::size_t axis = 0;
  const auto keep = [&](std::int64_t extent, std::int64_t stride) {
    result.shape.push_back(extent);
    result.strides.push_back(stride);
  };
  const auto keep_whole_axes_until = [&](std::size_t end) {
    for (; axis < end; ++axis) keep(layout.shape[axis], layout.strides[axis]);
  };
  std::size_t left = taken;
  for (const Index& index : indices) {
    if (std::holds_alternative<NewAxis>(index)) {
      keep(1, 0);
    } else if (std::holds_alternative<Ellipsis>(index)) {
      keep_whole_axes_until(layout.rank() - left);
    } else if (const auto* number = std::get_if<std::int64_t>(&index)) {
      result.offset += checked_index(*number, axis, layout.shape) * layout.strides[axis];
      ++axis;
      --left;
    } else {
      const auto& slice = std::get<Slice>(index);
      const SliceRange range = range_of(slice, layout.shape[axis]);
      if (range.count > 0) result.offset += range.first * layout.strides[axis];
      keep(range.count, range.count > 1 ? slice.step * layout.strides[axis] : layout.strides[axis]);
      ++axis;
      --left;
    }
  }
  keep_whole_axes_until(layout.rank());
  return result;
}

Layout permuted(const Layout& layout, std::span<const std::int64_t> axes) {
  std::vector<bool> used(layout.rank());
  Layout result{.shape = {}, .strides = {}, .offset = layout.offset};
  for (const std::int64_t given : axes) {
    const std::size_t axis = checked_axis(given, layout.rank());
    if (used[axis]) throw IndexError("axis " + std::to_string(given) + " occurs twice in a permutation");
    used[axis] = true;
    result.shape.push_back(layout.shape[axis]);
    result.strides.push_back(layout.strides[axis]);
  }
  if (axes.size() != layout.rank()) {
    throw IndexError("a permutation of " + std::to_string(axes.size()) + " axes for an array of shape " +
                     to_string(layout.shape));
  }
  return result;
}

Layout broadcast_to(const Layout& layout, const Shape& shape) {
  const auto fail = [&] {
    throw ShapeError("an array of shape " + to_string(layout.shape) + " does not broadcast to " + to_string(shape));
  };
  (void)element_count(shape);
  if (shape.size() < layout.rank()) fail();
  const std::size_t added = shape.size() - layout.rank();
  Layout result{.shape = shape, .strides = std::vector<std::int64_t>(shape.size(), 0), .offset = layout.offset};
  for (std::size_t d = 0; d < layout.rank(); ++d) {
    if (layout.shape[d] == shape[added + d]) {
      result.strides[added + d] = layout.strides[d];
    } else if (layout.shape[d] != 1) {
      fail();
    }
  }
  return result;
}

Shape completed_shape(Shape shape, std::int64_t size) {
  const std::string given = to_string(shape);
  const auto open = std::ranges::find(shape, -1);
  if (open != shape.end()) {
    *open = 1;
    const std::int64_t others = element_count(shape);  // a second -1 is refused there
    *open = others != 0 ? size / others : 0;
  }
  if (element_count(shape) != size) {
    throw ShapeError("shape " + given + " does not hold the " + std::to_string(size) + " elements of the array");
  }
  return shape;
}

std::optional<Layout> reshaped(const Layout& layout, const Shape& shape) {
  Layout result = contiguous_layout(shape);
  result.offset = layout.offset;
  if (layout.is_contiguous()) return result;
  std::vector<Layout> joined{layout};
  join_axes(joined);
  const Layout& runs = joined.front();
  std::size_t e = shape.size();
  for (std::size_t d = runs.rank(); d-- > 0;) {
    std::int64_t covered = 1;
    while (e > 0 && covered < runs.shape[d]) {
      --e;
      result.strides[e] = runs.strides[d] * covered;
      covered *= shape[e];
    }
    if (covered != runs.shape[d]) return std::nullopt;
  }
  return result;
}

void join_axes(std::vector<Layout>& layouts) {
  const Shape shape = layouts.front().shape;
  for (Layout& layout : layouts) layout.shape.clear();
  std::size_t kept = 0;  // axes in the result; its last one is what the next axis may be joined to
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const bool joins = kept > 0 && std::ranges::all_of(layouts, [&](const Layout& layout) {
                         return layout.strides[kept - 1] == layout.strides[d] * shape[d];
                       });
    for (Layout& layout : layouts) {
      if (!joins) layout.shape.push_back(1);
      layout.shape.back() *= shape[d];
      layout.strides[joins ? kept - 1 : kept] = layout.strides[d];
    }
    if (!joins) ++kept;
  }
  for (Layout& layout : layouts) layout.strides.resize(kept);
}

Layout squeezed(const Layout& layout) {
  Layout result{.offset = layout.offset};
  for (std::size_t axis = 0; axis < layout.rank(); ++axis) {
    if (layout.shape[axis] == 1) continue;
    result.shape.push_back(layout.shape[axis]);
    result.strides.push_back(layout.strides[axis]);
  }
  return result;
}

Layout reinterpreted(const Layout& layout, std::size_t from, std::size_t to) {
  if (from == to) return layout;
  const std::string what = "elements of " + std::to_string(from) + " bytes of an array of shape " +
                           to_string(layout.shape) + " seen as elements of " + std::to_string(to) + " bytes: ";
  if (layout.rank() == 0 || (layout.strides.back() != 1 && layout.shape.back() != 1)) {
    throw ShapeError(what + "the last axis must be contiguous");
  }
  const auto in_new = [&](std::int64_t elements, const char* name) {
    const auto bytes = elements * static_cast<std::int64_t>(from), size = static_cast<std::int64_t>(to);
    if (bytes % size != 0) throw ShapeError(what + name + " is no whole number of these");
    return bytes / size;
  };
  Layout result = layout;
  result.offset = in_new(layout.offset, "its offset");
  for (std::size_t axis = 0; axis + 1 < layout.rank(); ++axis) {
    if (layout.shape[axis] != 1) result.strides[axis] = in_new(layout.strides[axis], "a stride");
  }
  result.shape.back() = in_new(layout.shape.back(), "its last extent");
  result.strides.back() = 1;
  return result;
}

Extent extent_of(const Layout& layout) {
  if (layout.size() == 0) return {};
  Extent extent{layout.offset, layout.offset + 1};
  for (std::size_t d = 0; d < layout.rank(); ++d) {
    const std::int64_t reach = (layout.shape[d] - 1) * layout.strides[d];
    (reach < 0 ? extent.begin : extent.end) += reach;
  }
  return extent;
}

}  // namespace maxwell_dg::rtcg
