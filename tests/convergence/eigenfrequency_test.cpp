#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/time/runge_kutta.hpp"
#include "tests/convergence/round_cavity.hpp"
#include "tests/convergence/test_run.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Frequencies of round cavities on Gmsh's curved meshes, of the semi-discrete operator, against values that come from
/// no mesh. Geometry of twice the order of the fields, as far as there is.
namespace maxwell_dg::dg {
namespace {

using Complex = std::complex<double>;

/// Of elements of this size; each cut into eight so many times, new vertices on the surfaces.
struct Elements {
  double size;
  int refinements = 0;
};

Mesh mesh_of(const RoundCavity& cavity, int order, const Elements& elements) {
  const TemporaryDirectory directory;
  const std::string size = std::to_string(elements.size);
  std::string refinement;
  for (int i = 0; i < elements.refinements; ++i) refinement += "RefineMesh;\n";
  write_file_atomically(directory / "cavity.geo", "SetFactory(\"OpenCASCADE\");\n" + cavity.script +
                                                      "Mesh.MeshSizeMin = " + size + ";\nMesh.MeshSizeMax = " + size +
                                                      ";\nMesh 3;\n" + refinement);
  return read_mesh(directory / "cavity.geo", {.order = order});
}

/// Of a frequency, relative.
struct Deviation {
  double whole = 0;
  double of_surfaces = 0;  ///< what of it the polynomial surfaces of the mesh bring, where that is asked for
  double decay = 0;        ///< of the decay, over the frequency
  [[nodiscard]] double of_fields() const { return whole - of_surfaces; }
};

enum class Surfaces { looked_at, left_alone };

void close_planes(const RoundCavity& cavity, const Discretization& d, Problem& problem) {
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const auto& face = d.connectivity.boundary_faces[b];
    const auto& corners = face_vertices.at(static_cast<std::size_t>(face.face));
    for (const std::size_t axis : cavity.magnetic) {
      const bool lies_there = std::ranges::all_of(corners, [&](std::size_t corner) {
        return std::abs(d.mesh.vertices[index(d.mesh.cells[index(face.cell)].at(corner))].at(axis)) < 1e-9;
      });
      if (lies_there) problem.boundary[b] = problem.system.find_boundary("pmc");
    }
  }
}

Point farthest_vertex(const Mesh& mesh, std::size_t cell) {
  Point farthest{};
  for (const std::int32_t v : mesh.cells[cell]) {
    const Point& x = mesh.vertices[index(v)];
    if (length(x) > length(farthest)) farthest = x;
  }
  return farthest;
}

void fill(const RoundCavity& cavity, const Discretization& d, Problem& problem) {
  for (std::size_t k = 0; cavity.epsilon_r && k < d.K(); ++k) {
    problem.parameters[0][k] = cavity.epsilon_r(farthest_vertex(d.mesh, k));
  }
}

void add_sheet(const RoundCavity& cavity, const Discretization& d, Problem& problem) {
  const auto is_within = [&](std::size_t k) { return length(farthest_vertex(d.mesh, k)) < 0.5 + 1e-6; };
  std::vector<FaceTerm::Face> faces;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t face = 0; face < 4; ++face) {
      const std::int32_t other = d.connectivity.neighbours[k].at(face);
      if (other < 0 || is_within(k) == is_within(index(other / 4))) continue;
      EXPECT_TRUE(d.mesh.curved.is_curved(k));
      faces.push_back({static_cast<std::int32_t>(k), static_cast<std::int32_t>(face)});
    }
  }
  std::vector<double> conductances(faces.size(), cavity.sheet_conductance);
  problem.face_terms.push_back(maxwell::sheet_term(problem.system, std::move(faces), std::move(conductances)));
}

