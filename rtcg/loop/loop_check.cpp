#include "rtcg/loop/loop_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace maxwell_dg::rtcg {

namespace {

// Sebastiano Vigna's splitmix64: a counter's bits well mixed.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Number `i` of an array, in [1/4, 1), exact in single precision.
double number_at(std::size_t array, std::int64_t i) {
  const std::uint64_t bits = mixed((static_cast<std::uint64_t>(array) << 56) + static_cast<std::uint64_t>(i)) >> 42;
  return 0.25 + 0.75 * static_cast<double>(bits) / static_cast<double>(std::uint64_t{1} << 22);
}

double rounded(double value, Dtype dtype) {
  return dtype == Dtype::float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

double read(std::span<const std::byte> from, std::int64_t i, Dtype dtype) {
  if (dtype == Dtype::float32) {
    float value = 0;
    std::memcpy(&value, from.data() + static_cast<std::size_t>(i) * sizeof value, sizeof value);
    return static_cast<double>(value);
  }
  double value = 0;
  std::memcpy(&value, from.data() + static_cast<std::size_t>(i) * sizeof value, sizeof value);
  return value;
}

void write(std::span<std::byte> to, std::int64_t i, double value, Dtype dtype) {
  const float single = static_cast<float>(value);
  const std::size_t size = size_of(dtype);
  std::memcpy(to.data() + static_cast<std::size_t>(i) * size,
              dtype == Dtype::float32 ? static_cast<const void*>(&single) : &value, size);
}

std::size_t bytes_of(const LoopArray& array, Dtype dtype) {
  return static_cast<std::size_t>(LoopNest::span_of(array)) * size_of(dtype);
}

}  // namespace

LoopCheck::LoopCheck(const LoopNest& nest) : nest_(nest), target_(flat(nest.assignment.target)) {
  for (const ArrayAccess& access : nest.assignment.accesses) accesses_.push_back(flat(access));
  target_content_ = content(nest.array(nest.assignment.target.array));
}

LoopCheck::Flat LoopCheck::flat(const ArrayAccess& access) const {
  const Affine offset = nest_.offset(access);
  Flat flat{.constant = offset.constant};
  for (const LoopDimension& dimension : nest_.output) flat.steps.push_back(offset.of(dimension.name));
  for (const LoopDimension& dimension : nest_.reduction) flat.steps.push_back(offset.of(dimension.name));
  return flat;
}

std::int64_t LoopCheck::Flat::at(const Point& point) const {
  std::int64_t offset = constant;
  for (std::size_t d = 0; d < steps.size(); ++d) offset += steps[d] * point[d];
  return offset;
}

std::size_t LoopCheck::number_of(const std::string& array) const {
  return static_cast<std::size_t>(&nest_.array(array) - nest_.arrays.data());
}

std::vector<core::Buffer> LoopCheck::allocate(const core::Device& device) const {
  std::vector<core::Buffer> buffers;
  for (const LoopArray& array : nest_.arrays) buffers.push_back(device.allocate(bytes_of(array, nest_.dtype)));
  return buffers;
}

std::vector<std::byte> LoopCheck::content(const LoopArray& array) const {
  std::vector<std::byte> bytes(bytes_of(array, nest_.dtype), std::byte{0xff});  // all ones is a NaN
  if (array.name == nest_.assignment.target.array && !nest_.is_in_place()) return bytes;
  const std::size_t number = number_of(array.name);
  for (std::int64_t i = 0, n = LoopNest::span_of(array); i < n; ++i) {
    write(bytes, i, rounded(number_at(number, i), nest_.dtype), nest_.dtype);
  }
  return bytes;
}

void LoopCheck::fill(const core::Stream& stream, std::span<const core::Buffer> buffers) const {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::vector<std::byte> bytes = content(nest_.arrays[i]);
    stream.write(buffers[i], 0, bytes);
    stream.synchronize();
  }
}

void LoopCheck::fill_target(const core::Stream& stream, std::span<const core::Buffer> buffers) const {
  const std::size_t target = number_of(nest_.assignment.target.array);
  stream.write(buffers[target], 0, target_content_);
  stream.synchronize();
}

std::vector<double> LoopCheck::scalars() const {
  std::vector<double> values;
  for (std::size_t i = 0; i < nest_.assignment.scalars.size(); ++i)
    values.push_back(1.5 - 0.25 * static_cast<double>(i));
  return values;
}

LoopCheck::Result LoopCheck::sum(const LoopTerm& term, Point point) const {
  Result total;
  const std::size_t first = nest_.output.size();
  for (std::int64_t n = 0; n < nest_.reduction_points(); ++n) {
    std::int64_t rest = n;
    for (std::size_t d = nest_.reduction.size(); d-- > 0;) {
      point[first + d] = rest % nest_.reduction[d].extent;
      rest /= nest_.reduction[d].extent;
    }
    const Result one = evaluate(term, point);
    total.value += one.value;
    total.size += one.size;
  }
  return total;
}

