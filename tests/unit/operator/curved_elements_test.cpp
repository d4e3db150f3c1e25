#include "dg/lowering/curved_elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/time/spectrum.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/energy_rate.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg {
namespace {

using testing::dot;
using testing::energy_matrix;
using testing::energy_rate;
using testing::rhs_of;

using std::numbers::pi;
using testing::relative_difference;
using testing::waves;
using Map = std::function<Point(const Point&)>;

Mesh cube(int cells) {
  return make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}});
}
Mesh curved(Mesh mesh, int order, const Map& map) {
  curve(mesh, order, map);
  return mesh;
}

/// No element is turned inside out anywhere that the scheme asks: of such a mesh nothing is claimed.
void expect_valid(const Discretization& d) {
  const CurvedGeometry& geometry = d.curved.value();
  const std::size_t volume_points = geometry.quadrature.volume.size(), Np = static_cast<std::size_t>(d.Np());
  for (std::size_t i = 0; i < geometry.at_nodes.size(); ++i) {
    EXPECT_GT(determinant(geometry.at_nodes[i]) * determinant(geometry.at_volume_points[i / Np * volume_points]), 0);
  }
  const std::size_t face_points = 4 * static_cast<std::size_t>(geometry.quadrature.face_points());
  for (std::size_t i = 0; i < geometry.at_face_points.size(); ++i) {
    EXPECT_GT(determinant(geometry.at_face_points[i].gradients) *
                  determinant(geometry.at_volume_points[i / face_points * volume_points]),
              0);
  }
}

/// Curved everywhere, also in the surfaces, and the same from any surface to its partner.
Mesh periodic_cube(int order) {
  Mesh mesh = curved(cube(3), order, [](const Point& x) {
    const auto wave = [](double a, double b) {
      return 0.03 * std::sin(2 * pi * (a - b)) + 0.02 * std::cos(2 * pi * a);
    };
    return Point{x[0] + wave(x[1], x[2]), x[1] + wave(x[2], x[0]), x[2] + wave(x[0] + x[1], 0.1)};
  });
  join_periodic(mesh,
                std::vector<PeriodicPair>{{"x_min", "x_max", "x"}, {"y_min", "y_max", "y"}, {"z_min", "z_max", "z"}});
  return mesh;
}

/// Media that jump by up to 1:80 from element to element, without losses; one condition everywhere.
Problem jumping_problem(const System& system, const Discretization& d, const std::string& boundary) {
  Problem problem = testing::random_problem(system, d);
  for (std::size_t p = 0; p < problem.parameters.size(); ++p) {
    for (double& value : problem.parameters[p]) {
      value = system.parameters[p].default_value == 0 ? 0.0 : std::pow(80.0, (value - 0.5) / 2.5);
    }
  }
  std::ranges::fill(problem.boundary, system.find_boundary(boundary));
  return problem;
}

Problem uniform_problem(const System& system, const Discretization& d) {
  Problem problem{.system = system};
  for (const auto& parameter : system.parameters) problem.parameters.emplace_back(d.K(), parameter.default_value);
  problem.boundary.assign(d.connectivity.boundary_faces.size(), 0);
  return problem;
}

TEST(CurvedElements, that_are_straight_are_the_affine_operator) {
  for (const System& system : {maxwell::system({.alpha = 0.7, .impedances = {0.3}}), acoustics::system()}) {
    for (const int order : {2, 3}) {
      for (const int N : {1, 2, 4}) {
        const std::string what = system.name + ", order " + std::to_string(N);
        const Mesh straight = testing::random_mesh(20);
        const Discretization affine(straight, N);
        const Discretization bent(testing::straight_as_curved(straight, order, [](std::size_t k) { return k % 3 > 0; }),
                                  N);
        const Problem problem = testing::random_problem(system, affine);
        const ReferenceOperator expected(affine, problem), op(bent, problem);
        const std::vector<double> q = testing::random_values(op.size());
        EXPECT_LT(relative_difference(rhs_of(op, q), rhs_of(expected, q)), 1e-12) << what;
        EXPECT_LT(relative_difference(energy_matrix(op, q), energy_matrix(expected, q)), 1e-12) << what;
        EXPECT_LT(relative_difference(op.energies(q), expected.energies(q)), 1e-13) << what;
      }
    }
  }
}

