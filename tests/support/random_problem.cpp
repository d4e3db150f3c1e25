#include "tests/support/random_problem.hpp"

#include <cmath>
#include <random>

#include <Eigen/Geometry>

#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/maxwell/plane_wave.hpp"

namespace maxwell_dg::dg::testing {

namespace {

double signed_volume(const Mesh& mesh, const std::array<std::int32_t, 4>& cell) {
  const auto edge = [&](std::size_t i) {
    return minus(mesh.vertices[static_cast<std::size_t>(cell[i])], mesh.vertices[static_cast<std::size_t>(cell[0])]);
  };
  return dot(edge(1), cross(edge(2), edge(3)));
}

}  // namespace

Mesh random_mesh(int cells) {
  const int side = static_cast<int>(std::ceil(std::cbrt(cells / 6.0)));
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {side, side, side}});
  distort(mesh, 0.15 / side);
  mesh.cells.resize(static_cast<std::size_t>(cells));
  mesh.cell_region.resize(mesh.cells.size());
  mesh.surface_faces.clear();
  mesh.surfaces.clear();
  for (auto& cell : mesh.cells) {
    if (signed_volume(mesh, cell) < 0) std::swap(cell[2], cell[3]);
  }
  prepare(mesh, "random mesh");
  return mesh;
}

Problem random_problem(const System& system, const Discretization& discretization) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> value(0.5, 3.0);
  Problem problem{.system = system};
  for (std::size_t p = 0; p < system.parameters.size(); ++p) {
    auto& values = problem.parameters.emplace_back();
    for (std::size_t k = 0; k < discretization.K(); ++k) values.push_back(value(random));
  }
  for (std::size_t b = 0; b < discretization.connectivity.boundary_faces.size(); ++b) {
    problem.boundary.push_back(static_cast<int>(random() % system.boundaries.size()));
  }
  return problem;
}

Problem plain_problem(const System& system, const Discretization& d) {
  Problem problem{.system = system, .parameters = {}, .boundary = {}};
  for (const auto& parameter : system.parameters) problem.parameters.emplace_back(d.K(), parameter.default_value);
  problem.boundary.assign(d.connectivity.boundary_faces.size(), system.find_boundary("pec"));
  return problem;
}

Problem random_anisotropic_problem(double alpha, const Discretization& discretization) {
  Problem problem =
      random_problem(maxwell::system({.alpha = alpha, .impedances = {0.3}, .anisotropic = true}), discretization);
  std::mt19937 random(13);
  std::uniform_real_distribution<double> value(0.5, 3.0);
  const auto tensor = [&] {
    const Eigen::Vector3d angles(value(random), value(random), value(random)),
        eigenvalues(value(random), value(random), value(random));
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(angles.norm(), angles.normalized()).toRotationMatrix();
    return Eigen::Matrix3d(turn * eigenvalues.asDiagonal() * turn.transpose());
  };
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    const std::vector<double> values = maxwell::anisotropic_parameters(tensor(), tensor(), value(random));
    for (std::size_t p = 0; p < values.size(); ++p) problem.parameters.at(p)[k] = values[p];
  }
  return problem;
}

System maxwell_with_incident_wave(double alpha) {
  const maxwell::PlaneWave wave{
      .direction = {1, 2, -1},
      .polarization = {1, 0, 1},
      .waveform = {.kind = maxwell::Waveform::Kind::gaussian_pulse, .frequency = 0.7, .bandwidth = 0.8, .delay = 0.1}};
  System system = maxwell::system({.alpha = alpha, .impedances = {0.3, 2.0}});
  const symbolic::Vector incident = maxwell::electric_field(wave);
  std::vector<symbolic::Expr>& outside = system.boundaries.front().outside;
  for (int axis = 0; axis < 3; ++axis) {
    symbolic::Expr& E_p = outside[static_cast<std::size_t>(axis)];
    E_p = E_p - 2.0 * incident[axis];
  }
  return system;
}

std::vector<double> random_values(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<double> values(count);
  for (double& v : values) v = value(random);
  return values;
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / norm);
}

}  // namespace maxwell_dg::dg::testing
