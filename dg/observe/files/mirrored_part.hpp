#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace maxwell_dg::dg {

/// A part of the whole that files show: what is solved, or a mirror image of it. All numbers are 1 or -1.
struct MirroredPart {
  std::array<double, 3> position{1, 1, 1};  ///< [axis]
  std::vector<double> fields{};             ///< [field]; empty: 1

  [[nodiscard]] double field(int index) const {
    return fields.empty() ? 1.0 : fields.at(static_cast<std::size_t>(index));
  }
  /// Does it turn right-handed cells into left-handed ones?
  [[nodiscard]] bool is_reflection() const { return position[0] * position[1] * position[2] < 0; }
};

/// [value][component]: `values` times signs of [component]; as they are where there are no signs.
template <class T>
[[nodiscard]] std::vector<T> with_signs(std::vector<T> values, std::span<const double> signs) {
  for (std::size_t i = 0; i < values.size() && !signs.empty(); ++i) {
    values[i] = static_cast<T>(signs[i % signs.size()]) * values[i];
  }
  return values;
}

/// [part][value][component]: `values`, [value][component], times signs of [part][component].
template <class T>
[[nodiscard]] std::vector<T> in_all_parts(std::vector<T> values, std::span<const std::vector<double>> signs) {
  const std::size_t count = values.size();
  values.reserve(count * signs.size());
  for (const std::vector<double>& of_part : signs.subspan(1)) {  // the first is what is solved
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<T>(of_part[i % of_part.size()]) * values[i]);
    }
  }
  return values;
}

}  // namespace maxwell_dg::dg
