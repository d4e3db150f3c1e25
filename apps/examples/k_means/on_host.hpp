#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "apps/examples/example.hpp"

/// The image, and k-means and edges by plain loops.
namespace maxwell_dg::examples {

using Centers = std::array<float, 3>;

/// A square image, dark to bright from left to right, with noise.
inline std::vector<float> three_bands(std::size_t edge) {
  std::vector<float> image = noise(edge * edge);
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::size_t band = 3 * (i % edge) / edge;
    image[i] = 0.2F * image[i] + static_cast<float>(band);
  }
  return image;
}

/// The number of the center nearest to each value.
inline std::vector<float> labels_on_host(const std::vector<float>& values, const Centers& centers) {
  std::vector<float> labels;
  for (const float value : values) {
    std::size_t nearest = 0;
    for (std::size_t c = 1; c < centers.size(); ++c) {
      if (std::abs(value - centers[c]) < std::abs(value - centers[nearest])) nearest = c;
    }
    labels.push_back(static_cast<float>(nearest));
  }
  return labels;
}

/// The mean of the values with each label.
inline Centers means_on_host(const std::vector<float>& values, const std::vector<float>& labels) {
  std::array<double, 3> sum{}, count{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto label = static_cast<std::size_t>(labels[i]);
    sum[label] += static_cast<double>(values[i]);
    count[label] += 1;
  }
  Centers means{};
  for (std::size_t c = 0; c < means.size(); ++c) means[c] = static_cast<float>(sum[c] / count[c]);
  return means;
}

/// Four times each label minus those of its neighbours; 0 at the border of the square image.
inline std::vector<float> edges_on_host(const std::vector<float>& labels, std::size_t edge) {
  std::vector<float> edges(labels.size());
  for (std::size_t row = 1; row + 1 < edge; ++row) {
    for (std::size_t at = row * edge + 1; at + 1 < (row + 1) * edge; ++at) {
      edges[at] =
          static_cast<float>(4 * labels[at] - labels[at - edge] - labels[at + edge] - labels[at - 1] - labels[at + 1]);
    }
  }
  return edges;
}

}  // namespace maxwell_dg::examples
