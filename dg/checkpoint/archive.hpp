#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"

namespace maxwell_dg::dg {

/// Named arrays and texts: what a run needs to go on later as if it had never stopped. Whoever has something to keep
/// puts it in between two steps, under names that begin with his own ("probes.bytes"), and takes it out again when the
/// run is resumed. What is large is given as a function, which the thread that writes the file asks for rows while the
/// run goes on; and when it is read, it stays in the file until rows are asked for.
///
/// Of several ranks each has the rows of its own elements of what is as large as the mesh (Array::part). All else they
/// have alike, or the first one alone has it.
class Archive {
 public:
  struct Array {
    Dtype dtype{};                     ///< int32, int64, float32 or float64
    std::vector<std::size_t> shape{};  ///< at least one extent, the slowest index first
    /// Puts as many rows (all that belongs to one value of the slowest indices, `row_axes` of them) as `to` has room
    /// for into it, from `first` on: of the whole array, or of those in `part`.
    std::function<void(std::size_t first, std::span<std::byte> to)> rows{};
    std::size_t row_axes = 1;
    /// Which rows this rank has of an array that ranks share.
    struct Part {
      std::size_t rows{};
      std::function<std::size_t(std::size_t row)> number{};  ///< of one of them in the whole
    };
    std::optional<Part> part{};

    [[nodiscard]] std::size_t row_count() const;  ///< of the whole
    [[nodiscard]] std::size_t row_bytes() const;
  };

  void put(const std::string& name, Array array);
  void put(const std::string& name, std::vector<double> values);
  void put_number(const std::string& name, double value) { put(name, std::vector<double>{value}); }
  void put_integer(const std::string& name, std::int64_t value);
  void put_text(const std::string& name, std::string text);

  [[nodiscard]] bool has(const std::string& name) const { return arrays_.contains(name) || texts_.contains(name); }
  // These throw ConfigError where there is no such thing: the checkpoint is of another version of the program.
  [[nodiscard]] const Array& array(const std::string& name) const;
  [[nodiscard]] std::vector<double> reals(const std::string& name) const;  ///< float32 or float64, [all values]
  /// The values of some rows of a whole array of these types, [row][value], reading little else. Rows are numbered by
  /// so many of the slowest indices.
  [[nodiscard]] std::vector<double> reals(const std::string& name, const Array::Part& rows,
                                          std::size_t row_axes = 1) const;
  [[nodiscard]] double number(const std::string& name) const;
  [[nodiscard]] std::int64_t integer(const std::string& name) const;
  [[nodiscard]] const std::string& text(const std::string& name) const;

  [[nodiscard]] const std::map<std::string, Array>& arrays() const { return arrays_; }
  [[nodiscard]] const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  std::map<std::string, Array> arrays_;
  std::map<std::string, std::string> texts_;
};

/// An array whose values are at hand: `bytes` in the order of the shape.
[[nodiscard]] Archive::Array array_of(Dtype dtype, std::vector<std::size_t> shape, std::vector<std::byte> bytes);

}  // namespace maxwell_dg::dg
