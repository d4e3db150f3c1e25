#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"

namespace maxwell_dg::rtcg {

/// A parameter of a generated kernel: a number, or the elements of an array.
struct Argument {
  enum class Kind {
    scalar,
    input,  ///< an array that is read
    output  ///< an array that is written, and may be read before
  };
  std::string name;
  Dtype dtype{};
  Kind kind = Kind::scalar;

  [[nodiscard]] bool is_array() const { return kind != Kind::scalar; }
};

/// "const float32* x, float32 a, float32* z": arrays have a `*`, those that are only read a `const`. The types are
/// those of NumPy, or C's float, double, int, unsigned, and bool. Throws ArrayError naming what it does not understand.
[[nodiscard]] std::vector<Argument> parse_arguments(std::string_view text);

/// The same back as text.
[[nodiscard]] std::string to_string(const Argument& argument);

/// Throws ArrayError when a name is no identifier of C, occurs twice, or is one that generated kernels use themselves:
/// i, row, column, lane, part, value, index ...
void check_names(const std::vector<Argument>& arguments);

}  // namespace maxwell_dg::rtcg
