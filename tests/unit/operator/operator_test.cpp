#include "dg/operator/operator.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/time/spectrum.hpp"
#include "dg/time/stable_step.hpp"
#include "dg/variants/work.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using maxwell_dg::testing::test_compiler;

TEST(StateLayout, every_value_has_a_place_of_its_own) {
  for (const char* name : {"nodes_pad3_b4_v8_s8", "lanes4_n1", "tiles_e8_w1_r1_blocked", "elements_e32_r1"}) {
    const StateLayout layout(Schedule::named(name), Dtype::float64, 7, 2, 10);
    EXPECT_EQ(layout.stored, std::string(name).starts_with("elements") ? 7U : 8U);
    std::set<std::size_t> places;
    for (std::size_t k = 0; k < 7; ++k) {
      for (int f = 0; f < 2; ++f) {
        for (int n = 0; n < 10; ++n) places.insert(layout.index(k, f, n));
      }
    }
    EXPECT_EQ(places.size(), 140U);
    EXPECT_LT(*places.rbegin(), layout.size());
  }
}

TEST(StateLayout, of_blocks_has_the_nodes_of_a_block_together_field_by_field) {
  const StateLayout layout(Schedule::named("nodes_pad4_b3_v8_s8"), Dtype::float64, 7, 2, 10);
  EXPECT_EQ(layout.stored, 9U);
  EXPECT_EQ(layout.row_nodes, 32);
  EXPECT_EQ(layout.index(5, 1, 3), (1U * 2 + 1) * 32 + 2 * 10 + 3);
  EXPECT_EQ(layout.size(), 3U * 2 * 32);
  EXPECT_EQ(layout.values_of(3), 64U);
  EXPECT_EQ(layout.values_of(4), 128U);
}

// What a CPU loads of a neighbour's node at once.
TEST(StateLayout, with_lanes_in_vectors_the_fields_of_a_node_lie_together) {
  const StateLayout layout(Schedule::named("lanes8_n4"), Dtype::float64, 11, 6, 10);
  EXPECT_EQ(layout.stored, 16U);
  EXPECT_EQ(layout.index(9, 4, 3), 9U * 60 + 3 * 6 + 4);
}

TEST(StateLayout, interleaved_are_the_same_components_of_two_vectors) {
  const StateLayout layout(Schedule::named("elements_e32_r1_interleaved"), Dtype::float64, 5, 6, 10);
  EXPECT_EQ(layout.index(2, 1, 3), 2U * 60 + (10 + 3) * 2);      // E_s
  EXPECT_EQ(layout.index(2, 4, 3), 2U * 60 + (10 + 3) * 2 + 1);  // H_s
  std::set<std::size_t> places;
  for (int f = 0; f < 6; ++f) {
    for (int n = 0; n < 10; ++n) places.insert(layout.index(0, f, n));
  }
  EXPECT_EQ(places.size(), 60U);
  EXPECT_EQ(*places.rbegin(), 59U);
}

TEST(StateLayout, of_an_odd_number_of_fields_cannot_be_interleaved) {
  try {
    const StateLayout layout(Schedule::named("elements_e32_r1_interleaved"), Dtype::float64, 5, 3, 10);
    FAIL() << "no error";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "schedule elements_e32_r1_interleaved: 3 fields cannot lie side by side in twos");
  }
}

class OperatorTest : public ::testing::Test {
 protected:
  std::shared_ptr<const Discretization> discretization_ =
      std::make_shared<Discretization>(testing::random_mesh(2000), 3);

  [[nodiscard]] Operator make(const System& system, Dtype precision, std::optional<Schedule> schedule = {}) const {
    return {test_compiler(),
            discretization_,
            testing::random_problem(system, *discretization_),
            {.precision = precision, .schedule = schedule}};
  }
};

