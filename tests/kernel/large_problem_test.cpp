// Problems of more values than 32 bits count: an index that wraps anywhere, in a kernel or on the host, makes some of
// them wrong.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/symbolic/program.hpp"
#include "dg/time/runge_kutta.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using symbolic::coordinate;
using symbolic::cos;
using symbolic::Expr;
using symbolic::sin;

/// A standing wave in the unit cube, m half waves along each axis.
struct Wave {
  System system;
  int order{};
  std::string wall;
  double frequency{};          ///< angular
  std::vector<Expr> fields{};  ///< of coordinates and time
  double energy{};
};

Wave sound(int order, int m) {
  const double k = m * std::numbers::pi, w = std::sqrt(3.0) * k;
  const Expr x = k * coordinate(0), y = k * coordinate(1), z = k * coordinate(2), t = w * symbolic::time();
  const Expr u = k / w * sin(t);
  return {.system = acoustics::system(),
          .order = order,
          .wall = "rigid",
          .frequency = w,
          .fields = {cos(x) * cos(y) * cos(z) * cos(t), u * sin(x) * cos(y) * cos(z), u * cos(x) * sin(y) * cos(z),
                     u * cos(x) * cos(y) * sin(z)},
          .energy = 1.0 / 16};
}

/// Uniform along z, where its only electric component points.
Wave light(int order, int m) {
  const double k = m * std::numbers::pi, w = std::sqrt(2.0) * k;
  const Expr x = k * coordinate(0), y = k * coordinate(1), t = w * symbolic::time();
  return {.system = maxwell::system(),
          .order = order,
          .wall = "pec",
          .frequency = w,
          .fields = {0.0, 0.0, sin(x) * sin(y) * cos(t), -(k / w) * sin(x) * cos(y) * sin(t),
                     (k / w) * cos(x) * sin(y) * sin(t), 0.0},
          .energy = 1.0 / 8};
}

std::vector<double> values_at(const std::vector<Expr>& fields, const Point& x, double t) {
  const symbolic::Program program(fields);
  std::vector<double> work(program.size()), values(fields.size());
  program.run(
      [&](const symbolic::Symbol& s) {
        return s.kind == symbolic::Symbol::Kind::time ? t : x.at(static_cast<std::size_t>(s.axis));
      },
      work, values);
  return values;
}

double largest_error(const Operator& op, const std::vector<Expr>& fields, double t) {
  double largest = 0;
  std::vector<double> exact;
  op.get_state([&](std::size_t first, std::span<const double> q) {
    exact.resize(q.size());
    op.nodal_values(fields, t, first, exact);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double error = std::abs(q[i] - exact[i]);
      if (!(error <= largest)) largest = error;  // keeps what is no number
    }
  });
  return largest;
}

/// Two steps in single precision, in a box of `side` cubes a side; then every node, the energy and what a probe in the
/// last corner sees are compared with the exact wave.
void expect_right_everywhere(const Wave& wave, int side) {
  const rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler();
  const core::DeviceInfo& info = compiler.device().info();
  const std::size_t cells = std::size_t{6} * side * side * side;
  const std::size_t faces = std::size_t{12} * side * side;
  const std::size_t bytes =
      Operator::forecast_bytes({.problem = {.system = wave.system},
                                .N = wave.order,
                                .options = {.precision = Dtype::float32},
                                .size = {.elements = cells, .boundary_faces = faces, .materials = 1}},
                               info);
  // Of what a CPU has, the host takes its part: meshes and what is read back.
  const std::size_t most = info.is_cpu ? info.memory_bytes / 2 : compiler.device().free_bytes();
  if (bytes > most) {
    GTEST_SKIP() << "needs " << (bytes >> 30) << " GiB of device memory, and there are " << (most >> 30);
  }
  const auto d =
      std::make_shared<const Discretization>(make_box({{0, 0, 0}, {1, 1, 1}, {side, side, side}}), wave.order);
  Problem problem{.system = wave.system};
  for (const auto& p : wave.system.parameters) problem.parameters.emplace_back(d->K(), p.default_value);
  problem.boundary.assign(d->connectivity.boundary_faces.size(), wave.system.find_boundary(wave.wall));
  Operator op(compiler, d, std::move(problem), {.precision = Dtype::float32});
  ::testing::Test::RecordProperty("dofs", std::to_string(op.dofs()));

  const double begin = std::numbers::pi / 4 / wave.frequency;  // when all fields are there, and change
  const RungeKutta& method = lsrk54();
  const double dt = 0.2 / (side * wave.order * wave.order), end = begin + 2 * dt;
  op.interpolate(wave.fields, begin);
  for (const double t : {begin, begin + dt}) op.step({.a = method.a, .b = method.b, .c = method.c}, dt, t);
  const double bound = 1e-5;
  EXPECT_LT(largest_error(op, wave.fields, end), bound);
  EXPECT_GT(largest_error(op, wave.fields, begin), 20 * bound) << "a state that stands still would pass";

  const std::vector<double> energies = op.energies();
  double energy = 0;
  for (const double e : energies) energy += e;
  EXPECT_NEAR(energy, wave.energy, 1e-5 * wave.energy);

  const Point corner{1 - 0.3 / side, 1 - 0.2 / side, 1 - 0.4 / side};
  const auto recorder = op.record_points({PointLocator(d->mesh, d->geometry).locate(corner).value()});
  recorder->record();
  const std::vector<double> seen = recorder->take();
  const std::vector<double> exact = values_at(wave.fields, corner, end);
  for (std::size_t f = 0; f < exact.size(); ++f) EXPECT_NEAR(seen[f], exact[f], bound);
}

int side_of_more_than_32_bits(const Wave& wave, std::size_t values_of_node) {
  const auto of_element = static_cast<double>(values_of_node) * node_count(wave.order);
  return static_cast<int>(std::cbrt(std::ldexp(1.0, 31) / 6 / of_element)) + 1;
}

TEST(LargeProblem, waves_are_right_everywhere_in_small_boxes) {
  expect_right_everywhere(sound(8, 2), 4);
  expect_right_everywhere(light(4, 1), 12);
}

TEST(LargeProblem, maxwell_with_more_than_2_to_31_unknowns) {
  const Wave wave = light(4, 6);
  expect_right_everywhere(wave, side_of_more_than_32_bits(wave, 6));
}

TEST(LargeProblem, acoustics_with_more_than_2_to_31_nodes) {
  const Wave wave = sound(8, 6);
  expect_right_everywhere(wave, side_of_more_than_32_bits(wave, 1));
}

}  // namespace
}  // namespace maxwell_dg::dg
