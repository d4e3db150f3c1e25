#pragma once

#include <cstddef>
#include <vector>

/// The bank of filters by plain loops.
namespace maxwell_dg::examples {

/// The result is [filters, edge, edge], the image [channels, edge + width - 1, edge + width - 1].
struct FilterBank {
  int edge{}, channels{}, filters{}, width{};
  [[nodiscard]] std::size_t row() const { return static_cast<std::size_t>(edge + width - 1); }
  [[nodiscard]] std::size_t image_size() const { return static_cast<std::size_t>(channels) * row() * row(); }
  [[nodiscard]] std::size_t taps() const { return static_cast<std::size_t>(filters * channels * width * width); }
};

/// out[f, y, x] = sum over c, dy, dx of filters[f, c, dy, dx] image[c, y + dy, x + dx]
inline std::vector<float> filtered(const FilterBank& bank, const std::vector<float>& image,
                                   const std::vector<float>& filters) {
  const auto edge = static_cast<std::size_t>(bank.edge), width = static_cast<std::size_t>(bank.width);
  const std::size_t row = bank.row();
  std::vector<float> out(static_cast<std::size_t>(bank.filters) * edge * edge);
  const float* weight = filters.data();
  for (std::size_t f = 0; f < static_cast<std::size_t>(bank.filters); ++f) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(bank.channels); ++c) {
      for (std::size_t tap = 0; tap < width * width; ++tap, ++weight) {
        const float* from = &image[(c * row + tap / width) * row + tap % width];
        for (std::size_t y = 0; y < edge; ++y) {
          for (std::size_t x = 0; x < edge; ++x) out[(f * edge + y) * edge + x] += *weight * from[y * row + x];
        }
      }
    }
  }
  return out;
}

}  // namespace maxwell_dg::examples