/// Re and Im of the part exp((j omega - decay) t) of what follows a state: its Fourier integral over some periods, with
/// a window that lets nothing else through.
std::array<std::vector<double>, 2> part_of_mode(TestRun& run, const RoundCavity& cavity, std::vector<double> state) {
  constexpr int samples_a_period = 12;
  const int samples = (cavity.decay > 0 ? 6 : 3) * samples_a_period;  // beside a mode that decays others last longer
  const double sample = 2 * std::numbers::pi / cavity.omega / samples_a_period;
  const RungeKutta& method = lsrk54();
  const auto steps = static_cast<int>(std::ceil(sample / (0.9 * run.stable_step())));
  std::array parts{std::vector<double>(state.size()), std::vector<double>(state.size())};
  run.op().set_state(state);
  for (int i = 1; i < samples; ++i) {
    for (int step = 0; step < steps; ++step) run.op().step({method.a, method.b, method.c}, sample / steps, 0);
    run.op().get_state(state);
    const double window = std::pow(std::sin(std::numbers::pi * i / samples), 4);
    const Complex factor =
        std::polar(window * std::exp(cavity.decay * i * sample), -2 * std::numbers::pi * i / samples_a_period);
    for (std::size_t j = 0; j < state.size(); ++j) {
      parts[0][j] += factor.real() * state[j];
      parts[1][j] += factor.imag() * state[j];
    }
  }
  return parts;
}

/// The eigenvalue of the semi-discrete operator whose eigenvector this nearly is. The operator is W^-1 (S - D) with the
/// matrix of the energy W, S antisymmetric between E and H, and the losses D of upwind fluxes and sheets symmetric,
/// between fields of one kind. With H reversed (P), P (S - D) and P W are symmetric: so the quotient x^T P (S - D) x /
/// x^T P W x is off by the square of the error of x.
Complex eigenvalue_near(const ReferenceOperator& op, std::size_t Np, const std::array<std::vector<double>, 2>& parts) {
  std::array<std::vector<double>, 2> left, rates;
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> reversed = parts.at(i);
    for (std::size_t j = 0; j < reversed.size(); ++j) {
      if (j / Np % 6 >= 3) reversed[j] = -reversed[j];
    }
    left.at(i).resize(reversed.size());
    rates.at(i).resize(reversed.size());
    op.apply_energy_matrix(reversed, left.at(i));
    op.rhs(parts.at(i), 0, rates.at(i));
  }
  const auto product = [&](const std::array<std::vector<double>, 2>& right) {
    const auto dot = [&](std::size_t a, std::size_t b) {
      return std::inner_product(left.at(a).begin(), left.at(a).end(), right.at(b).begin(), 0.0);
    };
    return Complex(dot(0, 0) - dot(1, 1), dot(0, 1) + dot(1, 0));
  };
  return product(rates) / product(parts);
}

Deviation deviation(const RoundCavity& cavity, int N, const Mesh& mesh, Surfaces surfaces) {
  const auto conditions = [&](const Discretization& d, Problem& problem) {
    close_planes(cavity, d, problem);
    fill(cavity, d, problem);
    if (cavity.sheet_conductance > 0) add_sheet(cavity, d, problem);
  };
  TestRun run({.mesh = mesh, .N = N, .system = maxwell::system({.alpha = 1.0}), .extend = conditions});
  const std::vector<double> state = run.nodal([&](const Point& x, const Point&, std::span<double> fields) {
    std::ranges::fill(fields, 0.0);
    const Point value = cavity.E ? cavity.E(x) : cavity.H(x);
    std::ranges::copy(value, fields.begin() + (cavity.E ? 0 : 3));
  });
  const Discretization& d = run.discretization();
  Deviation seen;
  if (surfaces == Surfaces::looked_at) {
    run.op().set_state(state);
    seen.of_surfaces = shift_by_surfaces(cavity, d, run.energy());
  }
  const ReferenceOperator reference(d, run.op().problem());
  const Complex eigenvalue = eigenvalue_near(reference, index(d.Np()), part_of_mode(run, cavity, state));
  EXPECT_LE(eigenvalue.real(), 1e-9) << "upwind fluxes lose energy";
  seen.whole = eigenvalue.imag() / cavity.omega - 1;
  seen.decay = -(eigenvalue.real() + cavity.decay) / cavity.omega;
  return seen;
}

