#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml_flux.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/curved/folded_cells.hpp"
#include "dg/time/runge_kutta.hpp"
#include "tests/convergence/test_run.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/round_layer.hpp"
#include "tests/support/varying_media.hpp"

/// Many steps on the device in curved elements with media that jump by 1:80, with tensors that vary by as much within
/// elements, or with a PML on all sides, round or of a box: 1e4, or as many as MAXWELL_DG_LONG_RUN_STEPS says.
namespace maxwell_dg::dg {
namespace {

long steps_of_long_run() {
  const char* wanted = std::getenv("MAXWELL_DG_LONG_RUN_STEPS");
  return wanted == nullptr ? 10000L : std::strtol(wanted, nullptr, 10);
}

/// energy() at the beginning and after each of so many equal shares of a run.
template <class Energy>
std::vector<double> energies_of_long_run(TestRun& run, int shares, const Energy& energy) {
  const RungeKutta& method = lsrk54();
  const double dt = run.stable_step();
  std::vector<double> result{energy()};
  for (int share = 0; share < shares; ++share) {
    for (long step = 0; step < steps_of_long_run() / shares; ++step) {
      run.op().step({method.a, method.b, method.c}, dt, 0);
    }
    result.push_back(energy());
  }
  return result;
}

enum class Media { scalars_that_jump, tensors_that_vary };

struct LongRunCase {
  Media media;
  double alpha;
};

/// What LSRK54 leaves of the energy of a state, after each of so many equal shares of a run, if the operator in space
/// keeps it: of a mode of the frequency w, |R(i w dt)|^2 of its energy in a step.
std::vector<double> energies_that_steps_leave(const ReferenceOperator& reference, std::span<const double> q, double dt,
                                              int shares) {
  const auto size = static_cast<Eigen::Index>(reference.size());
  Eigen::MatrixXd rates(size, size), weights(size, size);
  std::vector<double> unit(reference.size()), column(reference.size());
  for (Eigen::Index i = 0; i < size; ++i) {
    unit[static_cast<std::size_t>(i)] = 1;
    reference.rhs(unit, 0, column);
    rates.col(i) = Eigen::Map<const Eigen::VectorXd>(column.data(), size);
    reference.apply_energy_matrix(unit, column);
    weights.col(i) = Eigen::Map<const Eigen::VectorXd>(column.data(), size);
    unit[static_cast<std::size_t>(i)] = 0;
  }
  // weights = L L^T; what the operator is for L^T q is skew-symmetric, i times it Hermitian.
  const Eigen::MatrixXd upper = weights.llt().matrixU();
  const Eigen::MatrixXd skew =
      upper * rates * upper.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(size, size));
  EXPECT_LT((skew + skew.transpose()).norm(), 1e-12 * skew.norm());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> modes(std::complex<double>(0, 0.5) *
                                                              (skew - skew.transpose()).cast<std::complex<double>>());
  const Eigen::VectorXcd scaled =
      (upper * Eigen::Map<const Eigen::VectorXd>(q.data(), size)).cast<std::complex<double>>();
  const Eigen::VectorXd parts = (modes.eigenvectors().adjoint() * scaled).cwiseAbs2() / 2;
  std::vector<double> energies{parts.sum()};
  for (int share = 1; share <= shares; ++share) {
    const auto steps = static_cast<double>(share * (steps_of_long_run() / shares));
    double left = 0;
    for (Eigen::Index i = 0; i < size; ++i) {
      const double factor = growth(lsrk54(), {0, -modes.eigenvalues()(i) * dt});
      left += parts(i) * std::pow(factor, 2 * steps);
    }
    energies.push_back(left);
  }
  return energies;
}

struct LongRunEnergies {
  std::vector<double> seen;
  std::vector<double> that_steps_leave;  ///< with the central flux
};

/// The energy of the scheme, which its spatial part conserves with the central flux, in a run that begins with random
/// fields.
LongRunEnergies energies_of_long_run(const LongRunCase& c, unsigned seed, int shares) {
  constexpr int N = 2;
  const bool tensors = c.media == Media::tensors_that_vary;
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {1, 1, 1}});
  curve(mesh, N + 1, testing::waves(0.08, seed));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  TestRun::Options options{
      .mesh = std::move(mesh), .N = N, .system = maxwell::system({.alpha = c.alpha, .anisotropic = tensors})};
  if (tensors) {
    options.extend = [&](const Discretization& d, Problem& problem) {
      testing::vary_within(problem, d, testing::random_smooth_tensors(seed, 0));
    };
  } else {
    options.materials = [&](const Point&) {
      return std::vector<double>{std::pow(80.0, (1 + value(random)) / 2), std::pow(80.0, (1 + value(random)) / 2), 0};
    };
  }
  TestRun run(std::move(options));
  const ReferenceOperator reference(run.discretization(), run.op().problem());
  std::vector<double> q(run.op().dofs()), weighted(q.size());
  for (double& x : q) x = value(random);
  run.op().set_state(q);
  LongRunEnergies result;
  if (c.alpha == 0) result.that_steps_leave = energies_that_steps_leave(reference, q, run.stable_step(), shares);
  const auto energy = [&] {
    run.op().get_state(q);
    reference.apply_energy_matrix(q, weighted);
    return std::inner_product(q.begin(), q.end(), weighted.begin(), 0.0) / 2;
  };
  result.seen = energies_of_long_run(run, shares, energy);
  return result;
}