TEST(CurvedElements, conserve_energy_with_the_central_flux_across_jumps_of_media) {
  for (const int order : {2, 3, 5}) {
    for (const int N : {1, 2, 4}) {
      for (const Mesh& mesh : {curved(cube(1), order, waves(0.05)), testing::half_curved_cube(order)}) {
        const Discretization d(mesh, N);
        expect_valid(d);
        const auto expect_zero = [&](const System& system, const std::string& boundary) {
          EXPECT_LT(std::abs(energy_rate(ReferenceOperator(d, jumping_problem(system, d, boundary)))), 1e-13)
              << system.name << ", " << boundary << ", order " << N << ", geometry of order " << order;
        };
        expect_zero(maxwell::system({.alpha = 0.0}), "pec");
        expect_zero(maxwell::system({.alpha = 0.0}), "pmc");
        expect_zero(acoustics::system({.alpha = 0.0}), "rigid");
        expect_zero(acoustics::system({.alpha = 0.0}), "pressure_release");
      }
    }
  }
}

TEST(CurvedElements, conserve_energy_with_the_central_flux_where_curved_surfaces_are_joined) {
  const Discretization d(periodic_cube(3), 2);
  EXPECT_LT(std::abs(energy_rate(ReferenceOperator(d, jumping_problem(maxwell::system({.alpha = 0.0}), d, "pec")))),
            1e-13);
  EXPECT_LT(energy_rate(ReferenceOperator(d, jumping_problem(maxwell::system(), d, "pec"))), -1e-4)
      << "so the line above can fail";
}

TEST(CurvedGeometry, has_normals_that_close_the_surface_of_each_element_and_measure_its_volume) {
  const Discretization d(curved(cube(1), 2, waves(0.08)), 3);
  const CurvedGeometry& geometry = d.curved.value();
  const TriangleQuadrature& face = geometry.quadrature.face;
  const std::size_t points = face.weights.size(), volume_points = geometry.quadrature.volume.size();
  for (std::size_t k = 0; k < d.mesh.curved.count(); ++k) {
    Point closed{};
    double flux_of_x = 0, volume = 0;
    for (std::size_t i = 0; i < 4 * points; ++i) {
      const CurvedGeometry::FacePoint& at = geometry.at_face_points[4 * k * points + i];
      const double area = face.weights[i % points] * at.face.Fscale * std::abs(determinant(at.gradients));
      const Point n{at.face.nx, at.face.ny, at.face.nz};
      for (std::size_t axis = 0; axis < 3; ++axis) closed[axis] += area * n[axis];
      flux_of_x += area * dg::dot(at.x, n);
    }
    for (std::size_t i = 0; i < volume_points; ++i) {
      volume += geometry.quadrature.volume.weights[i] *
                std::abs(determinant(geometry.at_volume_points[k * volume_points + i]));
    }
    EXPECT_LT(length(closed), 1e-14);
    EXPECT_NEAR(flux_of_x / 3, volume, 1e-14);
  }
}

/// [face point] E or H, which begins with field `first`, on a face of a curved element.
std::vector<Point> at_face_points(const Discretization& d, const std::vector<double>& q, std::size_t k,
                                  std::size_t face, std::size_t first) {
  const CurvedGeometry& geometry = d.curved.value();
  const std::size_t number = index(d.mesh.curved.number[k]), Np = static_cast<std::size_t>(d.Np());
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  Eigen::MatrixXd covariant(d.Nfp(), 3);
  for (int i = 0; i < d.Nfp(); ++i) {
    const std::size_t n = index(d.reference.Fmask(i, static_cast<int>(face)));
    const Eigen::Matrix3d gradients = Eigen::Map<const Rows>(geometry.at_nodes[number * Np + n].data());
    const auto component = [&](std::size_t axis) { return q[(6 * k + first + axis) * Np + n]; };
    covariant.row(i) = Eigen::RowVector3d(component(0), component(1), component(2)) * gradients.inverse();
  }
  const Eigen::MatrixXd at_points = geometry.quadrature.at_face * covariant;
  std::vector<Point> result;
  for (Eigen::Index i = 0; i < at_points.rows(); ++i) {
    const auto& point = geometry.at_face_points[(4 * number + face) * static_cast<std::size_t>(at_points.rows()) +
                                                static_cast<std::size_t>(i)];
    const Eigen::RowVector3d v = at_points.row(i) * Eigen::Map<const Rows>(point.gradients.data());
    result.push_back({v[0], v[1], v[2]});
  }
  return result;
}

