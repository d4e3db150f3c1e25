// A stage in three kernels, however they are sliced and wherever they find matrices and neighbours, computes what the
// interpreted reference does.
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/codegen/nodes/split_generator.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/operator/operator.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using testing::relative_difference;

struct SplitCase {
  std::string system;
  int N;
  Dtype precision;
  std::string variant;
};

std::ostream& operator<<(std::ostream& out, const SplitCase& c) {
  return out << c.system << "_N" << c.N << "_" << name_of(c.precision) << "_" << c.variant;
}

class SplitKernels : public ::testing::TestWithParam<SplitCase> {};

// A number of elements that fills neither the last group nor the last block.
TEST_P(SplitKernels, right_hand_side_stage_and_energies_equal_the_reference) {
  const auto& [name, N, precision, variant] = GetParam();
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(29), N);
  const System system = name == "maxwell" ? testing::maxwell_with_incident_wave(0.7) : acoustics::system();
  const Problem problem = testing::random_problem(system, *discretization);
  Operator op(maxwell_dg::testing::test_compiler_for(variant), discretization, problem,
              {.precision = precision, .schedule = Schedule::named(variant)});
  const ReferenceOperator reference(*discretization, problem);
  const double bound = precision == Dtype::float64 ? 1e-13 : 1e-5, t = 0.37, dt = 1e-3, b = 0.6;
  std::vector<double> q = random_values(op.dofs()), expected(op.dofs()), found(op.dofs());
  op.set_state(q);
  op.evaluate_rhs(t, found);
  reference.rhs(q, t, expected);
  EXPECT_LT(relative_difference(found, expected), bound);

  op.set_state(q);
  op.stage(0.0, b, dt, t);
  op.get_state(found);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += b * dt * expected[i];
  EXPECT_LT(relative_difference(found, q), bound);
  EXPECT_LT(relative_difference(op.energies(), reference.energies(q)), 10 * bound);
}

INSTANTIATE_TEST_SUITE_P(
    All, SplitKernels,
    ::testing::Values(SplitCase{"maxwell", 1, Dtype::float32, "nodes_pad1_v16x2x4_s16x4x4_Dregs_LIFTshared"},
                      SplitCase{"maxwell", 1, Dtype::float64, "nodes_pad4_b16_v16_s16_Dconst_LIFTregs_nodemap"},
                      SplitCase{"acoustics", 2, Dtype::float64, "nodes_pad4_b4_v8x1x4_s8x2x4_Dshared_LIFTregs_nodemap"},
                      SplitCase{"maxwell", 2, Dtype::float32, "nodes_pad1_v8x4x1_s16_u1_Dconst_LIFTconst"},
                      SplitCase{"acoustics", 3, Dtype::float32, "nodes_pad4_b4_v4x1x4_s4x4x1_Dregs_nodemap"},
                      SplitCase{"maxwell", 4, Dtype::float64, "nodes_pad1_b16_v2x2x4_s2x2x4_u8_Dshared_LIFTshared"},
                      SplitCase{"acoustics", 5, Dtype::float64, "nodes_pad4_b7_v2x4x1_s2x4x1_LIFTshared"},
                      SplitCase{"maxwell", 3, Dtype::float64, "nodes_pad1_v4x2x1_s4x2x1_together"},
                      SplitCase{"acoustics", 2, Dtype::float32, "nodes_pad4_b4_v8_s8_nodemap_together"}),
    ::testing::PrintToStringParamName());

void expect_refused(int N, const std::string& variant, const std::string& why) {
  const System system = acoustics::system();
  const LoweredSystem lowered = lower(system);
  try {
    const SplitGenerator generator(lowered, {system.name, N, Dtype::float64, Schedule::named(variant)});
    ADD_FAILURE() << variant << ": no error";
  } catch (const std::invalid_argument& e) {
    EXPECT_EQ(e.what(), "schedule " + variant + ": " + why);
  }
}

TEST(SplitGenerator, refuses_what_no_gpu_can_launch_and_what_is_no_schedule_of_three_kernels) {
  expect_refused(4, "nodes_pad1_v32_s1", "groups of more than 1024 items; take fewer elements");
  expect_refused(4, "nodes_pad1_v1_s32", "groups of more than 1024 items; take fewer elements");
  expect_refused(6, "nodes_pad1_v1_s1_Dconst", "matrices of 169344 bytes do not fit in constant memory, 63488 bytes");
  expect_refused(5, "nodes_pad1_v1_s1_Dconst_LIFTconst",
                 "matrices of 112896 bytes do not fit in constant memory, 63488 bytes");
  expect_refused(2, "tiles_e16_w1_r1", "one of slicing 'nodes' is needed");
}

}  // namespace
}  // namespace maxwell_dg::dg
