#include "dg/lowering/curved_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/current.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/symbolic/incident.hpp"
#include "dg/time/spectrum.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"

/// What the interpreted operator does with terms on curved elements.
namespace maxwell_dg::dg {
namespace {

using maxwell::Pole;
using testing::random_values;
using testing::relative_difference;
using Numbers = std::vector<double>;

double product(const Numbers& a, const Numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<std::int32_t> curved_elements(const Discretization& d) {
  std::vector<std::int32_t> elements;
  for (std::size_t k = 0; k < d.K(); ++k) {
    if (d.mesh.curved.is_curved(k)) elements.push_back(static_cast<std::int32_t>(k));
  }
  return elements;
}

/// The sides of inner faces between elements of which one is below `first`.
std::vector<FaceTerm::Face> sides_between(const Discretization& d, std::int32_t first) {
  std::vector<FaceTerm::Face> sides;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t other = d.connectivity.neighbours[index(k)][index(face)];
      if (other >= 0 && (k < first) != (other / 4 < first)) sides.push_back({k, face});
    }
  }
  return sides;
}

/// Every kind of term, each such that its density is a polynomial of the order of the fields: then interpolation at
/// nodes and integration at points do the same.
void add_polynomial_terms(Problem& problem, const Discretization& d) {
  using symbolic::Expr;
  const System& system = problem.system;
  const Expr t = symbolic::time(), x = symbolic::coordinate(0), y = symbolic::coordinate(1);
  const std::vector<Expr> incident{t + x, 2.0 - y, 0.3 * x, y - t, 1.0, t * x + y};
  const std::vector<FaceTerm::Face> sides = sides_between(d, 10);
  std::vector<double> sign;
  for (const FaceTerm::Face& side : sides) sign.push_back(side.element < 10 ? 1 : -1);
  problem.face_terms.push_back(total_field_term(system, incident, sides, sign));
  problem.face_terms.push_back(maxwell::sheet_term(system, sides, Numbers(sides.size(), 0.7)));
  std::vector<Expr> mixed;
  for (int f = 0; f < system.field_count(); ++f) {
    mixed.push_back(symbolic::profile(0) + 0.3 * outside(symbolic::ScalarField{(f + 1) % 6}));
  }
  problem.face_terms.push_back(outside_term(system, "from_elsewhere", mixed, sides));
  problem.face_terms.back().others = {sides.rbegin(), sides.rend()};
  problem.face_terms.back().profiles = {random_values(sides.size() * static_cast<std::size_t>(d.Nfp()), 6)};
  problem.element_terms.push_back(scattering_medium_term(system, incident, {2, 3, 11}));
  const maxwell::PmlMotion layer{.displacement =
                                     [](const Point& p) {
                                       return Point{2 * p[0], 3 * p[1], p[2]};
                                     },
                                 .gradient =
                                     [](const Point&) {
                                       return std::array<Point, 3>{{{2, 0, 0}, {0, 3, 0}, {0, 0, 1}}};
                                     }};
  for (auto& term : maxwell::pml_terms(problem, d, {0, 4, 5, 16}, 0.3, layer)) problem.element_terms.push_back(term);
  using Model = Pole::Model;
  const std::vector<maxwell::DispersiveMedium> media{
      {.poles = {{Model::debye, 2.0, 0.7}, {Model::lorentz, 1.5, 0.2, 3.0}}, .elements = {1, 9}},
      {.poles = {{Model::drude, 4.0, 0.4}}, .elements = {7, 8}}};
  for (auto& term : maxwell::dispersion_terms(system, media)) problem.element_terms.push_back(term);
  problem.element_terms.push_back(maxwell::current_term(system, {0, 1, 6}, {symbolic::sin(t), x + t, 2.0 * y}));
  problem.element_terms.push_back(
      maxwell::dipole_term(system, d, d.node(6, 0), maxwell::DipoleKind::magnetic, {symbolic::cos(t), 1.0, 0.5 * t}));
}

/// Auxiliary variables at the places of `d`, of those at nodes everywhere.
Numbers at_places(const Discretization& d, const Problem& problem, const Numbers& nodal) {
  Numbers values;
  const double* from = nodal.data();
  const auto take = [&](std::size_t variables, std::int32_t element, int nodes, const Eigen::MatrixXd& at_points) {
    for (std::size_t variable = 0; variable < variables; ++variable, from += nodes) {
      Eigen::VectorXd of_places = Eigen::Map<const Eigen::VectorXd>(from, nodes);
      if (d.mesh.curved.is_curved(index(element))) of_places = (at_points * of_places).eval();
      values.insert(values.end(), of_places.begin(), of_places.end());
    }
  };
  const ElementQuadrature& quadrature = d.curved->quadrature;
  for (const ElementTerm& term : problem.element_terms) {
    for (const std::int32_t k : term.elements) take(term.auxiliary.size(), k, d.Np(), quadrature.at_volume);
  }
  for (const FaceTerm& term : problem.face_terms) {
    for (const FaceTerm::Face& face : term.faces) {
      take(term.auxiliary.size(), face.element, d.Nfp(), quadrature.at_face);
    }
  }
  return values;
}

/// On each face: the product of a profile and another polynomial is not the same at nodes and at points.
void make_profiles_constant(FaceTerm& term, const Discretization& d) {
  const auto nodes = static_cast<std::size_t>(d.Nfp());
  for (std::vector<double>& profile : term.profiles) {
    for (std::size_t i = 0; i < profile.size(); ++i) profile[i] = profile[i - i % nodes];
  }
}

TEST(CurvedTerms, are_those_of_affine_elements_where_the_map_is_affine) {
  const auto expect_the_same = [](const System& system, int N, const auto& add_terms) {
    const Mesh straight = testing::random_mesh(20);
    const Discretization affine(straight, N);
    const Discretization bent(testing::straight_as_curved(straight, 2, [](std::size_t k) { return k % 3 > 0; }), N);
    Problem problem = testing::random_problem(system, affine);
    add_terms(problem, affine);
    for (FaceTerm& term : problem.face_terms) {
      if (!term.auxiliary.empty()) make_profiles_constant(term, affine);
    }
    const ReferenceOperator expected(affine, problem), op(bent, problem);
    const Numbers q = random_values(op.size(), 1), u = random_values(auxiliary_count(problem, affine), 2);
    const Numbers u_at_places = at_places(bent, problem, u);
    ASSERT_EQ(u_at_places.size(), auxiliary_count(problem, bent));
    Numbers rhs(q.size()), expected_rhs(q.size()), rates(u_at_places.size()), expected_rates(u.size());
    expected.rhs(q, 0.37, expected_rhs, u, expected_rates);
    op.rhs(q, 0.37, rhs, u_at_places, rates);
    EXPECT_LT(relative_difference(rhs, expected_rhs), 1e-12) << system.name << ", order " << N;
    EXPECT_LT(relative_difference(rates, at_places(bent, problem, expected_rates)), 1e-12) << "order " << N;
  };
  for (const int N : {1, 2, 4}) {
    expect_the_same(maxwell::system({.alpha = 0.7, .impedances = {0.3}}), N, add_polynomial_terms);
    expect_the_same(acoustics::system(), N, testing::add_linear_terms);
  }
}

/// What is integrated over the curved elements: w |J| at their points, and E there.
struct AtPoints {
  Numbers weights;       ///< [curved element x points + point]
  std::vector<Point> E;  ///< the same

