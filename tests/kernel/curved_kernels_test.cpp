#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/codegen/curved/curved_kinds.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/time/runge_kutta.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/support/varying_media.hpp"

/// Generated stages of meshes with curved elements compute what the reference operator does.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using testing::relative_difference;

struct CurvedCase {
  std::string system;
  int N, order;
  Dtype precision;
  std::string schedule;
};

std::ostream& operator<<(std::ostream& out, const CurvedCase& c) {
  return out << c.system << "_N" << c.N << "_geometry" << c.order << "_" << name_of(c.precision) << "_" << c.schedule;
}

System system_named(const std::string& name) {
  if (name == "maxwell") return maxwell::system({.alpha = 0.7});
  if (name == "incident") return testing::maxwell_with_incident_wave(0.4);
  return acoustics::system();
}

/// Random media. Losses of tensors are a term, which is none of these kernels.
Problem random_problem_of(const CurvedCase& c, const Discretization& d) {
  if (c.system != "anisotropic") return testing::random_problem(system_named(c.system), d);
  Problem problem = testing::random_anisotropic_problem(0.7, d);
  std::ranges::fill(problem.parameters[2], 0.0);
  return problem;
}

std::shared_ptr<const Discretization> half_curved(int N, int order) {
  return std::make_shared<Discretization>(testing::half_curved_cube(order), N);
}

/// Of each kind of stage that the device has for a case, the default and the last variant.
std::vector<CurvedVariant> variants_of(const CurvedCase& c, const Discretization& d, const Problem& problem) {
  const LoweredSystem lowered = lower(problem.system);
  std::vector<CurvedVariant> all;
  for (const CurvedKind& kind : curved_kinds()) {
    const std::vector<CurvedVariant> variants =
        kind.variants({lowered,
                       d.reference,
                       d.curved->quadrature,
                       {problem.system.name, c.N, c.precision, Schedule::named(c.schedule)},
                       problem.varying.any()},
                      maxwell_dg::testing::test_device().info());
    if (kind.name == "lanes") {
      EXPECT_EQ(variants.empty(), !c.schedule.starts_with("lanes")) << "all of these systems fit";
    }
    if (!variants.empty()) all.push_back(variants.front());
    if (variants.size() > 1) all.push_back(variants.back());
  }
  return all;
}

class CurvedKernels : public ::testing::TestWithParam<CurvedCase> {
 protected:
  void SetUp() override {
    if (GetParam().schedule.starts_with("lanes") && !maxwell_dg::testing::test_device().info().is_cpu) {
      GTEST_SKIP() << "lanes are for CPUs";
    }
  }
};

/// All variants of the stage have the right-hand side of the reference, for random fields.
void expect_stages_of_reference(const CurvedCase& c, const std::shared_ptr<const Discretization>& discretization,
                                const Problem& problem) {
  const ReferenceOperator reference(*discretization, problem);
  std::vector<double> q = random_values(reference.size(), 3), rhs(q.size()), expected(q.size());
  if (c.precision == Dtype::float32) {
    for (double& value : q) value = static_cast<float>(value);
  }
  reference.rhs(q, 0.4, expected);
  rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler_for(c.schedule);
  for (const CurvedVariant& variant : variants_of(c, *discretization, problem)) {
    const DeviceProblem device(compiler, compiler.device().create_stream(), discretization, problem, c.precision,
                               Schedule::named(c.schedule), {}, variant);
    device.stages().load(compiler.compile(device.stages().source()));
    device.set_state(q);
    device.read(device.stages().evaluate(0.4), rhs);
    EXPECT_LT(relative_difference(rhs, expected), c.precision == Dtype::float32 ? 4e-6 : 1e-13)
        << rtcg::written(variant);
  }
}

TEST_P(CurvedKernels, compute_what_the_reference_does) {
  const CurvedCase& c = GetParam();
  const auto discretization = half_curved(c.N, c.order);
  ASSERT_GT(discretization->ranges.size(), 1U);
  expect_stages_of_reference(c, discretization, random_problem_of(c, *discretization));
}

/// An Operator in place of its stages alone.
Operator operator_of(const CurvedCase& c, const std::shared_ptr<const Discretization>& d, const Problem& problem) {
  return {maxwell_dg::testing::test_compiler_for(c.schedule),
          d,
          problem,
          {.precision = c.precision, .schedule = Schedule::named(c.schedule)}};
}