class Eigenfrequency : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  }
  static void expect_rates(const std::string& name, const RoundCavity& cavity, const std::vector<int>& orders,
                           double size) {
    for (const int N : orders) {
      const auto error = [&](int refinements) {
        const Mesh mesh = mesh_of(cavity, geometry_order(N), {size, refinements});
        return std::abs(deviation(cavity, N, mesh, Surfaces::left_alone).whole);
      };
      // An error may have another sign on coarse meshes, and be close to 0 on one of them: the other one then tells.
      const double coarse = error(0), middle = error(1), fine = error(2);
      const double seen = std::max(rate(coarse, fine, 4), rate(middle, fine));
      report_rate(name + "_N" + std::to_string(N), seen, fine);
      EXPECT_GT(seen, 2 * N - 0.5) << name << ", order " << N << ": " << coarse << ", " << middle << " and " << fine;
    }
  }
  /// Of what the fields bring, from the mesh of `size` to that cut once; and that surfaces bring the rest.
  static void expect_rate_of_fields(const std::string& name, const RoundCavity& cavity, int N, double size,
                                    double bound) {
    const auto seen = [&](int refinements) {
      return deviation(cavity, N, mesh_of(cavity, geometry_order(N), {size, refinements}), Surfaces::looked_at);
    };
    const Deviation coarse = seen(0), fine = seen(1);
    const double by_fields = rate(std::abs(coarse.of_fields()), std::abs(fine.of_fields()));
    report_rate(name + "_fields_N" + std::to_string(N), by_fields, fine.of_fields());
    report_rate(name + "_surfaces_N" + std::to_string(N),
                rate(std::abs(coarse.of_surfaces), std::abs(fine.of_surfaces)), fine.of_surfaces);
    EXPECT_GT(by_fields, 2 * N) << name << ", order " << N << ": " << coarse.of_fields() << ", " << fine.of_fields();
    EXPECT_LT(std::abs(fine.of_fields()), bound) << name << ", order " << N << ", of " << fine.whole;
  }
  static void expect_below(const std::string& name, const RoundCavity& cavity, int N, const Mesh& mesh, double bound,
                           double bound_of_fields) {
    const Deviation seen = deviation(cavity, N, mesh, Surfaces::looked_at);
    report_error(name + "_N" + std::to_string(N), seen.whole);
    report_error(name + "_fields_N" + std::to_string(N), seen.of_fields());
    EXPECT_LT(std::abs(seen.whole), bound) << name << ", order " << N;
    EXPECT_LT(std::abs(seen.of_fields()), bound_of_fields) << name << ", order " << N << ", of " << seen.whole;
  }
  static void report_error(const std::string& name, double error) {
    ::testing::Test::RecordProperty(name, std::to_string(error * 1e12) + "e-12");
  }
};

TEST_F(Eigenfrequency, exact_values_are_those_of_tables) {
  EXPECT_NEAR(layered_ball().omega, 2.7437072699922694, 1e-12);
  EXPECT_NEAR(round_cylinder().omega, 2.404825557695773, 1e-12);
  EXPECT_NEAR(torus_frequency(2, 14), torus_frequency(2, 18), 1e-11);
  EXPECT_NEAR(torus_frequency(1e4), 2.404825557695773, 1e-8);  // of a straight tube
}

TEST_F(Eigenfrequency, of_a_ball_converges_with_twice_the_order) {
  expect_rates("ball", layered_ball(), {1, 2, 3}, 0.8);
}

