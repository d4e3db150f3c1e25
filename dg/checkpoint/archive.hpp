#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"

namespace maxwell_dg::dg {

/// Named arrays and texts: what a run needs to go on later as if it had never stopped. Whoever has something to keep
/// puts it in between two steps, under names that begin with his own ("probes.bytes"), and takes it out again when the
/// run is resumed. What is large is given as a function, which the thread that writes the file asks for rows while the
/// run goes on.
class Archive {
 public:
  struct Array {
    Dtype dtype{};                     ///< int32, int64, float32 or float64
    std::vector<std::size_t> shape{};  ///< at least one extent, the slowest index first
    /// Puts as many rows (all that belongs to one value of the slowest index) as `to` has room for into it, from
    /// `first` on.
    std::function<void(std::size_t first, std::span<std::byte> to)> rows{};

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
