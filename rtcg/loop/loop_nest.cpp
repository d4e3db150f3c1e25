#include "rtcg/loop/loop_nest.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

[[noreturn]] void reject(const std::string& name, const std::string& what) {
  throw ArrayError("loop kernel '" + name + "': " + what);
}

void complete_strides(const std::string& name, LoopArray& array) {
  const auto too_large = [&] { reject(name, "array '" + array.name + "' has more than 2^63 - 1 elements"); };
  if (array.shape.empty()) reject(name, "array '" + array.name + "' has no shape");
  if (array.strides.empty()) {
    array.strides.assign(array.shape.size(), 1);
    for (std::size_t axis = array.shape.size() - 1; axis > 0; --axis) {
      if (__builtin_mul_overflow(array.strides[axis], array.shape[axis], &array.strides[axis - 1])) too_large();
    }
  }
  if (array.strides.size() != array.shape.size()) {
    reject(name, "array '" + array.name + "' has " + std::to_string(array.shape.size()) + " axes and " +
                     std::to_string(array.strides.size()) + " strides");
  }
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
    if (array.shape[axis] < 1 || array.strides[axis] < 0) {
      reject(name, "array '" + array.name + "': extents are at least 1 and strides not negative");
    }
  }
  std::int64_t last = 0, reach = 0;
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
    if (__builtin_mul_overflow(array.shape[axis] - 1, array.strides[axis], &reach) ||
        __builtin_add_overflow(last, reach, &last)) {
      too_large();
    }
  }
}

double operations_of(const LoopTerm& term) {
  double count = term.kind == LoopTerm::Kind::binary || term.kind == LoopTerm::Kind::call ? 1 : 0;
  if (term.kind == LoopTerm::Kind::sum) return 0;  // counted by itself
  for (const LoopTerm& child : term.children) count += operations_of(child);
  return count;
}

}  // namespace

LoopNest::LoopNest(LoopDescription description)
    : name(std::move(description.name)), dtype(description.dtype), arrays(std::move(description.arrays)) {
  if (dtype != Dtype::float32 && dtype != Dtype::float64) reject(name, "arrays are float32 or float64");
  std::vector<std::string> dimension_names;
  std::vector<std::string> array_names;
  for (const LoopDimension& dimension : description.dimensions) {
    if (dimension.extent < 1) reject(name, "dimension '" + dimension.name + "' is empty");
    if (std::ranges::count(description.dimensions, dimension.name, &LoopDimension::name) > 1) {
      reject(name, "dimension '" + dimension.name + "' is there twice");
    }
    dimension_names.push_back(dimension.name);
  }
  for (LoopArray& array : arrays) {
    if (std::ranges::count(arrays, array.name, &LoopArray::name) > 1)
      reject(name, "array '" + array.name + "' is there twice");
    complete_strides(name, array);
    array_names.push_back(array.name);
  }
  assignment = parse_assignment(name, description.assignment, dimension_names, array_names);
  for (const LoopDimension& dimension : description.dimensions) {
    if (std::ranges::find(assignment.reduction, dimension.name) == assignment.reduction.end()) {
      output.push_back(dimension);
    }
  }
  for (const std::string& summed : assignment.reduction) {
    reduction.push_back(*std::ranges::find(description.dimensions, summed, &LoopDimension::name));
  }
  if (assignment.has_sum()) {
    for (const std::size_t outside : Assignment::accesses_of(assignment.value)) {
      for (const LoopDimension& summed : reduction) {
        const auto depends = [&](const Affine& index) { return index.of(summed.name) != 0; };
        if (std::ranges::any_of(assignment.accesses[outside].index, depends)) {
          reject(name, "dimension '" + summed.name + "' is used outside of the sum over it");
        }
      }
    }
  }
  std::vector<ArrayAccess> all = assignment.accesses;
  all.push_back(assignment.target);
  for (const ArrayAccess& access : all) {
    const LoopArray& of = array(access.array);
    if (access.index.size() != of.shape.size()) {
      reject(name, "array '" + of.name + "' has " + std::to_string(of.shape.size()) + " axes, an index has " +
                       std::to_string(access.index.size()));
    }
    for (std::size_t axis = 0; axis < of.shape.size(); ++axis) {
      std::int64_t least = access.index[axis].constant;
      std::int64_t most = least;
      for (const LoopDimension& dimension : description.dimensions) {
        const std::int64_t reach = access.index[axis].of(dimension.name) * (dimension.extent - 1);
        (reach < 0 ? least : most) += reach;
      }
      if (least < 0 || most >= of.shape[axis]) {
        reject(name, "array '" + of.name + "', axis " + std::to_string(axis) + ": indices from " +
                         std::to_string(least) + " to " + std::to_string(most) + " do not fit an extent of " +
                         std::to_string(of.shape[axis]));
      }
    }
  }
  check_that_points_are_apart();
}

void LoopNest::check_that_points_are_apart() const {
  const Affine place = offset(assignment.target);
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // along a dimension, and how far all of it reaches
  for (const LoopDimension& dimension : output) {
    if (dimension.extent == 1) continue;
    const std::int64_t step = std::abs(place.of(dimension.name));
    steps.emplace_back(step, step * (dimension.extent - 1));
  }
  std::ranges::sort(steps);
  std::int64_t reached = 0;
  for (const auto& [step, reach] : steps) {
    if (step <= reached)
      reject(name, "two points of the result may be the same element of '" + assignment.target.array + "'");
    reached += reach;
  }
}

const LoopArray& LoopNest::array(const std::string& array_name) const {
  return *std::ranges::find(arrays, array_name, &LoopArray::name);
}

Affine LoopNest::offset(const ArrayAccess& access) const {
  const LoopArray& of = array(access.array);
  Affine flat;
  for (std::size_t axis = 0; axis < of.shape.size(); ++axis) flat.add(access.index[axis], of.strides[axis]);
  return flat;
}

std::int64_t LoopNest::span_of(const LoopArray& array) {
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) last += (array.shape[axis] - 1) * array.strides[axis];
  return last + 1;
}

std::int64_t LoopNest::output_points() const {
  std::int64_t points = 1;
  for (const LoopDimension& dimension : output) points *= dimension.extent;
  return points;
}

std::int64_t LoopNest::reduction_points() const {
  std::int64_t points = 1;
  for (const LoopDimension& dimension : reduction) points *= dimension.extent;
  return points;
}

double LoopNest::operations() const {
  const auto points = static_cast<double>(output_points());
  if (!assignment.has_sum()) return points * operations_of(assignment.value);
  const double summed = operations_of(assignment.summand()) + 1;
  return points * (operations_of(assignment.value) + summed * static_cast<double>(reduction_points()));
}

bool LoopNest::is_in_place() const {
  return std::ranges::any_of(assignment.accesses,
                             [&](const ArrayAccess& access) { return access.array == assignment.target.array; });
}

}  // namespace maxwell_dg::rtcg