TEST(CurvedElements, lose_to_the_upwind_flux_what_the_tangential_jumps_say) {
  const double alpha = 0.6;
  const Discretization d(periodic_cube(3), 2);
  const ReferenceOperator op(d, uniform_problem(maxwell::system({.alpha = alpha}), d));
  const std::vector<double> q = testing::random_values(op.size());
  const CurvedGeometry& geometry = d.curved.value();
  const TriangleQuadrature& rule = geometry.quadrature.face;
  double lost = 0;  // a unit of time: alpha times the integral of (|n x [E]|^2 + |n x [H]|^2) / 2
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t face = 0; face < 4; ++face) {
      const std::int32_t other = d.connectivity.neighbours[k][face];
      for (const std::size_t first : {0U, 3U}) {
        const auto own = at_face_points(d, q, k, face, first),
                   theirs = at_face_points(d, q, index(other / 4), index(other % 4), first);
        for (std::size_t i = 0; i < own.size(); ++i) {
          const auto& at = geometry.at_face_points[(4 * index(d.mesh.curved.number[k]) + face) * own.size() + i];
          const Point jump = cross({at.face.nx, at.face.ny, at.face.nz}, minus(own[i], theirs[i]));
          const double area = rule.weights[i] * at.face.Fscale * std::abs(determinant(at.gradients));
          lost += 0.5 * alpha * area * dg::dot(jump, jump) / 2;  // both elements meet the face
        }
      }
    }
  }
  EXPECT_NEAR(2 * dot(energy_matrix(op, q), rhs_of(op, q)) / -lost, 1, 1e-12);
}

void expect_no_growth(const Discretization& d, const Problem& problem, const std::string& what) {
  const DenseSpectrum spectrum = dense_spectrum(ReferenceOperator(d, problem));
  double largest = 0, rightmost = 0;
  for (const std::complex<double>& value : spectrum.eigenvalues) {
    largest = std::max(largest, std::abs(value));
    rightmost = std::max(rightmost, value.real());
  }
  EXPECT_GT(largest, 0);
  EXPECT_LT(rightmost, 1e-13 * largest) << what;
  EXPECT_LT(spectrum.growth, 1e-13 * largest) << what << ": the energy's rate";
}

TEST(CurvedElements, have_no_growing_mode_with_any_flux_and_jumps_of_media) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    for (const int N : {1, 2}) {
      const Discretization d(curved(cube(1), 2 + static_cast<int>(seed), waves(0.08, seed)), N);
      expect_valid(d);
      for (const double alpha : {0.0, 0.4, 1.0}) {
        const System system = maxwell::system({.alpha = alpha, .impedances = {0.2}});
        for (const char* boundary : {"pec", "impedance_0"}) {
          expect_no_growth(d, jumping_problem(system, d, boundary),
                           "seed " + std::to_string(seed) + ", order " + std::to_string(N) + ", flux " +
                               std::to_string(alpha) + ", " + boundary);
        }
      }
    }
  }
}

TEST(CurvedElements, of_sound_have_no_growing_mode) {
  for (const double alpha : {0.0, 0.4, 1.0}) {
    const Discretization d(curved(cube(1), 3, waves(0.08)), 2);
    for (const char* boundary : {"rigid", "absorbing"}) {
      expect_no_growth(d, jumping_problem(acoustics::system({.alpha = alpha}), d, boundary), boundary);
    }
  }
}

/// Largest rate of change of a constant field.
double change_of_constants(const System& system, const std::vector<double>& fields, int order, int N) {
  const Discretization d(periodic_cube(order), N);
  const Problem problem = uniform_problem(system, d);
  const ReferenceOperator op(d, problem);
  std::vector<double> q;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (const double value : fields) q.insert(q.end(), static_cast<std::size_t>(d.Np()), value);
  }
  double largest = 0;
  for (const double change : rhs_of(op, q)) largest = std::max(largest, std::abs(change));
  return largest;
}

