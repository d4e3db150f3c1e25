#include "dg/tuning/verification.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/operator/stage_terms.hpp"
#include "dg/variants/variants.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/curved_mesh.hpp"
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
  ReferenceOperator(*v.discretization(), problem).rhs(v.fields(), v.time(), rhs, v.auxiliary());
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

/// A mesh whose elements are straight, or half of them curved, with terms, and what stages have of these.
struct WithTerms {
  static constexpr int N = 2;
  std::shared_ptr<const Discretization> discretization;
  Problem problem;
  Schedule schedule =
      Schedule::named(maxwell_dg::testing::test_device().info().is_cpu ? "lanes8_n2" : "tiles_e16_w2_r1");
  std::vector<ElementTerm> examples;
  std::optional<Verification> verification;

  explicit WithTerms(ElementRange::Shape shape)
      : discretization(std::make_shared<const Discretization>(
            shape == ElementRange::Shape::curved ? testing::half_curved_random_mesh(40, 2) : testing::random_mesh(40),
            N)),
        problem(testing::random_problem(maxwell::system({.alpha = 0.7}), *discretization)) {
    testing::add_all_terms(problem, *discretization);
    examples = StageTerms::examples(problem, *discretization, schedule);
    verification.emplace(problem.system, N, &discretization->mesh, shape, examples);
  }
  [[nodiscard]] std::string text_of_stage(const std::shared_ptr<const Discretization>& d, const Problem& p) const {
    const rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler();
    return DeviceProblem(compiler, compiler.device().create_stream(), d, p, Dtype::float64, schedule,
                         discretization->K(), {}, true)
        .stages()
        .source()
        .text;
  }
};

TEST(Verification, with_the_terms_of_a_problem_is_of_the_kernel_that_the_problem_has) {
  for (const auto shape : {ElementRange::Shape::affine, ElementRange::Shape::curved}) {
    const WithTerms with(shape);
    ASSERT_GT(with.examples.size(), 2U);
    EXPECT_EQ(with.text_of_stage(with.verification->discretization(), with.verification->problem()),
              with.text_of_stage(with.discretization, with.problem));
    for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
      const rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler();
      EXPECT_LT(with.verification->error_of(compiler, with.schedule, precision, with.discretization->K()),
                Verification::bound(precision));
    }
  }
}

TEST(Verification, notices_a_wrong_term_and_a_wrong_value_beside_a_term_that_is_large) {
  const WithTerms with(ElementRange::Shape::affine);
  for (std::size_t i = 0; i < with.examples.size(); ++i) {
    Problem other = with.verification->problem();
    for (symbolic::Expr& e : other.element_terms.at(i).added) e = 1.001 * e;
    EXPECT_GT(with.verification->error_of(stage_of(*with.verification, other)), Verification::bound(Dtype::float32))
        << with.examples[i].name;
  }
  std::vector<ElementTerm> large = with.examples;
  for (ElementTerm& term : large) {
    for (symbolic::Expr& e : term.added) e = 1e6 * e;
  }
  const Verification verification(with.problem.system, WithTerms::N, nullptr, ElementRange::Shape::affine, large);
  std::vector<double> q = stage_of(verification, verification.problem());
  EXPECT_LT(verification.error_of(q), 1e-12);
  q.back() *= 1.01;  // in an element without terms
  EXPECT_GT(verification.error_of(q), Verification::bound(Dtype::float32));
}

}  // namespace
}  // namespace maxwell_dg::dg
