#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

/// Sums along parallel rays, and the image from them by plain loops.
namespace maxwell_dg::examples {

/// `n` rays of each view, one pixel apart, the direction of view v is (cosines[v], sines[v]).
struct Scan {
  int n{};
  std::vector<float> cosines, sines;
  std::vector<float> rays{};  ///< [view][ray]
};

/// Of a disc of density 1, radius 0.3 n and middle (0.1 n, 0): the sums after the ramp filter, exactly, each the mean
/// over the width of a pixel. Their integral up to the ray at s is (s - sign(s) sqrt(s^2 - R^2)) / pi, in the disc s /
/// pi. The factor 1 / pi is left to the mean over views.
inline Scan filtered_scan_of_disc(int n, int views) {
  Scan scan{.n = n};
  const auto integral = [&](double s) { return s - std::copysign(std::sqrt(std::max(0.0, s * s - 0.09 * n * n)), s); };
  for (int view = 0; view < views; ++view) {
    const double angle = std::numbers::pi * view / views;
    scan.cosines.push_back(static_cast<float>(std::cos(angle)));
    scan.sines.push_back(static_cast<float>(std::sin(angle)));
    for (int ray = 0; ray < n; ++ray) {
      const double s = ray - (n - 1) / 2.0 - 0.1 * n * std::cos(angle);
      scan.rays.push_back(static_cast<float>(integral(s + 0.5) - integral(s - 0.5)));
    }
  }
  return scan;
}

/// [row][column]: the mean over views of the ray through each pixel, interpolated between its neighbours.
inline std::vector<float> backprojected(const Scan& scan) {
  const int n = scan.n, views = static_cast<int>(scan.sines.size());
  const float last = static_cast<float>(n - 1), center = last / 2;
  std::vector<float> image;
  for (int pixel = 0; pixel < n * n; ++pixel) {
    const float x = static_cast<float>(pixel % n) - center, y = static_cast<float>(pixel / n) - center;
    float sum = 0;
    for (int view = 0; view < views; ++view) {
      const float at = x * scan.cosines[view] + y * scan.sines[view] + center;
      if (at < 0 || at > last) continue;
      const int ray = std::min(static_cast<int>(at), n - 2), left = view * n + ray;
      sum += scan.rays[left] + (at - static_cast<float>(ray)) * (scan.rays[left + 1] - scan.rays[left]);
    }
    image.push_back(sum / static_cast<float>(views));
  }
  return image;
}

}  // namespace maxwell_dg::examples
