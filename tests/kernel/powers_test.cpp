#include <algorithm>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/current.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/maxwell/pml.hpp"
#include "dg/operator/operator.hpp"
#include "dg/symbolic/incident.hpp"
#include "tests/support/bent_motion.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

/// What powers are there, held against the energy's rate of change by the interpreted right-hand side, on random
/// fields, media and boundaries.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;

struct Setting {
  std::shared_ptr<const Discretization> discretization;
  Problem problem;
  std::vector<double> q, u;
  static constexpr double t = 0.37;

  Setting(int N, const std::function<Problem(const Discretization&)>& make)
      : discretization(std::make_shared<Discretization>(testing::random_mesh(19), N)),
        problem(make(*discretization)),
        q(random_values(discretization->K() * fields() * nodes(), 1)),
        u(random_values(auxiliary_count(problem, *discretization), 2)) {}

  [[nodiscard]] std::size_t fields() const { return static_cast<std::size_t>(problem.system.field_count()); }
  [[nodiscard]] std::size_t nodes() const { return static_cast<std::size_t>(discretization->Np()); }

  /// dW/dt of another problem in the place of this one.
  [[nodiscard]] double rate(const Problem& other) const {
    const ReferenceOperator reference(*discretization, other);
    std::vector<double> rhs(q.size()), gradient(q.size()), rates(u.size());
    reference.rhs(q, t, rhs, u, rates);
    reference.apply_energy_matrix(q, gradient);
    return 2 * std::inner_product(rhs.begin(), rhs.end(), gradient.begin(), 0.0);
  }
  /// What the right-hand side loses without a term is the term's.
  [[nodiscard]] double rate_of_element_term(std::size_t i) const {
    Problem without = problem;
    for (symbolic::Expr& e : without.element_terms[i].added) e = 0.0;
    return rate(problem) - rate(without);
  }

  struct Powers {
    std::vector<std::string> names;
    std::vector<double> values;
    [[nodiscard]] double of(const std::string& name) const {
      const auto found = std::ranges::find(names, name);
      if (found == names.end()) throw std::invalid_argument("no power " + name);
      return values[static_cast<std::size_t>(found - names.begin())];
    }
    [[nodiscard]] double sum() const { return std::accumulate(values.begin(), values.end(), 0.0); }
  };
  [[nodiscard]] Powers powers(Dtype precision = Dtype::float64, std::optional<Schedule> schedule = {}) const {
    Operator op(maxwell_dg::testing::test_compiler(), discretization, problem,
                {.precision = precision, .schedule = std::move(schedule), .powers = true});
    op.set_state(q);
    op.set_auxiliary(u);
    return {op.power_names(), op.powers(t)};
  }
};

Problem with_terms(const Discretization& d) {
  Problem problem = testing::random_problem(maxwell::system({.alpha = 0.7, .impedances = {0.3}}), d);
  const System& system = problem.system;
  const std::vector<symbolic::Expr> incident =
      maxwell::fields({.direction = {1, 2, -1},
                       .polarization = {1, 0, 1},
                       .waveform = {.frequency = 0.7, .bandwidth = 0.8, .delay = 0.1}});
  using Model = maxwell::Pole::Model;
  const std::vector<maxwell::DispersiveMedium> media{
      {.poles = {{Model::debye, 2.0, 0.7}, {Model::lorentz, 1.5, 0.2, 3.0}}, .elements = {1, 9}}};
  for (auto& term : maxwell::dispersion_terms(system, media)) problem.element_terms.push_back(term);
  problem.element_terms.push_back(
      maxwell::current_term(system, {0, 1, 6}, {symbolic::sin(symbolic::time()), symbolic::coordinate(0), 2.0}));
  for (const std::size_t k : {4U, 5U}) problem.parameters[2][k] = 0;  // losses in a PML are partly a part of its term
  const maxwell::PmlMotion layer = testing::bent_motion();
  for (auto& term : maxwell::pml_terms(problem, d, {4, 5}, 0.3, layer)) problem.element_terms.push_back(term);
  std::vector<FaceTerm::Face> sides;
  std::vector<double> sign;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t other = d.connectivity.neighbours[static_cast<std::size_t>(k)][static_cast<std::size_t>(face)];
      if (other < 0 || (k < 10) == (other / 4 < 10)) continue;
      sides.push_back({k, face});
      sign.push_back(k < 10 ? 1 : -1);
    }
  }
  problem.face_terms.push_back(total_field_term(system, incident, sides, sign));
  return problem;
}

TEST(Powers, add_up_to_the_rate_of_the_energy_and_terms_have_their_shares) {
  const Setting setting(2, with_terms);
  const Setting::Powers powers = setting.powers();
  const double rate = setting.rate(setting.problem), size = std::abs(powers.of("upwind"));
  EXPECT_NEAR(powers.sum(), rate, 1e-12 * size);
  EXPECT_NEAR(powers.of("dispersion_1"), setting.rate_of_element_term(0), 1e-12 * size);
  EXPECT_NEAR(powers.of("current"), setting.rate_of_element_term(1), 1e-12 * size);
  Problem open = setting.problem;
  open.face_terms.clear();
  EXPECT_NEAR(powers.of("total_field"), rate - setting.rate(open), 1e-12 * size);
  Problem lossless = setting.problem;
  std::ranges::fill(lossless.parameters[2], 0.0);
  EXPECT_NEAR(powers.of("losses"), rate - setting.rate(lossless), 1e-12 * size);
  for (const char* name : {"upwind", "losses", "pec", "pmc", "absorbing", "impedance_0"}) {
    EXPECT_LT(powers.of(name), 0) << name;
  }
}

/// Fewer kinds of everything: each is a kernel to compile.
Problem with_one_kind_of_wall(Problem problem) {
  std::ranges::fill(problem.boundary, problem.system.find_boundary("absorbing"));
  return problem;
}

TEST(Powers, are_the_same_in_kernels_of_a_whole_stage_in_single_precision) {
  const Setting setting(1, [](const Discretization& d) {
    Problem problem = with_one_kind_of_wall(testing::random_problem(maxwell::system(), d));
    problem.element_terms.push_back(maxwell::current_term(problem.system, {0, 1, 6}, {1.0, 2.0, symbolic::time()}));
    return problem;
  });
  const Setting::Powers powers = setting.powers(Dtype::float32, Schedule::named("elements_e32_r1"));
  EXPECT_NEAR(powers.sum(), setting.rate(setting.problem), 1e-5 * std::abs(powers.of("upwind")));
}

TEST(Powers, add_up_in_anisotropic_media) {
  const Setting setting(
      1, [](const Discretization& d) { return with_one_kind_of_wall(testing::random_anisotropic_problem(1.0, d)); });
  const Setting::Powers powers = setting.powers();
  EXPECT_NEAR(powers.sum(), setting.rate(setting.problem), 1e-12 * std::abs(powers.of("upwind")));
}

}  // namespace
}  // namespace maxwell_dg::dg
