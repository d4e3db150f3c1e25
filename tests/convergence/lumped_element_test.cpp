#include "dg/maxwell/lumped_element.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/lowering/lowered_term.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/maxwell/pml_flux.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/maxwell/static_field.hpp"
#include "dg/mesh/face_map.hpp"
#include "dg/mesh/planar_patch.hpp"
#include "dg/operator/operator.hpp"
#include "dg/time/spectrum.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using maxwell::OnePort;

/// The steps of a long run; more by MAXWELL_DG_LONG_RUN_STEPS.
int long_run_steps() {
  const char* const wanted = std::getenv("MAXWELL_DG_LONG_RUN_STEPS");
  return wanted == nullptr ? 10000 : std::atoi(wanted);
}

/// A passive network: A = S - D with S skew and D at least zero, C = B^T. It stores half of the sum of its states'
/// squares.
OnePort random_network(int states, std::mt19937& random) {
  std::normal_distribution<double> value;
  const auto any = [&](int rows, int columns) {
    return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return value(random); }));
  };
  const Eigen::MatrixXd S = any(states, states), losses = any(states, 1);
  const Eigen::VectorXd B = any(states, 1);
  return {.A = 3 * (S - S.transpose()) - losses * losses.transpose(),
          .B = B,
          .C = B.transpose(),
          .D = states % 2 == 0 ? 0.0 : 0.3};
}

/// All kinds of circuits, from slow ones to some that are faster than any wave in the mesh.
std::vector<OnePort> circuits(std::mt19937& random) {
  std::vector<OnePort> all;
  for (const double size : {1.0, 0.01}) {
    all.push_back(maxwell::in_series({.inductance = size}));
    all.push_back(maxwell::in_series({.capacitance = size}));
    all.push_back(maxwell::in_series({.resistance = 0.3, .inductance = size, .capacitance = 0.2 * size}));
    all.push_back(maxwell::in_series({.resistance = 0.02, .capacitance = size}));
    all.push_back(maxwell::in_parallel({.inductance = 0.3 * size, .capacitance = size}));
    all.push_back(maxwell::in_parallel({.resistance = 5.0, .inductance = size}));
  }
  for (const int states : {3, 4}) all.push_back(random_network(states, random));
  return all;
}

/// Takes faces here and there, inside the mesh and outside, for metal.
void put_metal_into(Mesh& mesh, std::mt19937& random) {
  mesh.surfaces = {"metal"};
  mesh.walls = {true};
  for (const auto& cell : mesh.cells) {
    for (const auto& [a, b, c] : face_vertices) {
      if (random() % 12 == 0) mesh.surface_faces.push_back({{cell.at(a), cell.at(b), cell.at(c)}, 0});
    }
  }
}

/// Films with these circuits on faces here and there, inside and outside, but not of these elements.
std::vector<maxwell::LumpedElement> films(const Discretization& d, const Problem& problem,
                                          const std::vector<std::int32_t>& without, std::mt19937& random) {
  const auto is_without = [&](std::size_t k) {
    return std::ranges::binary_search(without, static_cast<std::int32_t>(k));
  };
  const std::vector<double> Z =
      in_each_element(problem, maxwell::impedance(problem.system, symbolic::Side::inside), d.K());
  std::vector<maxwell::LumpedElement> elements;
  const std::vector<OnePort> known = circuits(random);
  std::size_t next = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (int face = 0; face < 4; ++face) {
      const std::int32_t other = d.connectivity.neighbours[k].at(index(face));
      const bool is_inside = other >= 0;
      if (is_inside && index(other / 4) < k) continue;
      if (is_without(k) || (is_inside && is_without(index(other / 4)))) continue;
      if (!is_inside && condition_at(problem, index(-1 - other)).name != "absorbing") continue;
      if (random() % 2 != 0) continue;
      maxwell::LumpedElement element{.mode = {.faces = {{k, face}}, .e = {}, .weight = {}, .weight_of_H = {}},
                                     .circuit = known[next++ % known.size()]};
      element.mode.film = maxwell::LumpedFilm{.squares = 0.7, .is_inside = is_inside, .admittances = {1 / Z[k]}};
      if (is_inside) {
        const std::size_t beyond = index(other / 4);
        element.mode.faces.push_back({beyond, other % 4});
        element.mode.film->admittances.push_back(1 / Z[beyond]);
        element.mode.film->beyond = {1 / Z[beyond], 1 / Z[k]};
      } else {
        element.mode.film->beyond = {0.0};
      }
      elements.push_back(std::move(element));
    }
  }
  return elements;
}

/// Where films are: in a mesh with metal between its elements, straight or half of them curved, or before a PML.
enum class Place { straight, curved, before_pml };

struct ProblemWithFilms {
  Problem problem;
  std::size_t first_film;  ///< of its face terms
};