TEST(CurvedElements, keep_constant_fields_where_the_maps_have_at_most_one_order_more_than_the_fields) {
  const std::vector<double> fields{0.7, -1.1, 0.4, 1.3, 0.2, -0.9};
  for (const int N : {1, 2, 3}) {
    for (int order = 2; order <= N + 1; ++order) {
      EXPECT_LT(change_of_constants(maxwell::system(), fields, order, N), 1e-11) << "order " << N << ", map " << order;
    }
    EXPECT_GT(change_of_constants(maxwell::system(), fields, N + 2, N), 1e-6) << "order " << N;
  }
}

TEST(CurvedElements, of_sound_keep_constant_velocities_where_the_cofactors_of_the_map_are_of_the_order_of_the_fields) {
  const System system = acoustics::system();
  EXPECT_LT(change_of_constants(system, {0.7, 0, 0, 0}, 5, 1), 1e-11);
  EXPECT_LT(change_of_constants(system, {0.7, -1.1, 0.4, 1.3}, 2, 2), 1e-11);
  EXPECT_GT(change_of_constants(system, {0.7, -1.1, 0.4, 1.3}, 2, 1), 1e-6);
}

TEST(CurvedElements, lose_in_a_lossy_medium_what_straight_ones_do) {
  const Discretization d(testing::half_curved_cube(3), 2);
  Problem problem = jumping_problem(maxwell::system(), d, "pec");
  const ReferenceOperator lossless(d, problem);
  const std::vector<double> q = testing::random_values(lossless.size());
  std::vector<double> expected = rhs_of(lossless, q);
  const auto Np = static_cast<std::size_t>(d.Np());
  for (std::size_t k = 0; k < d.K(); ++k) {
    const double sigma = 0.2 + 0.1 * static_cast<double>(k % 5);
    problem.parameters[2][k] = sigma;
    for (std::size_t i = 0; i < 3 * Np; ++i) {  // E; H keeps
      expected[6 * k * Np + i] -= sigma / problem.parameters[0][k] * q[6 * k * Np + i];
    }
  }
  const ReferenceOperator lossy(d, problem);
  EXPECT_LT(relative_difference(rhs_of(lossy, q), expected), 1e-12);
}

TEST(CurvedSystem, has_the_numbers_of_the_media_apart_from_those_that_differ_from_point_to_point) {
  const auto at_points = [](const System& system, const MediaApart& apart) {
    const CurvedSystem curved = CurvedSystem::of(lower(system), system.name, Axes::reference, apart);
    return std::array{curved.at_points.of_element, curved.at_points.of_face};
  };
  const System maxwell = maxwell::system({.alpha = 0.7});
  // x_a . x_b / J, and the products of both edges of a face; together, also with what media make of them.
  EXPECT_EQ(at_points(maxwell, {.in_elements = true, .on_faces = true}), (std::array{6, 3}));
  EXPECT_EQ(at_points(maxwell, {.on_faces = true}), (std::array{9, 3})) << "media may vary within elements";
  EXPECT_EQ(at_points(maxwell, {}), (std::array{9, 8}));
  EXPECT_EQ(at_points(maxwell::system({.alpha = 0}), {.in_elements = true, .on_faces = true}), (std::array{6, 0}));
  // |J| grad r_a . grad r_b and 1 / |J|; |J| Fscale and its inverse.
  EXPECT_EQ(at_points(acoustics::system(), {.in_elements = true, .on_faces = true}), (std::array{7, 2}));
}

TEST(CurvedElements, integrate_the_energy_with_their_map) {
  const double bend = 0.3;  // x -> x + bend y^2: the volume stays
  const Discretization d(curved(cube(1), 2,
                                [&](const Point& x) {
                                  return Point{x[0] + bend * x[1] * x[1], x[1], x[2]};
                                }),
                         2);
  const Problem problem = uniform_problem(maxwell::system(), d);
  const ReferenceOperator op(d, problem);
  std::vector<double> q(op.size(), 0.0);
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (int i = 0; i < d.Np(); ++i) {
      q[k * 6 * static_cast<std::size_t>(d.Np()) + static_cast<std::size_t>(i)] = d.node(k, i)[1];  // Ex = y
    }
  }
  EXPECT_NEAR(op.energies(q)[0], 1.0 / 6, 1e-14);  // (1/2) integral of y^2
}

}  // namespace
}  // namespace maxwell_dg::dg
