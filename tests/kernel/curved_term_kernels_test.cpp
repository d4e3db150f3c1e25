#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/power_terms.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/operator/power_kernels.hpp"
#include "dg/operator/term_kernels.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/support/varying_media.hpp"

/// Generated kernels of terms and powers, on meshes with straight and curved elements, held against the interpreted
/// reference on random fields and media.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using testing::relative_difference;
using Numbers = std::vector<double>;

struct CurvedTermCase {
  std::string system;
  int N, order;
  Dtype precision;
  std::string schedule;
  bool media_vary = false;  ///< within curved elements
};

/// Losses in a part of the mesh.
Numbers graded(const Point& x, std::size_t parameters) {
  const double wave = std::sin(3 * x[0] + 2 * x[1] - x[2]);
  Numbers values{2 + wave, 1.5 - 0.4 * wave};
  if (parameters == 3) values.push_back(std::max(0.0, 3 * wave));
  return values;
}

Numbers graded_tensors(const Point& x) {
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(x[0] + x[1], Eigen::Vector3d(0, 0.6, 0.8)).toRotationMatrix();
  const Eigen::Matrix3d epsilon = turn * Eigen::Vector3d(1 + x[1], 2, 4).asDiagonal() * turn.transpose();
  return maxwell::anisotropic_parameters(epsilon, Eigen::Matrix3d::Identity() + 0.3 * epsilon,
                                         std::max(0.0, 3 * std::sin(3 * x[0])));
}

std::ostream& operator<<(std::ostream& out, const CurvedTermCase& c) {
  return out << c.system << "_N" << c.N << "_geometry" << c.order << "_" << name_of(c.precision) << "_" << c.schedule
             << (c.media_vary ? "_varying" : "");
}

/// A problem with its terms on the tests' device.
struct OnDevice {
  DeviceProblem problem;
  KernelGenerator generator;
  TermKernels terms;
  std::optional<PowerKernels> powers;

  OnDevice(const std::shared_ptr<const Discretization>& d, const Problem& p, Dtype precision,
           const std::string& schedule, bool with_powers = false)
      : problem(maxwell_dg::testing::test_compiler_for(schedule),
                maxwell_dg::testing::test_compiler().device().create_stream(), d, p, precision,
                Schedule::named(schedule)),
        generator(problem.lowered(), {p.system.name, d->N(), precision, Schedule::named(schedule)}),
        terms(problem.setting(), generator) {
    rtcg::Compiler& compiler = maxwell_dg::testing::test_compiler_for(schedule);
    problem.stages().load(compiler.compile(problem.stages().source()));
    if (with_powers) {
      powers.emplace(problem.setting(), generator, terms);
      powers->load(compiler.compile(powers->sources()));
      problem.stages().extend(*powers);
    }
    terms.load(compiler.compile(terms.sources()));
    problem.stages().extend(terms);
  }
};

bool fits_device(const std::string& schedule) {
  return !schedule.starts_with("lanes") || maxwell_dg::testing::test_device().info().is_cpu;
}

class CurvedTermKernels : public ::testing::TestWithParam<CurvedTermCase> {
 protected:
  const CurvedTermCase& c_ = GetParam();
  std::shared_ptr<const Discretization> discretization_ =
      std::make_shared<Discretization>(testing::half_curved_random_mesh(19, c_.order), c_.N);
  Problem problem_ = [&] {
    const bool is_maxwell = c_.system != "acoustics", has_tensors = c_.system == "anisotropic";
    Problem problem = has_tensors
                          ? testing::random_anisotropic_problem(0.7, *discretization_)
                          : testing::random_problem(is_maxwell ? maxwell::system({.alpha = 0.7}) : acoustics::system(),
                                                    *discretization_);
    (is_maxwell ? testing::add_all_terms : testing::add_linear_terms)(problem, *discretization_);
    const std::size_t parameters = problem.parameters.size();
    if (c_.media_vary) {
      testing::vary_within(problem, *discretization_,
                           [&](const Point& x) { return has_tensors ? graded_tensors(x) : graded(x, parameters); });
    } else {
      integrate_losses(problem, *discretization_);
    }
    return problem;
  }();
  double bound_ = c_.precision == Dtype::float64 ? 1e-12 : 1e-5;

  void SetUp() override {
    if (!fits_device(c_.schedule)) GTEST_SKIP() << "lanes are for CPUs";
    const std::size_t curved = discretization_->mesh.curved.count();
    ASSERT_TRUE(curved >= 6 && curved <= 13) << curved << " of 19 are curved";
  }
};