  AtPoints(const Discretization& d, const Numbers& q) {
    const CurvedGeometry& geometry = d.curved.value();
    const auto Np = static_cast<std::size_t>(d.Np()), points = geometry.quadrature.volume.size();
    using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    for (const std::int32_t k : curved_elements(d)) {
      const std::size_t number = index(d.mesh.curved.number[index(k)]);
      Eigen::MatrixXd covariant(d.Np(), 3);
      for (std::size_t n = 0; n < Np; ++n) {
        const Rows gradients = Eigen::Map<const Rows>(geometry.at_nodes[number * Np + n].data());
        const auto component = [&](std::size_t axis) { return q[(6 * index(k) + axis) * Np + n]; };
        covariant.row(static_cast<Eigen::Index>(n)) =
            Eigen::RowVector3d(component(0), component(1), component(2)) * gradients.inverse();
      }
      const Eigen::MatrixXd at_points = geometry.quadrature.at_volume * covariant;
      for (std::size_t i = 0; i < points; ++i) {
        const CurvedGeometry::Gradients& gradients = geometry.at_volume_points[number * points + i];
        const Eigen::RowVector3d along_axes =
            at_points.row(static_cast<Eigen::Index>(i)) * Eigen::Map<const Rows>(gradients.data());
        E.push_back({along_axes[0], along_axes[1], along_axes[2]});
        weights.push_back(geometry.quadrature.volume.weights[i] * std::abs(determinant(gradients)));
      }
    }
  }
};

/// The rate of the energy of the scheme.
double energy_rate(const Discretization& d, const Problem& problem, const Numbers& q, const Numbers& u = {},
                   std::span<double> rates = {}) {
  const ReferenceOperator op(d, problem);
  Numbers rhs(q.size()), weighted(q.size());
  op.rhs(q, 0.0, rhs, u, rates);
  op.apply_energy_matrix(q, weighted);
  return 2 * product(weighted, rhs);
}

/// dE/dt = -profile(0) E in curved elements, with random profiles from 0.5 to 1.5.
ElementTerm loss(const Discretization& d, double sign) {
  ElementTerm term{.name = "loss",
                   .auxiliary = {},
                   .added = std::vector<symbolic::Expr>(6, 0.0),
                   .rates = {},
                   .fastest_rate = symbolic::profile(0),
                   .elements = curved_elements(d)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    term.added[axis] = -sign * symbolic::profile(0) * inside(maxwell::E[static_cast<int>(axis)]);
  }
  Numbers& values = term.profiles.emplace_back(random_values(term.elements.size() * static_cast<std::size_t>(d.Np())));
  for (double& value : values) value = 1 + 0.5 * value;
  return term;
}

TEST(CurvedTerms, that_lose_take_from_the_energy_what_the_quadrature_of_their_loss_says) {
  for (const int N : {1, 2, 3}) {
    const Discretization d(testing::half_curved_cube(3), N);
    Problem problem = testing::plain_problem(maxwell::system({.alpha = 0.0}), d);
    for (std::size_t k = 0; k < d.K(); ++k) problem.parameters[0][k] = 1.0 + static_cast<double>(k % 7);
    const Numbers q = random_values(6 * d.K() * static_cast<std::size_t>(d.Np()), 4);
    const AtPoints points(d, q);
    problem.element_terms.push_back(loss(d, 1));
    const ElementTerm& term = problem.element_terms.front();
    const Eigen::MatrixXd& at_volume = d.curved->quadrature.at_volume;
    double lost = 0;
    for (std::size_t i = 0; i < term.elements.size(); ++i) {
      const Eigen::VectorXd profile =
          at_volume *
          Eigen::Map<const Eigen::VectorXd>(term.profiles[0].data() + i * static_cast<std::size_t>(d.Np()), d.Np());
      for (Eigen::Index p = 0; p < profile.size(); ++p) {
        const std::size_t at = i * static_cast<std::size_t>(profile.size()) + static_cast<std::size_t>(p);
        lost += points.weights[at] * problem.parameters[0][index(term.elements[i])] * profile(p) *
                dot(points.E[at], points.E[at]);
      }
    }
    EXPECT_NEAR(energy_rate(d, problem, q) / -lost, 1, 1e-12) << "order " << N;
  }
}

TEST(CurvedTerms, that_lose_make_no_mode_grow) {
  const Discretization d(
      [] {
        Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {1, 1, 1}});
        curve(mesh, 3, testing::waves(0.08));
        return mesh;
      }(),
      2);
  const auto growth = [&](double alpha, double sign) {
    Problem problem = testing::plain_problem(maxwell::system({.alpha = alpha}), d);
    problem.element_terms.push_back(loss(d, sign));
    const std::vector<FaceTerm::Face> sides = sides_between(d, 3);
    problem.face_terms.push_back(maxwell::sheet_term(problem.system, sides, Numbers(sides.size(), 0.7)));
    return dense_spectrum(ReferenceOperator(d, problem)).growth;
  };
  for (const double alpha : {0.0, 1.0}) {
    EXPECT_LT(growth(alpha, 1), 1e-12);
    EXPECT_GT(growth(alpha, -1), 0.1) << "so the line above can fail";
  }
}