class LongRun : public ::testing::TestWithParam<LongRunCase> {};

TEST_P(LongRun, energy_in_curved_elements_never_grows_and_stays_with_the_central_flux_as_far_as_steps_keep_it) {
  constexpr double rounding = 1e-12;
  const double alpha = GetParam().alpha;
  const auto [energies, that_steps_leave] = energies_of_long_run(GetParam(), 1 + static_cast<unsigned>(2 * alpha), 10);
  for (std::size_t i = 1; i < energies.size(); ++i) {
    ASSERT_LE(energies[i], energies[i - 1] * (1 + rounding)) << "part " << i;
  }
  RecordProperty("left", std::to_string(energies.back() / energies.front()));
  // What the central flux keeps in space, LSRK54 damps, and that in the fastest modes alone: no more than that is lost.
  for (std::size_t i = 0; i < that_steps_leave.size(); ++i) {
    EXPECT_NEAR(energies[i] / that_steps_leave[i], 1, 1e-9) << "part " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fluxes, LongRun,
    ::testing::Values(LongRunCase{Media::scalars_that_jump, 0.0}, LongRunCase{Media::scalars_that_jump, 0.5},
                      LongRunCase{Media::scalars_that_jump, 1.0}, LongRunCase{Media::tensors_that_vary, 0.0},
                      LongRunCase{Media::tensors_that_vary, 1.0}),
    [](const auto& instance) {
      const bool tensors = instance.param.media == Media::tensors_that_vary;
      return (tensors ? "tensors_alpha_" : "alpha_") + std::to_string(static_cast<int>(10 * instance.param.alpha));
    });

/// A mesh with a PML on all sides that are no walls.
struct Surrounded {
  Mesh mesh;
  std::vector<std::int32_t> layer;
  double thickness;
  bool has_feed = false;  ///< through the PML, see testing::RoundLayerShape
};

/// What is below z = 0, also in the PML: soil that jumps by 1:80, conducts and has a Debye pole.
void fill_with_soil(const Discretization& d, Problem& problem, const std::vector<std::int32_t>& layer,
                    maxwell::DispersiveMedium& in_layer, maxwell::DispersiveMedium& elsewhere) {
  const maxwell::Pole pole{.model = maxwell::Pole::Model::debye, .strength = 5, .rate = 0.5};
  in_layer.poles = elsewhere.poles = {pole};
  for (std::size_t k = 0; k < d.K(); ++k) {
    if (centroid(d.mesh, d.mesh.cells[k])[2] > 0) continue;
    problem.parameters[0][k] = 80;
    problem.parameters[2][k] = 0.05;
    const auto number = static_cast<std::int32_t>(k);
    (std::ranges::binary_search(layer, number) ? in_layer : elsewhere).elements.push_back(number);
  }
}

enum class Filling { vacuum, soil_below, graded };

/// Varies within curved elements, by 1:4, also in those of the PML.
std::vector<double> graded_medium(const Point& x) {
  return {2.5 + 1.5 * std::sin(2 * x[0] + x[1] - x[2]), 1, 0};
}

/// Of random fields, also in the PML, at the beginning and after each of so many equal shares of a run.
std::vector<double> energies_beside_and_in_a_pml(Surrounded body, double alpha, Filling filling, int N = 2) {
  const auto add_pml = [&](const Discretization& d, Problem& problem) {
    const maxwell::PmlLayer layer(d, body.layer, body.thickness);
    maxwell::DispersiveMedium in_layer, elsewhere;
    if (filling == Filling::soil_below) fill_with_soil(d, problem, body.layer, in_layer, elsewhere);
    if (filling == Filling::graded) testing::vary_within(problem, d, graded_medium);
    problem.element_terms = maxwell::pml_terms(problem, d, body.layer, 0.1, layer, {in_layer});
    for (ElementTerm& term : maxwell::dispersion_terms(problem.system, {elsewhere})) {
      problem.element_terms.push_back(std::move(term));
    }
    problem.face_terms = maxwell::pml_flux_terms(problem, d, body.layer);
    if (body.has_feed) {
      EXPECT_EQ(testing::absorb_at_end_of_feed(d, problem), 1);
    }
  };
  TestRun run({.mesh = std::move(body.mesh), .N = N, .system = maxwell::system({.alpha = alpha}), .extend = add_pml});
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> q(run.op().dofs());
  for (double& x : q) x = value(random);
  run.op().set_state(q);
  return energies_of_long_run(run, 10, [&] { return run.energy(); });
}

/// Fields that are there at first leave; a static one stays, whose energy settles.
void expect_that_fields_leave_and_none_grows(const std::vector<double>& energies) {
  ::testing::Test::RecordProperty("left", std::to_string(energies.back() / energies.front() * 1e9) + "e-9");
  EXPECT_LT(energies[1], 0.5 * energies[0]);
  for (std::size_t i = 2; i < energies.size(); ++i) EXPECT_LE(energies[i], 1.001 * energies[1]) << "part " << i;
}

struct RoundPmlCase {
  testing::RoundLayerShape shape;
  double alpha;
  Filling filling = Filling::vacuum;
  int N = 2;
};

class RoundPmlLongRun : public ::testing::TestWithParam<RoundPmlCase> {};

TEST_P(RoundPmlLongRun, energy_beside_and_in_a_round_pml_of_curved_elements_never_grows) {
  const auto& [shape, alpha, filling, N] = GetParam();
  testing::RoundLayer round = testing::round_layer(shape);
  ASSERT_TRUE(folded_cells(round.mesh).empty());
  expect_that_fields_leave_and_none_grows(energies_beside_and_in_a_pml({.mesh = std::move(round.mesh),
                                                                        .layer = std::move(round.layer),
                                                                        .thickness = round.thickness,
                                                                        .has_feed = shape.has_feed},
                                                                       alpha, filling, N));
}

constexpr testing::RoundLayerShape half_over_ground{.part = testing::PartOfBall::half, .seed = 1};
constexpr testing::RoundLayerShape whole_ball{.part = testing::PartOfBall::whole};
constexpr testing::RoundLayerShape uneven_corner{.uneven = 0.03};
constexpr testing::RoundLayerShape with_a_feed{.divisions = 2, .uneven = 0.03, .has_feed = true};
constexpr testing::RoundLayerShape of_higher_order{.order = 3, .divisions = 2, .uneven = 0.03};

std::string name_of(const RoundPmlCase& c) {
  const std::string part = c.shape.part == testing::PartOfBall::half    ? "half"
                           : c.shape.part == testing::PartOfBall::whole ? "whole"
                                                                        : "corner";
  return part + "_of_order_" + std::to_string(c.shape.order) + "_alpha_" +
         std::to_string(static_cast<int>(10 * c.alpha)) +
         (c.filling == Filling::soil_below ? "_over_soil"
          : c.filling == Filling::graded   ? "_graded"
                                           : "") +
         (c.shape.has_feed ? "_with_a_feed" : "") + (c.N == 2 ? "" : "_N_" + std::to_string(c.N));
}

INSTANTIATE_TEST_SUITE_P(Fluxes, RoundPmlLongRun,
                         ::testing::Values(RoundPmlCase{half_over_ground, 0.0}, RoundPmlCase{half_over_ground, 0.5},
                                           RoundPmlCase{half_over_ground, 1.0}, RoundPmlCase{whole_ball, 0.0},
                                           RoundPmlCase{whole_ball, 1.0}, RoundPmlCase{uneven_corner, 0.5},
                                           RoundPmlCase{of_higher_order, 0.0}, RoundPmlCase{of_higher_order, 1.0},
                                           RoundPmlCase{whole_ball, 1.0, Filling::soil_below},
                                           RoundPmlCase{uneven_corner, 0.0, Filling::graded},
                                           RoundPmlCase{uneven_corner, 0.0, Filling::vacuum, 4},
                                           RoundPmlCase{with_a_feed, 0.0}, RoundPmlCase{with_a_feed, 1.0}),
                         [](const auto& instance) { return name_of(instance.param); });

/// A box of which one cube is left free, or two above one another, with a PML of one on all six sides.
Surrounded box_in_a_pml(int free_cubes) {
  const Point half{1.5, 1.5, 1 + free_cubes / 2.0};
  Surrounded box{
      .mesh = make_box({.min = {-half[0], -half[1], -half[2]}, .max = half, .cells = {3, 3, 2 + free_cubes}}),
      .layer = {},
      .thickness = 1};
  for (std::size_t k = 0; k < box.mesh.cells.size(); ++k) {
    const Point x = centroid(box.mesh, box.mesh.cells[k]);
    bool is_in_layer = false;
    for (std::size_t i = 0; i < 3; ++i) is_in_layer = is_in_layer || std::abs(x.at(i)) > half.at(i) - 1;
    if (is_in_layer) box.layer.push_back(static_cast<std::int32_t>(k));
  }
  return box;
}

struct BoxPmlCase {
  double alpha;
  Filling filling = Filling::vacuum;
};

class BoxPmlLongRun : public ::testing::TestWithParam<BoxPmlCase> {};

TEST_P(BoxPmlLongRun, energy_beside_and_in_a_pml_on_all_six_sides_never_grows) {
  const auto& [alpha, filling] = GetParam();
  expect_that_fields_leave_and_none_grows(
      energies_beside_and_in_a_pml(box_in_a_pml(filling == Filling::soil_below ? 2 : 1), alpha, filling));
}

INSTANTIATE_TEST_SUITE_P(Fluxes, BoxPmlLongRun,
                         ::testing::Values(BoxPmlCase{0.0}, BoxPmlCase{1.0}, BoxPmlCase{1.0, Filling::soil_below}),
                         [](const auto& instance) {
                           return "alpha_" + std::to_string(static_cast<int>(10 * instance.param.alpha)) +
                                  (instance.param.filling == Filling::soil_below ? "_over_soil" : "");
                         });

}  // namespace
}  // namespace maxwell_dg::dg