TEST_F(OperatorTest, the_state_reads_back_as_it_was_written) {
  // To the bit along x, y and z; what is converted on the way: ElementBasis.the_state_reads_back_as_it_was_written.
  for (const std::string variant : {"nodes_pad4_v4_s4", "nodes_pad4_b7_v4_s4", "nodes_pad4_b3_v4_s4_together",
                                    "tiles_e16_w3_r1_tight", "tiles_e32_w4_r1_blocked", "lanes8_n4"}) {
    if (variant.starts_with("lanes") && !test_compiler().device().info().is_cpu) continue;
    Operator op = make(maxwell::system(), Dtype::float64, Schedule::named(variant));
    const std::vector<double> q = testing::random_values(op.dofs());
    std::vector<double> read(op.dofs());
    op.set_state(q);
    op.get_state(read);
    EXPECT_EQ(read, q) << variant;
    EXPECT_EQ(op.dofs(), 6U * 20 * 2000);
  }
}

TEST_F(OperatorTest, device_memory_is_what_the_forecast_says) {
  for (const System& system : {maxwell::system(), testing::maxwell_with_incident_wave(), acoustics::system()}) {
    for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
      const core::Device device = test_compiler().device();
      const std::size_t before = device.allocated_bytes();
      const Operator op = make(system, precision);
      const auto held = static_cast<double>(device.allocated_bytes() - before);
      const auto forecast = static_cast<double>(
          Operator::forecast_bytes({.problem = {.system = system},
                                    .N = 3,
                                    .options = {.precision = precision},
                                    .size = {.elements = discretization_->K(),
                                             .boundary_faces = discretization_->connectivity.boundary_faces.size(),
                                             .materials = discretization_->K()}},
                                   device.info()));
      EXPECT_NEAR(held / forecast, 1.0, 0.02) << system.name;
    }
  }
}

TEST(OperatorOnCurvedElements, holds_the_memory_that_the_forecast_says) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {4, 4, 4}});
  curve(mesh, 2, [](const Point& x) {  // straight where x < 1/2
    const double beyond = std::max(0.0, x[0] - 0.5);
    return Point{x[0], x[1] + 0.2 * beyond * beyond, x[2]};
  });
  prepare(mesh, "half curved", Orientation::any);
  const auto d = std::make_shared<Discretization>(std::move(mesh), 3);
  const auto& faces = d->connectivity.boundary_faces;
  const core::Device device = test_compiler().device();
  std::vector<std::int32_t> all(d->K());
  std::iota(all.begin(), all.end(), 0);
  Problem with_pml = testing::random_problem(maxwell::system(), *d);
  with_pml.element_terms = maxwell::pml_terms(with_pml, *d, all, 0.1, testing::radial_motion({-2, -1, -3}, 1.5, 0.5));
  for (const Problem& problem :
       {testing::random_problem(maxwell::system(), *d), with_pml, testing::random_problem(acoustics::system(), *d)}) {
    for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
      const std::size_t before = device.allocated_bytes();
      const Operator op(test_compiler(), d, problem, {.precision = precision});
      const auto held = static_cast<double>(device.allocated_bytes() - before);
      const auto of_curved = static_cast<std::size_t>(
          std::ranges::count_if(faces, [&](const auto& face) { return d->mesh.curved.is_curved(index(face.cell)); }));
      const auto forecast = static_cast<double>(Operator::forecast_bytes({.problem = problem,
                                                                          .N = 3,
                                                                          .options = {.precision = precision},
                                                                          .size = {.elements = d->K(),
                                                                                   .boundary_faces = faces.size(),
                                                                                   .materials = d->K(),
                                                                                   .ranges = d->ranges.size(),
                                                                                   .curved = d->mesh.curved.count(),
                                                                                   .curved_boundary_faces = of_curved},
                                                                          .discretization = d.get()},
                                                                         device.info()));
      EXPECT_NEAR(held / forecast, 1.0, 0.02) << problem.system.name << ' ' << problem.element_terms.size();
    }
  }
}

