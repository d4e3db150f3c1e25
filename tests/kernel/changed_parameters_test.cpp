#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/operator.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using testing::random_values;

class ChangedParameters : public ::testing::Test {
 protected:
  std::shared_ptr<const Discretization> discretization_ = std::make_shared<Discretization>(testing::random_mesh(37), 2);

  [[nodiscard]] Operator make(const System& system, const std::vector<std::vector<double>>& parameters,
                              const std::string& schedule) const {
    Problem problem = testing::random_problem(system, *discretization_);
    if (!parameters.empty()) problem.parameters = parameters;
    Operator::Options options;
    if (!schedule.empty()) options.schedule = Schedule::named(schedule);
    return {maxwell_dg::testing::test_compiler(), discretization_, std::move(problem), options};
  }
  static std::vector<double> state_of(const Operator& op) {
    std::vector<double> q(op.dofs());
    op.get_state(q);
    return q;
  }
  static void step(Operator& op, int count) {
    static constexpr std::array a{0.0, -0.4}, b{0.3, 0.6}, c{0.0, 0.3};
    constexpr double dt = 1e-3;
    for (int i = 0; i < count; ++i) op.step({a, b, c}, dt, 0.1);
  }
  /// An operator whose parameters were changed computes what one does that was made with them.
  void expect_same(const System& system, const std::string& schedule) const {
    SCOPED_TRACE(system.name + " " + schedule);
    Operator changed = make(system, {}, schedule);
    changed.set_state(random_values(changed.dofs(), 3));
    step(changed, 5);  // some of them recorded, where the device can
    std::vector<std::vector<double>> parameters = changed.problem().parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const std::vector<double> more = random_values(parameters[p].size(), static_cast<unsigned>(p) + 7);
      for (std::size_t k = 0; k < more.size(); k += 2) parameters[p][k] *= 1 + more[k] * more[k];
    }
    Operator made = make(system, parameters, schedule);
    // To both, since a state in the basis of the elements is rounded when it is given back.
    const std::vector<double> q = state_of(changed);
    changed.set_state(q);
    made.set_state(q);
    changed.set_parameters(parameters);
    EXPECT_EQ(changed.energies(), made.energies());
    step(changed, 4);
    step(made, 4);
    EXPECT_EQ(state_of(changed), state_of(made));
    EXPECT_EQ(changed.energies(), made.energies());
  }
};

TEST_F(ChangedParameters, are_those_of_an_operator_that_was_made_with_them) {
  std::vector<std::string> schedules{"", "nodes_pad1_v3_s2", "elements_e32_r1", "tiles_e16_w2_r1"};
  if (maxwell_dg::testing::test_device().info().is_cpu) schedules.emplace_back("lanes8_n4");
  for (const std::string& schedule : schedules) expect_same(maxwell::system({.alpha = 0.7}), schedule);
  expect_same(acoustics::system(), "");
}

TEST_F(ChangedParameters, in_curved_elements_are_those_of_an_operator_that_was_made_with_them) {
  discretization_ = std::make_shared<Discretization>(testing::half_curved_random_mesh(37, 2), 2);
  expect_same(maxwell::system({.alpha = 0.7}), "");
  expect_same(acoustics::system(), "");
}

TEST_F(ChangedParameters, of_another_size_are_refused) {
  Operator op = make(maxwell::system(), {}, "");
  std::vector<std::vector<double>> parameters = op.problem().parameters;
  parameters.back().pop_back();
  EXPECT_THROW(op.set_parameters(parameters), std::invalid_argument);
  parameters.pop_back();
  EXPECT_THROW(op.set_parameters(parameters), std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
