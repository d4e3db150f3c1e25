#include "dg/checkpoint/archive.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

template <class T>
std::vector<std::byte> copied_bytes(std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

[[noreturn]] void lacks(const std::string& name) {
  throw ConfigError("the checkpoint does not hold '" + name +
                    "': another version of the program wrote it; resume with that one, or begin anew without --resume");
}

template <class T>
std::vector<double> converted(const Archive::Array& array) {
  std::vector<T> values(array.shape[0] * array.row_bytes() / sizeof(T));
  array.rows(0, std::as_writable_bytes(std::span(values)));
  return {values.begin(), values.end()};
}

}  // namespace

std::size_t Archive::Array::row_bytes() const {
  std::size_t bytes = size_of(dtype);
  for (std::size_t i = 1; i < shape.size(); ++i) bytes *= shape[i];
  return bytes;
}

Archive::Array array_of(Dtype dtype, std::vector<std::size_t> shape, std::vector<std::byte> bytes) {
  Archive::Array array{.dtype = dtype, .shape = std::move(shape)};
  if (array.shape.empty() || array.shape[0] * array.row_bytes() != bytes.size()) {
    throw std::invalid_argument("array_of: as many bytes as the shape says are needed");
  }
  array.rows = [row = array.row_bytes(), bytes = std::move(bytes)](std::size_t first, std::span<std::byte> to) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(first * row), to.size(), to.begin());
  };
  return array;
}

void Archive::put(const std::string& name, Array array) {
  if (has(name)) throw std::logic_error("Archive: '" + name + "' is there already");
  arrays_.emplace(name, std::move(array));
}

void Archive::put(const std::string& name, std::vector<double> values) {
  put(name, array_of(Dtype::float64, {values.size()}, copied_bytes(std::span<const double>(values))));
}

void Archive::put_integer(const std::string& name, std::int64_t value) {
  put(name, array_of(Dtype::int64, {1}, copied_bytes(std::span<const std::int64_t>(&value, 1))));
}

void Archive::put_text(const std::string& name, std::string text) {
  if (has(name)) throw std::logic_error("Archive: '" + name + "' is there already");
  texts_.emplace(name, std::move(text));
}

const Archive::Array& Archive::array(const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) lacks(name);
  return found->second;
}

std::vector<double> Archive::reals(const std::string& name) const {
  const Array& found = array(name);
  if (found.dtype == Dtype::float32) return converted<float>(found);
  if (found.dtype == Dtype::float64) return converted<double>(found);
  lacks(name);
}

double Archive::number(const std::string& name) const {
  const std::vector<double> values = reals(name);
  if (values.size() != 1) lacks(name);
  return values.front();
}

std::int64_t Archive::integer(const std::string& name) const {
  const Array& found = array(name);
  if (found.dtype != Dtype::int64 || found.shape != std::vector<std::size_t>{1}) lacks(name);
  std::int64_t value = 0;
  found.rows(0, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

const std::string& Archive::text(const std::string& name) const {
  const auto found = texts_.find(name);
  if (found == texts_.end()) lacks(name);
  return found->second;
}

}  // namespace maxwell_dg::dg