TEST_F(OperatorTest, what_is_used_of_it_beside_the_state_is_part_of_the_forecast) {
  const core::Device device = test_compiler().device();
  const Problem problem = testing::random_problem(acoustics::system(), *discretization_);
  const std::size_t K = discretization_->K(), Np = 20, records = 500;
  const Operator::Usage usage{
      .problem = problem,
      .N = 3,
      .options = {.powers = true},
      .size = {.elements = K, .boundary_faces = discretization_->connectivity.boundary_faces.size(), .materials = K},
      .discretization = discretization_.get(),
      .records = {{.points = records, .fields = 4, .batch = 8}},
      .sums = {{.points = K * Np, .fields = 4, .frequencies = 2}, {.points = K * Np, .fields = 1, .frequencies = 3}}};
  const std::size_t before = device.allocated_bytes();
  const Operator op(test_compiler(), discretization_, problem, usage.options);
  const auto recorder =
      op.record_points(std::vector<PointLocation>(records, {.cell = 5, .rst = {-0.3, -0.2, -0.9}}), 8);
  const auto two = op.sum_fourier({.frequencies = {1, 2}, .fields = {0, 1, 2, 3}});
  const auto three = op.sum_fourier({.frequencies = {1, 2, 3}, .fields = {0}});
  const auto held = static_cast<double>(device.allocated_bytes() - before);
  EXPECT_NEAR(held / static_cast<double>(Operator::forecast_bytes(usage, device.info())), 1.0, 0.02);

  Operator::Usage without = usage;
  without.discretization = nullptr;
  EXPECT_THROW((void)Operator::forecast_bytes(without, device.info()), std::invalid_argument);
}

TEST(Forecast, of_a_gpu_is_close_to_the_state_itself) {
  // Needs no GPU: what a stage in one kernel holds beside the state is small, and every default schedule is one. An
  // element has its metric, its connections and, for Maxwell, 44 numbers that are the same at all of its nodes.
  const core::DeviceInfo gpu{
      .backend = core::Backend::cuda, .architecture = "sm_90", .shared_memory_bytes = 232448, .has_float64 = true};
  const std::size_t K = 1'000'000;
  for (int N = 1; N <= 9; ++N) {
    for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
      const StageWork work = stage_work(maxwell::system(), N, precision);
      const double state = 3 * work.dofs * static_cast<double>(size_of(precision) * K);
      const auto bytes = static_cast<double>(
          Operator::forecast_bytes({.problem = {.system = maxwell::system()},
                                    .N = N,
                                    .options = {.precision = precision},
                                    .size = {.elements = K, .boundary_faces = 1000, .materials = 3}},
                                   gpu));
      EXPECT_GT(bytes, state) << "order " << N;
      EXPECT_LT(bytes, state + (80.0 + 44.0 * static_cast<double>(size_of(precision))) * K + 3e8) << "order " << N;
    }
  }
}

TEST_F(OperatorTest, arrays_of_a_wrong_size_are_refused) {
  Operator op = make(acoustics::system(), Dtype::float64);
  std::vector<double> small(op.dofs() - 1);
  EXPECT_THROW(op.set_state(small), std::invalid_argument);
  EXPECT_THROW(op.get_state(small), std::invalid_argument);
  EXPECT_THROW(op.interpolate(std::vector<symbolic::Expr>(3), 0), std::invalid_argument);
}

TEST(StageWork, counts_as_performance_md_says) {
  const StageWork maxwell = stage_work(maxwell::system(), 4, Dtype::float32);
  EXPECT_EQ(maxwell.dofs, 210);
  EXPECT_EQ(maxwell.bytes, 4 * 210 * 4);
  EXPECT_EQ(maxwell.flops, 36 * 35 * 35 + 48 * 35 * 15 + 312 * 15 + 24 * 35);
  EXPECT_EQ(stage_work(acoustics::system(), 2, Dtype::float64).flops, 24 * 100 + 32 * 10 * 6 + 200 * 6 + 16 * 10);
}

class StableStep : public ::testing::TestWithParam<int> {};