TEST_P(CurvedTermKernels, add_what_the_reference_adds) {
  const OnDevice device(discretization_, problem_, c_.precision, c_.schedule);
  const ReferenceOperator reference(*discretization_, problem_);
  const Numbers q = random_values(reference.size(), 1),
                u = random_values(auxiliary_count(problem_, *discretization_), 2);
  Numbers expected(q.size()), found(q.size()), expected_rates(u.size()), rates(u.size());
  device.problem.set_state(q);
  device.terms.set_auxiliary(u);
  device.problem.read(device.problem.stages().evaluate(0.37), found);
  device.terms.get_rates(rates);
  reference.rhs(q, 0.37, expected, u, expected_rates);
  EXPECT_LT(relative_difference(found, expected), bound_);
  EXPECT_LT(relative_difference(rates, expected_rates), bound_);
}

TEST_P(CurvedTermKernels, step_as_the_reference_does) {
  const OnDevice device(discretization_, problem_, c_.precision, c_.schedule);
  const ReferenceOperator reference(*discretization_, problem_);
  Numbers q = random_values(reference.size(), 3), u = random_values(auxiliary_count(problem_, *discretization_), 4);
  Numbers res(q.size(), 0.0), rhs(q.size()), res_u(u.size(), 0.0), rates(u.size());
  device.problem.set_state(q);
  device.terms.set_auxiliary(u);
  const double dt = 1e-3;
  const std::array a{0.0, -0.4, -1.2}, b{0.3, 0.6, 0.2}, c{0.0, 0.3, 0.6};
  for (std::size_t stage = 0; stage < a.size(); ++stage) {
    const double t = 0.1 + c[stage] * dt;
    device.problem.stages().advance(a[stage], b[stage], dt, t);
    reference.rhs(q, t, rhs, u, rates);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += b[stage] * (res[i] = a[stage] * res[i] + dt * rhs[i]);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += b[stage] * (res_u[i] = a[stage] * res_u[i] + dt * rates[i]);
  }
  Numbers found(q.size()), found_u(u.size());
  device.problem.read(device.problem.stages().stored_state(), found);
  device.terms.get_auxiliary(found_u);
  EXPECT_LT(relative_difference(found, q), bound_);
  EXPECT_LT(relative_difference(found_u, u), bound_);
}

INSTANTIATE_TEST_SUITE_P(All, CurvedTermKernels,
                         ::testing::Values(CurvedTermCase{"maxwell", 2, 3, Dtype::float64, "elements_e32_r1"},
                                           CurvedTermCase{"maxwell", 2, 3, Dtype::float64, "tiles_e8_w1_r1", true},
                                           CurvedTermCase{"acoustics", 3, 4, Dtype::float64, "tiles_e8_w1_r1_blocked"},
                                           CurvedTermCase{"anisotropic", 2, 3, Dtype::float64, "elements_e32_r1"},
                                           CurvedTermCase{"anisotropic", 2, 3, Dtype::float32, "tiles_e16_w2_r1", true},
                                           CurvedTermCase{"maxwell", 3, 4, Dtype::float32, "tiles_e16_w4_r1"},
                                           CurvedTermCase{"maxwell", 2, 3, Dtype::float64, "lanes8_n2"},
                                           CurvedTermCase{"maxwell", 1, 2, Dtype::float32, "lanes16_n2"},
                                           CurvedTermCase{"maxwell", 2, 3, Dtype::float64, "lanes2_n2", true},
                                           CurvedTermCase{"acoustics", 3, 4, Dtype::float64, "lanes4_n2"},
                                           CurvedTermCase{"anisotropic", 2, 3, Dtype::float64, "lanes8_n2"}),
                         ::testing::PrintToStringParamName());

/// Powers of a problem on curved and straight elements, and the rate of its energy.
struct CurvedPowers {
  std::shared_ptr<const Discretization> discretization;
  Problem problem;
  Numbers q, u;
  std::vector<std::string> names;
  Numbers values;
  static constexpr double t = 0.37;

  CurvedPowers(const System& system, bool has_terms, Dtype precision = Dtype::float64,
               const std::string& schedule = "elements_e32_r1", bool media_vary = false)
      : discretization(std::make_shared<Discretization>(testing::half_curved_random_mesh(19, 3), 2)),
        problem(system.has_tensors() ? testing::random_anisotropic_problem(*system.alpha, *discretization)
                                     : testing::random_problem(system, *discretization)) {
    if (has_terms) add_some_terms();
    if (media_vary && system.has_tensors()) {
      testing::vary_within(problem, *discretization, graded_tensors);
      for (std::size_t k = 0; k < discretization->K(); ++k) {  // there, their power is that of nodes
        if (!discretization->mesh.curved.is_curved(k)) problem.parameters[2][k] = 0;
      }
    } else if (system.has_tensors()) {
      add_losses_of_tensors();
    } else if (media_vary) {
      testing::vary_within(problem, *discretization, [](const Point& x) { return graded(x, 3); });
    }
    q = random_values(discretization->K() * 6 * static_cast<std::size_t>(discretization->Np()), 1);
    u = random_values(auxiliary_count(problem, *discretization), 2);
    const OnDevice device(discretization, problem, precision, schedule, true);
    names = device.powers->names();
    values.resize(names.size());
    device.problem.set_state(q);
    device.terms.set_auxiliary(u);
    (void)device.problem.stages().evaluate(t);
    device.powers->get_powers(values);
  }

