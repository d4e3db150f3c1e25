#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/current.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/stage_terms.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

/// What only some elements and faces have, generated, equals the interpreted reference on random fields and media.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using testing::relative_difference;

struct TermCase {
  int N;
  Dtype precision;
  std::string schedule;  // "": the default one
};

std::ostream& operator<<(std::ostream& out, const TermCase& c) {
  return out << "N" << c.N << "_" << name_of(c.precision) << "_" << (c.schedule.empty() ? "default" : c.schedule);
}

std::vector<TermCase> all_term_cases() {
  return {{2, Dtype::float32, ""},
          {3, Dtype::float64, ""},
          {3, Dtype::float32, "tiles_e16_w4_r1"},
          {3, Dtype::float64, "tiles_e16_w6_r1_mirror"},
          {1, Dtype::float32, "tiles_e8_w1_r1_blocked"},
          {1, Dtype::float64, "elements_e32_r1"},
          {2, Dtype::float64, "nodes"}};
}

class Terms : public ::testing::TestWithParam<TermCase> {
 protected:
  const TermCase& c_ = GetParam();
  std::shared_ptr<const Discretization> discretization_ =
      std::make_shared<Discretization>(testing::random_mesh(19), c_.N);
  Problem problem_ = [&] {
    Problem problem = testing::random_problem(maxwell::system({.alpha = 0.7}), *discretization_);
    testing::add_all_terms(problem, *discretization_);
    return problem;
  }();
  double bound_ = c_.precision == Dtype::float64 ? 1e-13 : 1e-5;

  Operator make_operator() {
    Operator::Options options{.precision = c_.precision};
    if (c_.schedule == "nodes") {
      options.schedule = Schedule{Schedule::Nodes{.volume = {3}, .surface = {3}}};
    } else if (!c_.schedule.empty()) {
      options.schedule = Schedule::named(c_.schedule);
    }
    return {maxwell_dg::testing::test_compiler_for(c_.schedule), discretization_, problem_, options};
  }
};

TEST_P(Terms, right_hand_side_and_rates_equal_the_reference) {
  Operator op = make_operator();
  const ReferenceOperator reference(*discretization_, problem_);
  const std::vector<double> q = random_values(op.dofs(), 1), u = random_values(op.auxiliary_count(), 2);
  ASSERT_GT(u.size(), 0U);
  std::vector<double> expected(q.size()), found(q.size()), expected_rates(u.size()), rates(u.size()), kept(u.size());
  op.set_state(q);
  op.set_auxiliary(u);
  op.evaluate_rhs(0.37, found, rates);
  reference.rhs(q, 0.37, expected, u, expected_rates);
  EXPECT_LT(relative_difference(found, expected), bound_);
  EXPECT_LT(relative_difference(rates, expected_rates), bound_);
  op.get_auxiliary(kept);
  EXPECT_LT(relative_difference(kept, u), bound_);  // evaluating moves nothing
}

TEST_P(Terms, steps_equal_the_reference) {
  Operator op = make_operator();
  const ReferenceOperator reference(*discretization_, problem_);
  std::vector<double> q = random_values(op.dofs(), 3), u = random_values(op.auxiliary_count(), 4);
  std::vector<double> res(q.size(), 0.0), rhs(q.size()), res_u(u.size(), 0.0), rates(u.size());
  op.set_state(q);
  op.set_auxiliary(u);
  const double dt = 1e-3, t = 0.1;
  const std::array a{0.0, -0.4}, b{0.3, 0.6}, c{0.0, 0.3};
  for (int step = 0; step < 3; ++step) {
    op.step({.a = a, .b = b, .c = c}, dt, t + step * dt);
    for (std::size_t stage = 0; stage < 2; ++stage) {
      reference.rhs(q, t + (step + c[stage]) * dt, rhs, u, rates);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += b[stage] * (res[i] = a[stage] * res[i] + dt * rhs[i]);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] += b[stage] * (res_u[i] = a[stage] * res_u[i] + dt * rates[i]);
    }
  }
  std::vector<double> found(q.size()), found_u(u.size());
  op.get_state(found);
  op.get_auxiliary(found_u);
  EXPECT_LT(relative_difference(found, q), bound_);
  EXPECT_LT(relative_difference(found_u, u), bound_);
}

INSTANTIATE_TEST_SUITE_P(All, Terms, ::testing::ValuesIn(all_term_cases()), ::testing::PrintToStringParamName());

/// Whether stages of a schedule compute the element terms of all terms themselves, by the terms' names.
std::map<std::string, bool> is_in_stage(const std::string& schedule) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(19), 1);
  Problem problem = testing::random_problem(maxwell::system(), *discretization);
  testing::add_all_terms(problem, *discretization);
  const rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler();
  const DeviceProblem on_device(compiler, compiler.device().create_stream(), discretization, problem, Dtype::float64,
                                Schedule::named(schedule), {}, {}, true);
  std::map<std::string, bool> found;
  for (std::size_t i = 0; i < problem.element_terms.size(); ++i) {
    const auto& terms = on_device.setting().terms;
    found[problem.element_terms[i].name] = terms && terms->has(i);
  }
  return found;
}

TEST(StageTerms, are_pmls_and_media_in_tiles_and_lanes) {
  std::vector<const char*> schedules{"tiles_e16_w4_r1", "elements_e32_r1"};
  if (maxwell_dg::testing::test_device().info().backend != core::Backend::cuda) schedules.push_back("lanes8_n4");
  for (const char* schedule : schedules) {
    const bool takes_terms = !std::string(schedule).starts_with("elements");
    std::size_t media = 0;
    for (const auto& [name, is_in] : is_in_stage(schedule)) {
      const bool is_medium = name.starts_with("pml") || name.starts_with("dispersion");
      media += is_medium ? 1 : 0;
      EXPECT_EQ(is_in, is_medium && takes_terms) << schedule << " " << name;
    }
    EXPECT_GT(media, 2U);
  }
}

/// What is said of an operator with a schedule in the basis of the element.
std::string refusal_of(const Problem& problem, const std::shared_ptr<const Discretization>& discretization,
                       bool powers) {
  const Schedule schedule = Schedule::named("tiles_e16_w2_r1_basis");
  try {
    const Operator op(maxwell_dg::testing::test_compiler(), discretization, problem,
                      {.precision = Dtype::float32, .schedule = schedule, .powers = powers});
    return "nothing";
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
}

TEST(ElementBasis, is_refused_where_stages_have_additions) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(7), 1);
  const Problem plain = testing::random_problem(maxwell::system(), *discretization);
  Problem with_element_term = plain, with_face_term = plain;
  with_element_term.element_terms.push_back(maxwell::current_term(plain.system, {0, 1, 6}, {1.0, 2.0, 3.0}));
  with_face_term.face_terms.push_back(maxwell::sheet_term(plain.system, {{0, 1}}, {0.7}));
  for (const std::string& text :
       {refusal_of(with_element_term, discretization, false), refusal_of(with_face_term, discretization, false),
        refusal_of(plain, discretization, true)}) {
    EXPECT_TRUE(text.starts_with("schedule tiles_e16_w2_r1_basis: ")) << text;
    EXPECT_NE(text.find("components along x, y and z"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