/// Of random fields.
void expect_energies_of_reference(const CurvedCase& c, const std::shared_ptr<const Discretization>& discretization,
                                  const Problem& problem) {
  Operator op = operator_of(c, discretization, problem);
  const std::vector<double> q = random_values(op.dofs(), 5);
  op.set_state(q);
  const std::vector<double> expected = ReferenceOperator(*discretization, problem).energies(q);
  const std::vector<double> energies = op.energies();
  ASSERT_EQ(energies.size(), expected.size());
  for (std::size_t i = 0; i < energies.size(); ++i) {
    EXPECT_NEAR(energies[i] / expected[i], 1, c.precision == Dtype::float32 ? 1e-6 : 1e-13) << "energy " << i;
  }
}

TEST_P(CurvedKernels, have_the_energies_of_the_reference) {
  const CurvedCase& c = GetParam();
  const auto discretization = half_curved(c.N, c.order);
  expect_energies_of_reference(c, discretization, random_problem_of(c, *discretization));
}

/// random_problem_of, whose media vary within curved elements, without losses there, which are a term.
Problem varying_problem_of(const CurvedCase& c, const Discretization& d) {
  Problem problem = random_problem_of(c, d);
  if (c.system == "anisotropic") {
    testing::vary_within(problem, d, testing::random_smooth_tensors(1, 0.0));
    return problem;
  }
  testing::vary_within(problem, d, [&](const Point& x) {
    std::vector<double> values(problem.parameters.size(), 1.5 + std::sin(4 * x[0] + x[1]));
    if (values.size() == 3) values[2] = 0;
    return values;
  });
  return problem;
}

TEST_P(CurvedKernels, compute_what_the_reference_does_where_media_vary_within_elements) {
  const CurvedCase& c = GetParam();
  const auto d = half_curved(c.N, c.order);
  expect_stages_of_reference(c, d, varying_problem_of(c, *d));
}

TEST_P(CurvedKernels, have_the_energies_of_the_reference_where_media_vary_within_elements) {
  const CurvedCase& c = GetParam();
  const auto d = half_curved(c.N, c.order);
  expect_energies_of_reference(c, d, varying_problem_of(c, *d));
}

TEST_P(CurvedKernels, interpolate_at_the_true_nodes_and_are_read_there) {
  const CurvedCase& c = GetParam();
  const auto d = half_curved(c.N, c.order);
  Operator op = operator_of(c, d, random_problem_of(c, *d));
  const auto [x, y, z] = std::array{symbolic::coordinate(0), symbolic::coordinate(1), symbolic::coordinate(2)};
  const std::vector<symbolic::Expr> values(index(op.problem().system.field_count()), x * y + sin(2.0 * z) - x);
  op.interpolate(values, 0);
  std::vector<double> q(op.dofs());
  op.get_state(q);
  const auto Np = index(d->Np()), fields = values.size();
  const double bound = c.precision == Dtype::float32 ? 1e-6 : 1e-14;
  std::vector<PointLocation> locations;
  std::vector<double> expected;
  const PointLocator locator(d->mesh, d->geometry);
  for (std::size_t k = 0; k < d->K(); ++k) {
    for (std::size_t n = 0; n < Np; ++n) {
      const Point at = d->node(k, static_cast<int>(n));
      const double value = at[0] * at[1] + std::sin(2 * at[2]) - at[0];
      EXPECT_NEAR(q[k * fields * Np + n], value, bound) << "element " << k << ", node " << n;
      const auto location = locator.locate(at);
      ASSERT_TRUE(location) << "element " << k << ", node " << n;
      locations.push_back(*location);
      expected.push_back(value);
    }
  }
  const auto recorder = op.record_points(locations);
  recorder->record();
  const std::vector<double> seen = recorder->take();
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(seen[i * fields], expected[i], 20 * bound);
}

