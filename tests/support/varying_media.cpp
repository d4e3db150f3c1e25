#include "tests/support/varying_media.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>

#include <Eigen/Dense>

#include "dg/lowering/varying_media.hpp"
#include "dg/maxwell/medium.hpp"

namespace maxwell_dg::dg::testing {

void vary_within(Problem& problem, const Discretization& d, const Medium& medium) {
  const CurvedGeometry& geometry = d.curved.value();
  VaryingParameters& varying = problem.varying;
  varying.points = geometry.quadrature.volume.size();
  varying.values.assign(problem.parameters.size(), {});
  for (std::size_t k = 0; k < d.K(); ++k) {
    const std::vector<double> centre = medium(centroid(d.mesh, d.mesh.cells[k]));
    for (std::size_t p = 0; p < centre.size(); ++p) problem.parameters[p][k] = centre[p];
    if (!d.mesh.curved.is_curved(k)) continue;
    varying.elements.push_back(static_cast<std::int32_t>(k));
    const std::size_t first = index(d.mesh.curved.number[k]) * varying.points;
    for (std::size_t i = first; i < first + varying.points; ++i) {
      const std::vector<double> here = medium(geometry.volume_positions[i]);
      for (std::size_t p = 0; p < here.size(); ++p) varying.values[p].push_back(here[p]);
    }
  }
  integrate_losses(problem, d);
}

Medium random_smooth_tensors(unsigned seed, double sigma) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::array<std::array<double, 4>, 19> waves{};  // of the factors of two tensors, and of the conductivity
  for (auto& numbers : waves) {
    for (double& number : numbers) number = value(random);
  }
  return [=](const Point& x) {
    const auto wave = [&](int i) {
      const auto& [kx, ky, kz, phase] = waves.at(static_cast<std::size_t>(i));
      return std::sin(3 * (kx * x[0] + ky * x[1] + kz * x[2]) + 3 * phase);
    };
    const auto tensor = [&](int first) {  // the factor's norm is at most 3
      Eigen::Matrix3d factor;
      for (int i = 0; i < 9; ++i) factor(i / 3, i % 3) = wave(first + i);
      return Eigen::Matrix3d(Eigen::Matrix3d::Identity() + 79.0 / 9 * factor * factor.transpose());
    };
    return maxwell::anisotropic_parameters(tensor(0), tensor(9), sigma * (1 + wave(18)) / 2);
  };
}

}  // namespace maxwell_dg::dg::testing