/// The rate of the energy of fields and poles together, and what the poles lose: by quadrature.
struct PoleEnergy {
  double rate{}, lost{};
};

PoleEnergy energy_with(const Pole& pole) {
  const Discretization d(testing::half_curved_cube(3), 2);
  Problem problem = testing::plain_problem(maxwell::system({.alpha = 0.0}), d);
  problem.element_terms =
      maxwell::dispersion_terms(problem.system, {{.poles = {pole}, .elements = curved_elements(d)}});
  const ElementTerm& term = problem.element_terms.front();
  const Numbers q = random_values(6 * d.K() * static_cast<std::size_t>(d.Np()), 4);
  const Numbers u = random_values(auxiliary_count(problem, d), 5);
  const AtPoints at(d, q);
  Numbers rates(u.size());
  PoleEnergy energy{.rate = energy_rate(d, problem, q, u, rates)};
  const std::size_t points = d.curved->quadrature.volume.size();
  for (std::size_t i = 0; i < term.elements.size(); ++i) {
    for (std::size_t p = 0; p < points; ++p) {
      const auto of = [&](const Numbers& values, std::size_t variable) {
        return values[(i * term.auxiliary.size() + variable) * points + p];
      };
      const double weight = at.weights[i * points + p], s = pole.strength;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double first = of(u, axis), rate = of(rates, axis);
        switch (pole.model) {
          case Pole::Model::debye:  // P^2 / (2 s); loses J^2 / (rate s), where J = dP/dt
            energy.rate += weight * first * rate / s;
            energy.lost += weight * rate * rate / (pole.rate * s);
            break;
          case Pole::Model::drude:  // J^2 / (2 s^2)
            energy.rate += weight * first * rate / (s * s);
            energy.lost += weight * pole.rate * first * first / (s * s);
            break;
          case Pole::Model::lorentz: {  // (P^2 + J^2 / w^2) / (2 s)
            const double J = of(u, 3 + axis), w = pole.frequency;
            energy.rate += weight * (first * rate + J * of(rates, 3 + axis) / (w * w)) / s;
            energy.lost += weight * pole.rate * J * J / (w * w * s);
            break;
          }
        }
      }
    }
  }
  return energy;
}

TEST(CurvedTerms, of_poles_keep_the_energy_of_fields_and_poles_but_for_their_damping) {
  using Model = Pole::Model;
  for (const Pole& pole :
       {Pole{Model::debye, 2.0, 0.7}, Pole{Model::drude, 3.0, 0.4}, Pole{Model::lorentz, 1.5, 0.6, 2.0}}) {
    const PoleEnergy energy = energy_with(pole);
    EXPECT_GT(energy.lost, 0.01);
    EXPECT_NEAR(energy.rate / -energy.lost, 1, 1e-12);
  }
  const double exchanged = std::abs(energy_with({Model::lorentz, 1.5, 0.6, 2.0}).rate);
  EXPECT_LT(std::abs(energy_with({Model::drude, 3.0, 0.0}).rate), 1e-12 * exchanged);
  EXPECT_LT(std::abs(energy_with({Model::lorentz, 1.5, 0.0, 2.0}).rate), 1e-12 * exchanged);
}

}  // namespace
}  // namespace maxwell_dg::dg
