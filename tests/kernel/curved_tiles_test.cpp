#include <algorithm>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/codegen/curved/tiles/curved_tile_generator.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/device_problem.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

/// Stages of curved elements by tiles, in sizes that no device takes by itself: those that a GPU takes are tested there
/// with all other kinds (curved_kernels_test.cpp).
namespace maxwell_dg::dg {
namespace {

struct TilesCase {
  std::string system;
  int N, order;
  Dtype precision;
  std::string schedule;
  int elements, warps, at_once;
  bool keeps_metric = false;
};

std::ostream& operator<<(std::ostream& out, const TilesCase& c) {
  return out << c.system << "_N" << c.N << "_geometry" << c.order << "_" << name_of(c.precision) << "_" << c.schedule
             << "_by_" << c.elements << "_in_" << c.warps << "_times_" << c.at_once
             << (c.keeps_metric ? "_with_metric" : "");
}

System system_of(const TilesCase& c) {
  if (c.system == "maxwell") return maxwell::system({.alpha = 0.7});
  if (c.system == "central") return maxwell::system({.alpha = 0});  // no numbers at the points of faces
  if (c.system == "incident") return testing::maxwell_with_incident_wave(0.4);
  return acoustics::system();
}

CurvedTiles tiles_of(const TilesCase& c) {
  return {
      .has_tensor_cores = static_cast<bool>(tensor_cores_fit(c.precision, maxwell_dg::testing::test_device().info())),
      .elements = c.elements,
      .warps = c.warps,
      .tiles_of_points = c.at_once,
      .tiles_of_nodes = c.at_once};
}

class CurvedTilesOf : public ::testing::TestWithParam<TilesCase> {};

/// Compares one right-hand side with the reference.
void expect_as_the_reference(const TilesCase& c, const std::shared_ptr<const Discretization>& discretization) {
  Problem problem = testing::random_problem(system_of(c), *discretization);
  if (c.system == "anisotropic") {
    problem = testing::random_anisotropic_problem(0.7, *discretization);
    std::ranges::fill(problem.parameters[2], 0.0);  // losses of tensors are a term
  }
  const ReferenceOperator reference(*discretization, problem);
  rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler_for(c.schedule);
  const DeviceProblem device(compiler, compiler.device().create_stream(), discretization, problem, c.precision,
                             Schedule::named(c.schedule), {}, tiles_of(c).variant());
  device.stages().load(compiler.compile(device.stages().source()));
  std::vector<double> q = testing::random_values(device.dofs(), 3), rhs(q.size()), expected(q.size());
  if (c.precision == Dtype::float32) {
    for (double& value : q) value = static_cast<float>(value);
  }
  device.set_state(q);
  device.read(device.stages().evaluate(0.4), rhs);
  reference.rhs(q, 0.4, expected);
  EXPECT_LT(testing::relative_difference(rhs, expected), c.precision == Dtype::float32 ? 4e-6 : 1e-13);
}

TEST_P(CurvedTilesOf, any_size_compute_what_the_reference_does) {
  const TilesCase& c = GetParam();
  expect_as_the_reference(c, std::make_shared<Discretization>(testing::half_curved_cube(c.order), c.N));
}

TEST(CurvedTiles, of_ranges_that_begin_and_end_within_a_group_compute_what_the_reference_does) {
  using Shape = ElementRange::Shape;
  const std::vector<ElementRange> ranges{{.begin = 0, .end = 24},
                                         {.begin = 24, .end = 31, .shape = Shape::curved},
                                         {.begin = 31, .end = 48, .shape = Shape::curved}};
  const auto discretization = std::make_shared<Discretization>(testing::half_curved_cube(2), 2, ranges);
  ASSERT_EQ(discretization->ranges.size(), 3U);
  expect_as_the_reference({"maxwell", 2, 2, Dtype::float64, "tiles_e16_w2_r1", 16, 2, 1}, discretization);
}

TEST(CurvedTiles, of_a_number_of_elements_that_makes_no_tiles_are_refused) {
  const auto d = std::make_shared<Discretization>(testing::half_curved_cube(2), 2);
  const System system = maxwell::system({.alpha = 0.7});
  const LoweredSystem lowered = lower(system);
  const CurvedProblem problem{
      lowered, d->reference, d->curved->quadrature, {system.name, 2, Dtype::float64, Schedule::named("lanes8_n4")}};
  const auto refusal = [&](const CurvedVariant& variant) -> std::string {
    try {
      (void)make_curved_generator(problem, variant);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(CurvedTiles{.elements = 24}.variant()).find("8 or a multiple of 16 elements"), std::string::npos);
  EXPECT_NE(refusal({{"kind", "tiles"}}).find("no products"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    All, CurvedTilesOf,
    ::testing::Values(TilesCase{"maxwell", 2, 2, Dtype::float64, "tiles_e16_w2_r1", 16, 2, 1},
                      TilesCase{"incident", 4, 3, Dtype::float32, "tiles_e16_w2_r1", 16, 6, 2, true},
                      TilesCase{"incident", 3, 3, Dtype::float64, "tiles_e16_w2_r1", 8, 4, 2},
                      TilesCase{"incident", 3, 3, Dtype::float64, "tiles_e16_w2_r1_basis", 16, 4, 2},
                      TilesCase{"central", 1, 2, Dtype::float64, "tiles_e16_w2_r1_basis", 16, 2, 1},
                      TilesCase{"acoustics", 2, 3, Dtype::float64, "tiles_e8_w1_r1_basis", 8, 3, 1},
                      TilesCase{"acoustics", 3, 3, Dtype::float64, "tiles_e8_w1_r1_blocked", 16, 3, 1},
                      TilesCase{"acoustics", 5, 3, Dtype::float32, "tiles_e8_w1_r1", 8, 3, 2},
                      TilesCase{"anisotropic", 3, 3, Dtype::float64, "tiles_e16_w2_r1", 16, 3, 1},
                      TilesCase{"maxwell", 6, 2, Dtype::float32, "tiles_e8_w1_r1", 8, 5, 2},
                      TilesCase{"maxwell", 1, 2, Dtype::float32, "elements_e32_r1", 32, 4, 1, true}),
    ::testing::PrintToStringParamName());

}  // namespace
}  // namespace maxwell_dg::dg