LoopCheck::Result LoopCheck::evaluate(const LoopTerm& term, const Point& point) const {
  const auto both = [](double value) { return Result{value, std::fabs(value)}; };
  if (term.kind == LoopTerm::Kind::number) return both(rounded(term.number, nest_.dtype));
  if (term.kind == LoopTerm::Kind::scalar) {
    const auto& names = nest_.assignment.scalars;
    const auto which = std::ranges::find(names, term.name) - names.begin();
    return both(scalars()[static_cast<std::size_t>(which)]);
  }
  if (term.kind == LoopTerm::Kind::access) {
    const ArrayAccess& access = nest_.assignment.accesses[term.access];
    const double value = number_at(number_of(access.array), accesses_[term.access].at(point));
    return both(rounded(value, nest_.dtype));
  }
  if (term.kind == LoopTerm::Kind::sum) return sum(term.children[0], point);
  const Result a = evaluate(term.children[0], point);
  if (term.kind == LoopTerm::Kind::negation) return {-a.value, a.size};
  const Result b = term.children.size() > 1 ? evaluate(term.children[1], point) : Result{};
  if (term.kind == LoopTerm::Kind::call) {
    const double value = find_loop_function(term.name)->compute(a.value, b.value);
    return {value, std::fabs(value) + a.size + b.size};
  }
  if (term.name == "+") return {a.value + b.value, a.size + b.size};
  if (term.name == "-") return {a.value - b.value, a.size + b.size};
  if (term.name == "*") return {a.value * b.value, a.size * b.size};
  const double quotient = a.value / b.value;
  return {quotient, a.size / std::fabs(b.value) * (b.size / std::fabs(b.value))};
}

LoopCheck::Point LoopCheck::output_point(std::int64_t number) const {
  Point point(nest_.output.size() + nest_.reduction.size(), 0);
  for (std::size_t d = nest_.output.size(); d-- > 0;) {
    point[d] = number % nest_.output[d].extent;
    number /= nest_.output[d].extent;
  }
  return point;
}

std::vector<std::int64_t> LoopCheck::points_to_check() const {
  constexpr double work = 1e7;
  const std::int64_t all = nest_.output_points();
  const auto affordable = static_cast<std::int64_t>(work / static_cast<double>(nest_.reduction_points()));
  const std::int64_t count = std::min(all, std::max<std::int64_t>(256, affordable));
  std::vector<std::int64_t> points{0, all - 1};
  for (std::int64_t i = 0; i < count; ++i) {
    const auto chosen = count == all ? i : static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(i)) % all);
    points.push_back(chosen);
  }
  return points;
}

std::string LoopCheck::difference(std::span<const std::byte> target, std::int64_t number,
                                  const Result& expected) const {
  const Point point = output_point(number);
  const double found = read(target, target_.at(point), nest_.dtype);
  const double epsilon = nest_.dtype == Dtype::float32 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                                       : std::numeric_limits<double>::epsilon();
  // Errors of a sum of n terms grow like the root of n; the host's own are far smaller in single precision.
  const double bound = epsilon * expected.size * (8 + 2 * std::sqrt(static_cast<double>(nest_.reduction_points())));
  if (std::fabs(found - expected.value) <= bound) return "";
  std::string place;
  for (const Affine& index : nest_.assignment.target.index) {
    std::int64_t at = index.constant;
    for (std::size_t d = 0; d < nest_.output.size(); ++d) at += index.of(nest_.output[d].name) * point[d];
    place += (place.empty() ? "" : ", ") + std::to_string(at);
  }
  return nest_.assignment.target.array + "[" + place + "] = " + std::to_string(found) + ", not " +
         std::to_string(expected.value);
}

// The number of the first point that still holds a NaN, or -1. Row by row: there may be many millions.
std::int64_t LoopCheck::first_unwritten(std::span<const std::byte> target) const {
  const std::int64_t row = nest_.output.back().extent;
  const std::int64_t step = target_.steps[nest_.output.size() - 1];
  for (std::int64_t first = 0; first < nest_.output_points(); first += row) {
    const std::int64_t begin = target_.at(output_point(first));
    for (std::int64_t i = 0; i < row; ++i) {
      if (std::isnan(read(target, begin + i * step, nest_.dtype))) return first + i;
    }
  }
  return -1;
}

std::string LoopCheck::compare(const core::Stream& stream, std::span<const core::Buffer> buffers) {
  const std::size_t which = number_of(nest_.assignment.target.array);
  std::vector<std::byte> target(buffers[which].size_bytes());
  stream.read(buffers[which], 0, target);
  if (expected_.empty()) {
    for (const std::int64_t number : points_to_check()) {
      expected_.emplace_back(number, evaluate(nest_.assignment.value, output_point(number)));
    }
  }
  stream.synchronize();
  for (const auto& [number, expected] : expected_) {
    if (std::string text = difference(target, number, expected); !text.empty()) return text;
  }
  const std::int64_t unwritten = first_unwritten(target);
  if (unwritten < 0) return "";
  return difference(target, unwritten, evaluate(nest_.assignment.value, output_point(unwritten)));
}

}  // namespace maxwell_dg::rtcg
