#include "dg/tuning/verification.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/variants/variants.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

TEST(Verification, a_right_kernel_passes_wherever_and_however_large_the_mesh_is) {
  for (const System& system : {testing::maxwell_with_incident_wave(), acoustics::system()}) {
    for (const double size : {1e-6, 1.0, 1e4}) {
      const Mesh where = make_box({.min = {size, 0, -size}, .max = {3 * size, size, size}, .cells = {1, 1, 1}});
      const Verification verification(system, 2, &where);
      for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
        const rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler();
        const Schedule schedule =
            default_schedule(compiler.device().info(), {lower(system), system.name, 2, precision});
        for (const std::size_t elements : {std::size_t{36}, std::size_t{1'000'000}}) {
          EXPECT_LT(verification.error_of(compiler, schedule, precision, elements), Verification::bound(precision))
              << system.name << ", " << size << ", kernels for " << elements << " elements";
        }
      }
    }
  }
}

/// The exact stage, as a kernel would leave it.
std::vector<double> stage_of(const Verification& v, const Problem& problem) {
  std::vector<double> rhs(v.fields().size()), q(v.fields().begin(), v.fields().end());
  ReferenceOperator(*v.discretization(), problem).rhs(v.fields(), v.time(), rhs);
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += v.dt() * rhs[i];
  return q;
}

TEST(Verification, one_wrong_value_and_one_wrong_boundary_condition_are_noticed) {
  const Verification verification(maxwell::system(), 3);
  std::vector<double> q = stage_of(verification, verification.problem());
  EXPECT_LT(verification.error_of(q), 1e-14);
  const double right = q[1234];
  q[1234] *= 1.001;
  EXPECT_GT(verification.error_of(q), Verification::bound(Dtype::float64));
  q[1234] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(verification.error_of(q), std::numeric_limits<double>::infinity());
  q[1234] = right;
  EXPECT_LT(verification.error_of(q), 1e-14);
  for (std::size_t kind = 0; kind < verification.problem().system.boundaries.size(); ++kind) {
    Problem other = verification.problem();
    const auto face = std::ranges::find(other.boundary, static_cast<int>(kind));
    ASSERT_NE(face, other.boundary.end()) << "a boundary condition does not occur";
    *face = (*face + 1) % static_cast<int>(other.system.boundaries.size());
    EXPECT_GT(verification.error_of(stage_of(verification, other)), Verification::bound(Dtype::float32));
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