/// Of the elements beyond x = 2, with a uniform medium.
void add_pml(const Discretization& d, Problem& problem, const std::vector<std::int32_t>& elements) {
  for (std::vector<double>& values : problem.parameters) {
    for (const std::int32_t k : elements) values[index(k)] = &values == &problem.parameters[2] ? 0 : 1;
  }
  problem.element_terms = maxwell::pml_terms(problem, d, elements, 0.1, maxwell::PmlLayer(d, elements, 1), {});
  problem.face_terms = maxwell::pml_flux_terms(problem, d, elements);
}

ProblemWithFilms problem_with_films(const Discretization& d, double alpha, Place place, unsigned seed) {
  Problem problem = testing::random_problem(maxwell::system({.alpha = alpha}), d);
  std::ranges::fill(problem.parameters[2], 0.0);
  const auto& boundary = d.connectivity.boundary_faces;
  for (std::size_t b = 0; b < boundary.size(); ++b) {
    if (boundary[b].surface >= 0) problem.boundary[b] = problem.system.find_boundary(b % 4 == 0 ? "pmc" : "pec");
  }
  std::vector<std::int32_t> layer;
  if (place == Place::before_pml) {
    for (std::size_t k = 0; k < d.K(); ++k) {
      if (centroid(d.mesh, d.mesh.cells[k])[0] > 2) layer.push_back(static_cast<std::int32_t>(k));
    }
    add_pml(d, problem, layer);
  }
  std::mt19937 random(seed);
  const std::size_t first_film = problem.face_terms.size();
  for (FaceTerm& term : maxwell::lumped_element_terms(problem.system, films(d, problem, layer, random))) {
    problem.face_terms.push_back(std::move(term));
  }
  return {std::move(problem), first_film};
}

class LumpedElements : public ::testing::TestWithParam<std::tuple<double, Place>> {
 protected:
  const double alpha_ = std::get<0>(GetParam());
  const Place place_ = std::get<1>(GetParam());

  /// Of so many elements, or of 18 in a row of which the last 6 are to be a PML.
  [[nodiscard]] std::shared_ptr<const Discretization> discretization(int cells, int N) const {
    Mesh mesh = place_ == Place::curved     ? testing::half_curved_random_mesh(cells, N)
                : place_ == Place::straight ? testing::random_mesh(cells)
                                            : make_box({.min = {0, 0, 0}, .max = {3, 1, 1}, .cells = {3, 1, 1}});
    std::mt19937 random(7);
    put_metal_into(mesh, random);
    return std::make_shared<const Discretization>(std::move(mesh), N);
  }
};

/// The auxiliary variables of films, which come last.
std::span<const double> of_films(const Discretization& d, const ProblemWithFilms& with,
                                 std::span<const double> auxiliary) {
  std::size_t count = 0;
  for (std::size_t i = with.first_film; i < with.problem.face_terms.size(); ++i) {
    count += auxiliary_count(with.problem.face_terms[i], d);
  }
  return auxiliary.last(count);
}

TEST_P(LumpedElements, have_no_eigenvalue_to_the_right_and_stay_within_the_stable_step) {
  for (const unsigned seed : {1U, 2U}) {
    const auto d = discretization(12, 1);
    const Problem problem = problem_with_films(*d, alpha_, place_, seed).problem;
    ASSERT_GT(auxiliary_count(problem, *d), 100U);
    const std::vector<std::complex<double>> values = all_eigenvalues(*d, problem);
    double radius = 0, rightmost = -1e300;
    for (const auto& value : values) {
      radius = std::max(radius, std::abs(value));
      rightmost = std::max(rightmost, value.real());
    }
    EXPECT_LT(rightmost, 1e-9 * radius) << "seed " << seed;
    for (const RungeKutta* method : runge_kutta_methods()) {
      EXPECT_LT(stable_step(*d, problem, *method), largest_stable_step(values, *method))
          << method->name << ", seed " << seed;
    }
  }
}

/// Twice what the films store: the integral of the squares of their states, of films inside the mesh the mean of both
/// sides' copies.
double twice_stored(const Discretization& d, const ProblemWithFilms& with, std::span<const double> auxiliary) {
  std::span<const double> u = of_films(d, with, auxiliary);
  double sum = 0;
  const Eigen::MatrixXd mass = maxwell::face_mass(d.reference);
  for (const FaceTerm& term : std::span(with.problem.face_terms).subspan(with.first_film)) {
    for (const FaceTerm::Face& face : term.faces) {
      const std::size_t places = auxiliary_places(d, face);
      const double share = d.connectivity.neighbours[index(face.element)].at(index(face.face)) < 0 ? 1.0 : 0.5;
      const bool is_curved = d.mesh.curved.is_curved(index(face.element));
      for (std::size_t v = 0; v < term.auxiliary.size(); ++v) {
        const Eigen::Map<const Eigen::VectorXd> x(u.data(), static_cast<Eigen::Index>(places));
        u = u.subspan(places);
        if (!is_curved) {
          sum += share * face_area(d.mesh, {index(face.element), face.face}) / 2 * x.dot(mass * x);
          continue;
        }
        const ElementQuadrature& quadrature = d.curved->quadrature;
        const std::vector<double> weights =
            area_weights(FaceMap(d.mesh, quadrature.face).at({index(face.element), face.face}), quadrature.face);
        for (std::size_t p = 0; p < places; ++p)
          sum += share * weights[p] * x(static_cast<Eigen::Index>(p)) * x(static_cast<Eigen::Index>(p));
      }
    }
  }
  return sum;
}

