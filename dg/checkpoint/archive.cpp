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
void append_converted(std::span<const std::byte> bytes, std::vector<double>& to) {
  const auto* const values = reinterpret_cast<const T*>(bytes.data());
  to.insert(to.end(), values, values + bytes.size() / sizeof(T));
}

void append_reals(const std::string& name, Dtype dtype, std::span<const std::byte> bytes, std::vector<double>& to) {
  if (dtype == Dtype::float32) return append_converted<float>(bytes, to);
  if (dtype == Dtype::float64) return append_converted<double>(bytes, to);
  lacks(name);
}

}  // namespace

std::size_t Archive::Array::row_count() const {
  std::size_t rows = 1;
  for (std::size_t i = 0; i < row_axes; ++i) rows *= shape[i];
  return rows;
}

std::size_t Archive::Array::row_bytes() const {
  std::size_t bytes = size_of(dtype);
  for (std::size_t i = row_axes; i < shape.size(); ++i) bytes *= shape[i];
  return bytes;
}

Archive::Array array_of(Dtype dtype, std::vector<std::size_t> shape, std::vector<std::byte> bytes) {
  Archive::Array array{.dtype = dtype, .shape = std::move(shape)};
  if (array.shape.empty() || array.row_count() * array.row_bytes() != bytes.size()) {
    throw std::invalid_argument("array_of: as many bytes as the shape says are needed");
  }
  array.row_axes = array.shape.size();
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
  return reals(name, {.rows = array(name).shape.front(), .number = [](std::size_t row) { return row; }});
}

std::vector<double> Archive::reals(const std::string& name, const Array::Part& rows, std::size_t row_axes) const {
  constexpr std::size_t piece_bytes = std::size_t{1} << 22;  // that are read at a time
  constexpr std::size_t gap_bytes = std::size_t{1} << 12;    // that are read though nobody asked for them
  const Array& found = array(name);
  Array by_rows{.dtype = found.dtype, .shape = found.shape, .row_axes = row_axes};
  const std::size_t row_bytes = by_rows.row_bytes();
  if (row_bytes == 0 || rows.rows == 0) return {};
  if (row_bytes % found.row_bytes() != 0) throw std::logic_error("Archive: '" + name + "' has larger rows");
  const std::size_t most = std::max<std::size_t>(1, piece_bytes / row_bytes);
  std::vector<double> values;
  values.reserve(rows.rows * row_bytes / size_of(found.dtype));
  std::vector<std::byte> piece;
  std::vector<std::size_t> numbers;
  for (std::size_t row = 0; row < rows.rows; row += numbers.size()) {
    numbers.assign(1, rows.number(row));
    for (std::size_t next = row + 1; next < rows.rows; ++next) {
      const std::size_t number = rows.number(next);
      const bool is_close = number > numbers.back() && (number - numbers.back() - 1) * row_bytes <= gap_bytes;
      if (!is_close || number - numbers.front() >= most) break;
      numbers.push_back(number);
    }
    if (numbers.back() >= by_rows.row_count()) lacks(name);
    piece.resize((numbers.back() - numbers.front() + 1) * row_bytes);
    found.rows(numbers.front() * (row_bytes / found.row_bytes()), piece);
    for (const std::size_t number : numbers) {
      append_reals(name, found.dtype, std::span(piece).subspan((number - numbers.front()) * row_bytes, row_bytes),
                   values);
    }
  }
  return values;
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
