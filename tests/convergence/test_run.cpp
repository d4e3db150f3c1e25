#include "tests/convergence/test_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "dg/observe/error_norms.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

Problem make_problem(const Discretization& d, System system, const std::string& boundary,
                     const TestRun::Materials& materials) {
  Problem problem{.system = std::move(system), .parameters = {}, .boundary = {}};
  for (const auto& parameter : problem.system.parameters)
    problem.parameters.emplace_back(d.K(), parameter.default_value);
  for (std::size_t k = 0; materials && k < d.K(); ++k) {
    const std::vector<double> values = materials(centroid(d.mesh, d.mesh.cells[k]));
    for (std::size_t p = 0; p < values.size(); ++p) problem.parameters.at(p)[k] = values[p];
  }
  const int kind = problem.system.find_boundary(boundary);
  if (kind < 0) throw std::invalid_argument("TestRun: no boundary condition " + boundary);
  problem.boundary.assign(d.connectivity.boundary_faces.size(), kind);
  return problem;
}

Operator make_operator(TestRun::Options options) {
  auto d = std::make_shared<const Discretization>(std::move(options.mesh), options.N, options.numbers);
  Problem problem = make_problem(*d, std::move(options.system), options.boundary, options.materials);
  if (options.extend) options.extend(*d, problem);
  return Operator(maxwell_dg::testing::test_compiler(), d, std::move(problem),
                  {.precision = options.precision, .powers = options.powers});
}

}  // namespace

TestRun::TestRun(Options options) : op_(make_operator(std::move(options))) {}

Point TestRun::centroid(std::size_t k) const {
  const Mesh& mesh = discretization().mesh;
  return dg::centroid(mesh, mesh.cells[k]);
}

std::vector<double> TestRun::nodal(const Fields& fields) const {
  const Discretization& d = discretization();
  const auto Np = static_cast<std::size_t>(d.Np());
  const auto count = static_cast<std::size_t>(op_.problem().system.field_count());
  std::vector<double> values(d.K() * count * Np), here(count);
  for (std::size_t k = 0; k < d.K(); ++k) {
    const Point centre = centroid(k);
    for (std::size_t i = 0; i < Np; ++i) {
      fields(d.node(k, static_cast<int>(i)), centre, here);
      for (std::size_t f = 0; f < count; ++f) values[(k * count + f) * Np + i] = here[f];
    }
  }
  return values;
}

void TestRun::advance(double duration, double largest_step, Observer* observer) {
  const long steps = std::max(1L, std::lround(std::ceil(duration / largest_step)));
  TimeLoop loop{
      .method = lsrk54(), .dt = duration / static_cast<double>(steps), .steps = steps, .origin = {.time = time_}};
  if (observer != nullptr) loop.observers = {observer};
  time_ = loop.run(op_).time;
}

double TestRun::stable_step() const {
  return dg::stable_step(discretization(), op_.problem(), lsrk54());
}

double TestRun::error(const Fields& fields) const {
  std::vector<double> state(op_.dofs());
  op_.get_state(state);
  double sum = 0;
  for (const ErrorNorm& norm : error_norms(discretization(), op_.problem().system.fields, state, nodal(fields))) {
    sum += norm.l2 * norm.l2;
  }
  return std::sqrt(sum);
}

double TestRun::energy() const {
  double total = 0;
  for (const double part : op_.energies()) total += part;
  return total;
}

int geometry_order(int N) {
  return std::min(2 * N, CurvedCells::highest_order);
}

double rate(double coarse, double fine, double refinement) {
  return std::log(coarse / fine) / std::log(refinement);
}

void report_rate(const std::string& name, double rate, double fine_error) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3f, error %.3g", rate, fine_error);
  ::testing::Test::RecordProperty("rate_" + name, text.data());
}

}  // namespace maxwell_dg::dg