TEST(CurvedKernelsOf, several_ranges_compute_what_one_does) {
  const CurvedCase c{"maxwell", 2, 2, Dtype::float64,
                     maxwell_dg::testing::test_device().info().is_cpu ? "lanes8_n4" : "tiles_e16_w2_r1"};
  const Mesh mesh = testing::half_curved_cube(c.order);
  const std::size_t straight = mesh.cells.size() - mesh.curved.count(), share = straight + 11;
  constexpr auto curved = ElementRange::Shape::curved;
  const auto discretization = std::make_shared<const Discretization>(  // two ranges whose elements share a block
      mesh, c.N,
      std::vector<ElementRange>{{.begin = 0, .end = straight},
                                {.begin = straight, .end = share, .shape = curved},
                                {.begin = share, .end = mesh.cells.size(), .shape = curved}});
  expect_stages_of_reference(c, discretization, testing::random_problem(system_named(c.system), *discretization));
}

/// On CUDA, a step that repeats is replayed from a recording, of both streams.
TEST(CurvedKernelsOf, steps_that_repeat_have_the_bits_of_their_stages) {
  const CurvedCase c{"maxwell", 2, 2, Dtype::float64, "tiles_e16_w2_r1_basis"};
  const auto d = half_curved(c.N, c.order);
  const Problem problem = testing::random_problem(system_named(c.system), *d);
  Operator steps = operator_of(c, d, problem), stages = operator_of(c, d, problem);
  const RungeKutta& method = lsrk54();
  std::vector<double> q = random_values(steps.dofs(), 3), of_stages(q.size());
  steps.set_state(q);
  stages.set_state(q);
  constexpr double dt = 1e-3;
  for (int step = 0; step < 6; ++step) {
    steps.step({.a = method.a, .b = method.b, .c = method.c}, dt, step * dt);
    for (std::size_t i = 0; i < method.a.size(); ++i) {
      stages.stage(method.a[i], method.b[i], dt, (step + method.c[i]) * dt);
    }
  }
  steps.get_state(q);
  stages.get_state(of_stages);
  EXPECT_EQ(q, of_stages);
}

TEST(CurvedKernelsOf, several_kernels_a_stage_are_refused) {
  const auto discretization = half_curved(2, 2);
  const Problem problem = testing::random_problem(maxwell::system({.alpha = 0.7}), *discretization);
  rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler();
  std::string refusal;
  try {
    const DeviceProblem device(compiler, compiler.device().create_stream(), discretization, problem, Dtype::float64,
                               Schedule::named("nodes_pad1_v3_s2"));
  } catch (const std::invalid_argument& error) {
    refusal = error.what();
  }
  EXPECT_NE(refusal.find("a schedule whose stage is one kernel"), std::string::npos) << refusal;
}

INSTANTIATE_TEST_SUITE_P(All, CurvedKernels,
                         ::testing::Values(CurvedCase{"maxwell", 2, 2, Dtype::float64, "lanes8_n4"},
                                           CurvedCase{"maxwell", 3, 4, Dtype::float64, "lanes4_n2"},
                                           CurvedCase{"incident", 2, 3, Dtype::float64, "tiles_e16_w2_r1"},
                                           CurvedCase{"incident", 2, 3, Dtype::float64, "tiles_e16_w2_r1_basis"},
                                           CurvedCase{"incident", 2, 3, Dtype::float32, "lanes8_n2"},
                                           CurvedCase{"acoustics", 2, 4, Dtype::float64, "lanes2_n2"},
                                           CurvedCase{"acoustics", 5, 2, Dtype::float32, "lanes16_n4"},
                                           CurvedCase{"acoustics", 3, 3, Dtype::float64, "tiles_e8_w1_r1_blocked"},
                                           CurvedCase{"acoustics", 3, 3, Dtype::float64,
                                                      "tiles_e8_w1_r1_blocked_basis"},
                                           CurvedCase{"maxwell", 1, 2, Dtype::float32, "elements_e32_r1_interleaved"},
                                           CurvedCase{"maxwell", 4, 2, Dtype::float32, "lanes16_n1"},
                                           CurvedCase{"maxwell", 7, 2, Dtype::float64, "lanes8_n6_apart"},
                                           CurvedCase{"anisotropic", 3, 3, Dtype::float64, "lanes8_n2"},
                                           CurvedCase{"anisotropic", 2, 3, Dtype::float32, "lanes16_n4"},
                                           CurvedCase{"anisotropic", 2, 4, Dtype::float64, "tiles_e16_w2_r1"},
                                           CurvedCase{"acoustics", 1, 2, Dtype::float32, "elements_e32_r1"}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace maxwell_dg::dg