  /// One of each kind: each is four kernels to compile. No losses of the medium.
  void add_some_terms() {
    testing::add_all_terms(problem, *discretization);
    const auto is_another = [](const auto& term) {
      const std::array kept{"dispersion_1", "current", "sheet", "total_field"};
      return std::ranges::find(kept, term.name) == kept.end();
    };
    std::erase_if(problem.element_terms, is_another);
    std::erase_if(problem.face_terms, is_another);
    std::ranges::fill(problem.parameters[2], 0.0);
  }

  /// In curved elements, where they are a term.
  void add_losses_of_tensors() {
    for (std::size_t k = 0; k < discretization->K(); ++k) {
      problem.parameters[2][k] = discretization->mesh.curved.is_curved(k) ? 0.3 : 0.0;
    }
    integrate_losses(problem, *discretization);
  }

  [[nodiscard]] double of(const std::string& name) const {
    const auto found = std::ranges::find(names, name);
    return values.at(static_cast<std::size_t>(found - names.begin()));
  }
  [[nodiscard]] double sum() const { return std::accumulate(values.begin(), values.end(), 0.0); }
  /// dW/dt of the energy of the scheme, of this problem or another one in its place.
  [[nodiscard]] double rate_of(const Problem& other) const {
    const ReferenceOperator reference(*discretization, other);
    Numbers rhs(q.size()), gradient(q.size()), rates(u.size());
    reference.rhs(q, t, rhs, u, rates);
    reference.apply_energy_matrix(q, gradient);
    return 2 * std::inner_product(rhs.begin(), rhs.end(), gradient.begin(), 0.0);
  }
  [[nodiscard]] double rate() const { return rate_of(problem); }
};

TEST(CurvedPowerKernels, add_up_to_the_rate_of_the_energy_of_the_scheme_and_terms_have_their_shares) {
  for (const std::string schedule : {"elements_e32_r1", "lanes8_n2"}) {
    if (!fits_device(schedule)) continue;
    const CurvedPowers powers(maxwell::system({.alpha = 0.7}), true, Dtype::float64, schedule);
    const double size = std::abs(powers.of("upwind"));
    EXPECT_NEAR(powers.sum(), powers.rate(), 1e-12 * size);
    ASSERT_EQ(powers.problem.element_terms.size() + powers.problem.face_terms.size(), 4U);
    for (const ElementTerm& term : powers.problem.element_terms) {
      Problem without = powers.problem;
      for (ElementTerm& other : without.element_terms) {
        if (other.name == term.name) std::ranges::fill(other.added, 0.0);
      }
      EXPECT_NEAR(powers.of(term.name), powers.rate() - powers.rate_of(without), 1e-11 * size) << term.name;
    }
    for (const FaceTerm& term : powers.problem.face_terms) {
      Problem without = powers.problem;
      std::erase_if(without.face_terms, [&](const FaceTerm& other) { return other.name == term.name; });
      EXPECT_NEAR(powers.of(term.name), powers.rate() - powers.rate_of(without), 1e-11 * size) << term.name;
    }
  }
}

TEST(CurvedPowerKernels, of_media_that_vary_within_elements_add_up_to_the_rate_of_the_energy_of_the_scheme) {
  const CurvedPowers powers(maxwell::system({.alpha = 0.7}), true, Dtype::float64, "elements_e32_r1", true);
  Problem lossless = powers.problem;
  ASSERT_EQ(lossless.element_terms.back().name, losses_term);
  for (std::size_t k = 0; k < powers.discretization->K(); ++k) {
    if (!powers.discretization->mesh.curved.is_curved(k)) lossless.parameters[2][k] = 0;
  }
  std::ranges::fill(lossless.element_terms.back().added, 0.0);
  const double losses = powers.rate() - powers.rate_of(lossless);
  EXPECT_LT(losses, 0);
  EXPECT_NEAR(powers.of(losses_term), losses, 1e-12 * std::abs(powers.of("upwind")));
  EXPECT_NEAR(powers.sum(), powers.rate(), 1e-12 * std::abs(powers.of("upwind")));
}

TEST(CurvedPowerKernels, of_tensors_add_up_to_the_rate_of_the_energy_of_the_scheme) {
  const CurvedPowers powers(maxwell::system({.alpha = 0.7, .impedances = {0.3}, .anisotropic = true}), true);
  EXPECT_LT(powers.of(losses_term), 0);
  EXPECT_NEAR(powers.sum(), powers.rate(), 1e-12 * std::abs(powers.of("upwind")));
}