/// A PML stretches static fields along its depth, which takes a while and gives them energy; then nothing grows.
TEST_P(LumpedElements, never_give_more_energy_than_they_took) {
  constexpr int N = 2;
  const auto d = discretization(14, N);
  const ProblemWithFilms with = problem_with_films(*d, alpha_, place_, 5);
  const Problem& problem = with.problem;
  Operator op(maxwell_dg::testing::test_compiler(), d, problem, {.precision = Dtype::float64});
  std::vector<double> q = testing::random_values(op.dofs(), 1), u(op.auxiliary_count(), 0.0);
  op.set_state(q);
  const ReferenceOperator reference(*d, problem);
  std::vector<double> weighted(q.size());
  const auto energy = [&] {
    op.get_state(q);
    op.get_auxiliary(u);
    reference.apply_energy_matrix(q, weighted);
    return std::inner_product(q.begin(), q.end(), weighted.begin(), 0.0) + twice_stored(*d, with, u) / 2;
  };
  const RungeKutta& method = lsrk54();
  const double dt = stable_step(*d, problem, method);
  double before = energy(), stored = 0;
  const double first = before;
  const int steps = long_run_steps(), shares = 50;
  for (int share = 0; share < shares; ++share) {
    for (int step = 0; step < steps / shares; ++step) op.step({.a = method.a, .b = method.b, .c = method.c}, dt, 0.0);
    const double now = energy();
    stored = std::max(stored, twice_stored(*d, with, u) / 2);
    if (place_ != Place::before_pml) {
      ASSERT_LE(now, before * (1 + 1e-12)) << "share " << share;
      before = now;
    } else if (share <= shares / 2) {
      ASSERT_LE(now, 10 * first) << "share " << share;
      before = now;
    } else {
      ASSERT_LE(now, before * 1.001) << "share " << share;
    }
  }
  EXPECT_GT(stored, 1e-6 * first) << "so that films matter";
}

/// Both sides have copies of the states.
TEST_P(LumpedElements, have_the_same_states_on_both_sides_but_for_rounding) {
  const auto d = discretization(14, 2);
  const ProblemWithFilms with = problem_with_films(*d, alpha_, place_, 6);
  const Problem& problem = with.problem;
  Operator op(maxwell_dg::testing::test_compiler(), d, problem, {.precision = Dtype::float64});
  op.set_state(testing::random_values(op.dofs(), 1));
  const RungeKutta& method = lsrk54();
  const double dt = stable_step(*d, problem, method);
  for (int step = 0; step < 2000; ++step) op.step({.a = method.a, .b = method.b, .c = method.c}, dt, 0.0);
  std::vector<double> u(op.auxiliary_count());
  op.get_auxiliary(u);
  double largest = 0, difference = 0;
  std::size_t first = u.size() - of_films(*d, with, u).size();
  for (const FaceTerm& term : std::span(problem.face_terms).subspan(with.first_film)) {
    std::map<FaceTerm::Face, std::pair<std::size_t, std::size_t>> values;  // where, how many
    for (const FaceTerm::Face& face : term.faces) {
      const std::size_t count = term.auxiliary.size() * auxiliary_places(*d, face);
      values[face] = {first, count};
      first += count;
    }
    for (const auto& [face, at] : values) {
      const std::int32_t other = d->connectivity.neighbours[index(face.element)].at(index(face.face));
      if (other < 0) continue;
      const auto [there, count] = values.at({other / 4, other % 4});
      if (count != at.second) continue;  // nodes here, points there
      for (std::size_t i = 0; i < count; ++i) {
        largest = std::max(largest, std::abs(u[there + i]));
        difference = std::max(difference, std::abs(u[there + i] - u[at.first + i]));
      }
    }
  }
  EXPECT_GT(largest, 1e-6);
  EXPECT_LT(difference, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Fluxes, LumpedElements,
                         ::testing::Combine(::testing::Values(0.0, 0.5, 1.0),
                                            ::testing::Values(Place::straight, Place::curved, Place::before_pml)),
                         [](const auto& instance) {
                           const Place place = std::get<1>(instance.param);
                           return std::string(place == Place::straight ? "straight"
                                              : place == Place::curved ? "curved"
                                                                       : "before_pml") +
                                  "_alpha_" + std::to_string(static_cast<int>(10 * std::get<0>(instance.param)));
                         });

}  // namespace
}  // namespace maxwell_dg::dg