/// The table of stable steps against the spectrum it came from, on the two meshes that bound it from both sides.
TEST_P(StableStep, is_inside_the_stability_region_with_little_to_spare) {
  const int N = GetParam();
  for (const double flatness : {1.0, 0.05}) {
    const auto discretization = std::make_shared<Discretization>(make_box({{0, 0, 0}, {flatness, 1, 1}, {2, 2, 2}}), N);
    for (const double alpha : {0.0, 1.0}) {
      Problem problem{.system = maxwell::system({.alpha = alpha})};
      for (const auto& p : problem.system.parameters) {
        problem.parameters.emplace_back(discretization->K(), p.default_value);
      }
      problem.boundary.assign(discretization->connectivity.boundary_faces.size(), 0);
      Operator op(test_compiler(), discretization, problem, {});
      const auto eigenvalues = outermost_eigenvalues(op);
      for (const RungeKutta* method : runge_kutta_methods()) {
        const double limit = largest_stable_step(eigenvalues, *method);
        const double step = stable_step(*discretization, problem, *method);
        EXPECT_LT(step, limit) << method->name << ", alpha " << alpha << ", flatness " << flatness;
        EXPECT_GT(step, limit / 2) << method->name << ", alpha " << alpha << ", flatness " << flatness;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, StableStep, ::testing::Range(1, 10), ::testing::PrintToStringParamName());

TEST(StableStep, of_a_good_conductor_is_stable) {
  const auto discretization = std::make_shared<Discretization>(make_box({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}), 2);
  for (const double sigma : {1.0, 10.0, 100.0, 1e4}) {
    Problem problem{.system = maxwell::system()};
    for (const double value : {2.0, 1.0, sigma}) problem.parameters.emplace_back(discretization->K(), value);
    problem.boundary.assign(discretization->connectivity.boundary_faces.size(), 0);
    Operator op(test_compiler(), discretization, problem, {});
    const auto eigenvalues = outermost_eigenvalues(op);
    for (const RungeKutta* method : runge_kutta_methods()) {
      EXPECT_LT(stable_step(*discretization, problem, *method), largest_stable_step(eigenvalues, *method))
          << method->name << ", sigma " << sigma;
    }
  }
}

TEST(StableStep, holds_where_materials_jump) {
  for (const int N : {1, 4, 7}) {
    const auto discretization = std::make_shared<Discretization>(make_box({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}), N);
    for (const double alpha : {0.0, 1.0}) {
      Problem problem{.system = maxwell::system({.alpha = alpha})};
      for (const auto& p : problem.system.parameters) {
        problem.parameters.emplace_back(discretization->K(), p.default_value);
      }
      // Every third element is dense: the fast ones, which bound the step, have slow neighbours and fast ones.
      for (std::size_t k = 0; k < discretization->K(); k += 3) problem.parameters[0][k] = 9.0;
      problem.boundary.assign(discretization->connectivity.boundary_faces.size(), 0);
      Operator op(test_compiler(), discretization, problem, {});
      const auto eigenvalues = outermost_eigenvalues(op);
      for (const RungeKutta* method : runge_kutta_methods()) {
        EXPECT_LT(stable_step(*discretization, problem, *method), largest_stable_step(eigenvalues, *method))
            << method->name << ", order " << N << ", alpha " << alpha;
      }
    }
  }
}

TEST(StableStep, holds_for_acoustics) {
  for (const int N : {1, 3, 6}) {
    const auto discretization = std::make_shared<Discretization>(make_box({{0, 0, 0}, {0.05, 1, 1}, {2, 2, 2}}), N);
    for (const double alpha : {0.0, 1.0}) {
      Problem problem{.system = acoustics::system({.alpha = alpha})};
      for (const auto& p : problem.system.parameters) {
        problem.parameters.emplace_back(discretization->K(), p.default_value);
      }
      problem.boundary.assign(discretization->connectivity.boundary_faces.size(), 0);
      Operator op(test_compiler(), discretization, problem, {});
      const auto eigenvalues = outermost_eigenvalues(op);
      for (const RungeKutta* method : runge_kutta_methods()) {
        EXPECT_LT(stable_step(*discretization, problem, *method), largest_stable_step(eigenvalues, *method))
            << method->name << ", order " << N << ", alpha " << alpha;
      }
    }
  }
}

TEST(StableStep, scales_with_the_speed_of_light_in_the_material) {
  const Discretization discretization(make_box({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}), 2);
  Problem problem{.system = maxwell::system()};
  for (const double value : {4.0, 1.0, 0.0}) problem.parameters.emplace_back(discretization.K(), value);
  const double slow = stable_step(discretization, problem, lsrk54());
  problem.parameters[0].assign(discretization.K(), 1.0);
  EXPECT_DOUBLE_EQ(slow, 2 * stable_step(discretization, problem, lsrk54()));
}

}  // namespace
}  // namespace maxwell_dg::dg