TEST(CurvedPowerKernels, of_tensors_that_vary_within_elements_add_up_to_the_rate_of_the_energy_of_the_scheme) {
  const CurvedPowers powers(maxwell::system({.alpha = 0.7, .impedances = {0.3}, .anisotropic = true}), true,
                            Dtype::float64, "elements_e32_r1", true);
  EXPECT_LT(powers.of(losses_term), 0);
  EXPECT_NEAR(powers.sum(), powers.rate(), 1e-12 * std::abs(powers.of("upwind")));
}

TEST(CurvedPowerKernels, of_the_central_flux_and_of_walls_vanish) {
  const CurvedPowers powers(maxwell::system({.alpha = 0.0}), false);
  const double size = std::abs(powers.of("absorbing"));
  EXPECT_LT(std::abs(powers.of("upwind")), 1e-13 * size);
  EXPECT_LT(std::abs(powers.of("pec")), 1e-13 * size);
  EXPECT_LT(powers.of("absorbing"), 0);
}

/// Twice the steps, a sixteenth of the error, or less: LSRK54 is of order 4.
TEST(CurvedPowerKernels, integrated_over_time_are_what_the_energy_of_the_scheme_has_gained) {
  const CurvedPowers setting(maxwell::system({.alpha = 0.7}), true);
  const ReferenceOperator reference(*setting.discretization, setting.problem);
  const auto energy = [&](const Numbers& q) {
    Numbers weighted(q.size());
    reference.apply_energy_matrix(q, weighted);
    return std::inner_product(q.begin(), q.end(), weighted.begin(), 0.0);
  };
  const double largest = stable_step(*setting.discretization, setting.problem, lsrk54());
  const auto gap_after = [&](long steps) {
    const OnDevice device(setting.discretization, setting.problem, Dtype::float64, "elements_e32_r1", true);
    device.problem.set_state(setting.q);
    device.terms.set_auxiliary(setting.u);
    const double dt = 4 * largest / static_cast<double>(steps);
    for (long step = 0; step < steps; ++step) {
      for (std::size_t s = 0; s < lsrk54().a.size(); ++s) {
        const double t = (static_cast<double>(step) + lsrk54().c[s]) * dt;
        device.problem.stages().advance(lsrk54().a[s], lsrk54().b[s], dt, t);
      }
    }
    Numbers q(setting.q.size()), injected(setting.names.size());
    device.problem.read(device.problem.stages().stored_state(), q);
    device.powers->get_injected_energies(injected);
    double size = 0;
    for (const double value : injected) size = std::max(size, std::abs(value));
    const double sum = std::accumulate(injected.begin(), injected.end(), 0.0);
    return std::abs(energy(q) - energy(setting.q) - sum) / size;
  };
  const double coarse = gap_after(8), fine = gap_after(16);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_GT(std::log2(coarse / fine), 3.5) << coarse << " and " << fine;
}

/// The scheme applies a constant loss at the nodes, exactly; its power is that of the energy that is printed.
TEST(CurvedPowerKernels, of_losses_are_those_of_the_energy_by_quadrature) {
  const CurvedPowers powers(maxwell::system({.alpha = 0.0}), false);
  const ReferenceOperator reference(*powers.discretization, powers.problem);
  // dE/dt = -sigma/epsilon E in every element: the energy as a function of the state, along that direction.
  const auto energy_after = [&](double step) {
    Numbers q = powers.q;
    const std::size_t Np = static_cast<std::size_t>(powers.discretization->Np());
    for (std::size_t i = 0; i < q.size(); ++i) {
      const std::size_t k = i / (6 * Np), field = i / Np % 6;
      if (field < 3) q[i] *= 1 - step * powers.problem.parameters[2][k] / powers.problem.parameters[0][k];
    }
    return reference.energies(q)[0];
  };
  const double h = 1e-3;  // the energy is quadratic: a central difference is exact
  EXPECT_NEAR(powers.of("losses") / ((energy_after(h) - energy_after(-h)) / (2 * h)), 1, 1e-10);
}

TEST(CurvedPowerKernels, in_single_precision_are_those_of_double_precision) {
  const System system = maxwell::system({.alpha = 0.7});
  const CurvedPowers single(system, false, Dtype::float32, "tiles_e16_w4_r1"), exact(system, false);
  double size = 0;
  for (const double value : exact.values) size = std::max(size, std::abs(value));
  for (std::size_t i = 0; i < exact.values.size(); ++i) {
    EXPECT_NEAR(single.values[i], exact.values[i], 1e-5 * size) << exact.names[i];
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