TEST_F(Eigenfrequency, of_a_ball_is_right_to_1e_minus_8_at_orders_5_and_6) {
  expect_below("ball", layered_ball(), 4, mesh_of(layered_ball(), geometry_order(4), {0.6}), 1e-6, 1e-7);
  const Mesh mesh = mesh_of(layered_ball(), geometry_order(5), {0.5});
  expect_below("ball", layered_ball(), 5, mesh, 1e-8, 1e-10);
  expect_below("ball", layered_ball(), 6, mesh, 1e-8, 1e-11);
}

TEST_F(Eigenfrequency, of_a_loaded_and_a_coated_ball_converges_with_twice_the_order) {
  expect_rates("loaded", layered_ball(4, 1), {1, 2, 3}, 0.7);
  expect_rates("coated", layered_ball(1, 4), {1, 2, 3}, 0.7);
}

TEST_F(Eigenfrequency, of_a_loaded_and_a_coated_ball_is_right_to_1e_minus_8_at_orders_5_and_6) {
  const RoundCavity loaded = layered_ball(4, 1), coated = layered_ball(1, 4);
  const Mesh mesh = mesh_of(loaded, geometry_order(5), {0.35});
  for (const auto& [N, bound, of_fields] : {std::tuple{4, 1e-6, 1e-6}, {5, 1e-8, 1e-8}, {6, 1e-8, 1e-9}}) {
    expect_below("loaded", loaded, N, mesh, bound, of_fields);
    expect_below("coated", coated, N, mesh, bound, of_fields);
  }
}

TEST_F(Eigenfrequency, of_a_cylinder_converges_with_twice_the_order) {
  expect_rates("cylinder", round_cylinder(), {1, 2, 3}, 1.2);
}

TEST_F(Eigenfrequency, of_a_cylinder_and_a_torus_is_right_to_1e_minus_8_at_orders_5_and_6) {
  for (const auto& [name, cavity, size] :
       {std::tuple{"cylinder", round_cylinder(), 0.8}, std::tuple{"torus", torus(), 0.7}}) {
    const Mesh mesh = mesh_of(cavity, geometry_order(5), {size});
    expect_below(name, cavity, 4, mesh, 1e-6, 1e-7);
    expect_below(name, cavity, 5, mesh, 1e-8, 1e-9);
    expect_below(name, cavity, 6, mesh, 1e-8, 1e-11);
  }
}

TEST_F(Eigenfrequency, of_a_torus_converges_with_twice_the_order) {
  expect_rates("torus", torus(), {1, 2}, 0.8);
}

/// Beside its frequency the sheet gives the mode a decay, with a Q of 6.2; at twice its resistance it would be 12.5.
TEST_F(Eigenfrequency, of_a_ball_with_a_sheet_on_curved_faces_converges_and_so_does_its_decay) {
  EXPECT_NEAR(ball_with_sheet(1e-9).omega, layered_ball().omega, 1e-12);
  const RoundCavity cavity = ball_with_sheet(0.5);
  for (const int N : {2, 3}) {
    const auto error = [&](int refinements) {
      const Deviation seen =
          deviation(cavity, N, mesh_of(cavity, geometry_order(N), {0.7, refinements}), Surfaces::left_alone);
      return std::hypot(seen.whole, seen.decay);
    };
    const double coarse = error(0), fine = error(1);
    report_rate("sheet_N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), 2 * N - 0.5) << "order " << N << ": " << coarse << " and " << fine;
    EXPECT_LT(fine, std::pow(10, -2 * N)) << "order " << N;
  }
}

/// At these orders the interpolated surfaces shift frequencies by as much as the fields do, or more.
TEST_F(Eigenfrequency, of_high_order_is_off_by_its_surfaces_and_by_less_that_falls_with_twice_the_order) {
  for (const auto& [N, bound] : {std::pair{4, 1e-9}, {5, 1e-10}}) {
    expect_rate_of_fields("ball", layered_ball(), N, 0.8, bound);
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
