#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "apps/examples/analytic/cavities.hpp"
#include "apps/examples/analytic/tone.hpp"
#include "core/atomic_file.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"
#include "tests/convergence/ball_mesh.hpp"
#include "tests/convergence/test_run.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

/// Notes the fields at points after every step.
class Listener final : public Observer {
 public:
  explicit Listener(Recorder& recorder) : recorder_(recorder) {}
  void observe(Operator&, const Moment&) override { recorder_.record(); }
  void finish(Operator&, const Moment&) override {}

 private:
  Recorder& recorder_;
};

using HomogeneousMedium = analytic::SphericalCavity::Options;

/// Relative errors of the TM_11 mode's frequency and Q, from how a ball of straight tetrahedra rings: energy is put
/// into the round ball's mode, a probe near the centre listens.
struct Errors {
  double frequency, Q;
};
Errors errors(const HomogeneousMedium& filling, const Mesh& mesh, int N) {
  const analytic::SphericalCavity ball(filling);
  const auto is_filled = [&](const Point& centroid) { return length(centroid) < 0.92 * filling.ball_radius; };
  EXPECT_EQ(std::ranges::count_if(mesh.cells, [&](const auto& cell) { return is_filled(centroid(mesh, cell)); }),
            mesh.cells.size() / 8)
      << "of the cells within half the radius";
  TestRun run(
      {.mesh = mesh, .N = N, .system = maxwell::system({.alpha = 1.0}), .materials = [&](const Point& c) {
         return is_filled(c) ? std::vector<double>{filling.epsilon_r, 1, filling.sigma} : std::vector<double>{1, 1, 0};
       }});
  run.set([&](const Point& x, const Point& centroid, std::span<double> fields) {
    const analytic::Fields f = ball.at(x, 0, is_filled(centroid));
    for (std::size_t c = 0; c < 3; ++c) {
      fields[c] = f.E[c];
      fields[3 + c] = f.H[c];
    }
  });
  const Discretization& d = run.discretization();
  const auto location = PointLocator(d.mesh, d.geometry).locate({0.05, 0.02, 0.1});
  if (!location) throw std::runtime_error("the probe is outside of the ball");
  const auto recorder = run.op().record_points({*location});
  Listener listener(*recorder);

  const double periods = 5;
  const double duration = periods * 2 * std::numbers::pi / ball.omega();
  const auto steps = static_cast<long>(std::ceil(duration / run.stable_step()));
  const TimeLoop loop{
      .method = lsrk54(), .dt = duration / static_cast<double>(steps), .steps = steps, .observers = {&listener}};
  (void)loop.run(run.op());

  const std::vector<double> samples = recorder->take();
  std::vector<double> Ez;
  for (std::size_t i = 2; i < samples.size(); i += 6) Ez.push_back(samples[i]);
  const analytic::Tone tone = analytic::fit_tone(Ez, loop.dt, 0.6 * ball.omega(), 1.4 * ball.omega());
  EXPECT_LT(tone.misfit, 0.2) << "the ball should ring in one mode, but for what its facets make of others";
  const double Q = ball.omega() / (2 * ball.decay());
  return {.frequency = std::abs(tone.omega / ball.omega() - 1), .Q = std::abs(tone.omega / (2 * tone.decay) / Q - 1)};
}

const HomogeneousMedium empty{.mode = analytic::SphericalCavity::Mode::tm_11};
const HomogeneousMedium glass{.mode = analytic::SphericalCavity::Mode::tm_11, .epsilon_r = 4};

TEST(SphericalCavity, resonance_frequency_converges_with_the_square_of_the_facets) {
  for (const auto& [name, filling] : {std::pair("empty", empty), std::pair("loaded", glass)}) {
    const double coarse = errors(filling, make_ball(1), 2).frequency, fine = errors(filling, make_ball(2), 2).frequency;
    const double seen = rate(coarse, fine);
    report_rate(name, seen, fine);
    EXPECT_GT(seen, 1.8) << name << ": relative errors " << coarse << " and " << fine;
    EXPECT_LT(seen, 2.4) << name << ": straight facets cannot do better; " << coarse << " and " << fine;
    EXPECT_LT(fine, 0.03) << name;
  }
}

TEST(SphericalCavity, of_equal_volume_rings_at_the_exact_frequency_and_q) {
  for (HomogeneousMedium filling : {empty, glass}) {
    filling.sigma = 0.3;  // of the core
    const Errors seen = errors(filling, make_ball(2, Facets::of_equal_volume), 2);
    report_rate("epsilon_" + std::to_string(filling.epsilon_r), 0, seen.frequency);
    EXPECT_LT(seen.frequency, 1e-3) << "epsilon_r " << filling.epsilon_r;
    EXPECT_LT(seen.Q, 0.02) << "epsilon_r " << filling.epsilon_r;
  }
}

/// Of the fields of the TM_11 mode after a third of a period in the empty ball, or in a part of it that conditions on
/// some faces make whole: the norm of the error over that of the fields at first.
double error_of_fields(Mesh mesh, int N, double alpha,
                       std::function<void(const Discretization&, Problem&)> conditions = {}) {
  const analytic::SphericalCavity ball(empty);
  TestRun run(
      {.mesh = std::move(mesh), .N = N, .system = maxwell::system({.alpha = alpha}), .extend = std::move(conditions)});
  const auto fields_at = [&](double t) {
    return [&ball, t](const Point& x, const Point&, std::span<double> fields) {
      const analytic::Fields f = ball.at(x, t, true);
      std::ranges::copy(f.E, fields.begin());
      std::ranges::copy(f.H, fields.begin() + 3);
    };
  };
  run.set(fields_at(0));
  const auto nothing = [](const Point&, const Point&, std::span<double> fields) { std::ranges::fill(fields, 0.0); };
  const double norm = run.error(nothing);
  const double duration = 2 * std::numbers::pi / ball.omega() / 3;
  run.advance(duration, 0.5 * run.stable_step());
  return run.error(fields_at(duration)) / norm;
}

TEST(SphericalCavity, fields_in_curved_elements_converge_with_one_order_more_than_their_polynomials) {
  for (const int N : {1, 2, 3, 4}) {
    const auto error = [&](int levels) { return error_of_fields(make_round_ball(levels, geometry_order(N), 4), N, 1); };
    const double coarse = error(2), fine = error(3);
    report_rate("fields_N" + std::to_string(N), rate(coarse, fine), fine);
    EXPECT_GT(rate(coarse, fine), N + 0.7) << "order " << N << ": errors " << coarse << " and " << fine;
  }
}

/// An eighth of the unit ball by Gmsh, of 19 elements, each cut into eight so many times, before nodes of the order are
/// put onto the sphere.
Mesh eighth_of_a_ball(int order, int refinements) {
  const TemporaryDirectory directory;
  std::string script =
      "SetFactory(\"OpenCASCADE\");\nSphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};\nMesh.MeshSizeMin = 0.8;\n"
      "Mesh.MeshSizeMax = 0.8;\nMesh 3;\n";
  for (int i = 0; i < refinements; ++i) script += "RefineMesh;\n";
  write_file_atomically(directory / "ball.geo", script);
  return read_mesh(directory / "ball.geo", {.order = order});
}

/// Two planes through the axis of the TM_11 mode are magnetic, the wall and the third one metal.
void close_by_symmetry(const Discretization& d, Problem& problem) {
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const auto& face = d.connectivity.boundary_faces[b];
    for (const std::size_t axis : {0U, 1U}) {
      const bool lies_there = std::ranges::all_of(face_vertices.at(index(face.face)), [&](std::size_t corner) {
        return std::abs(d.mesh.vertices[index(d.mesh.cells[index(face.cell)].at(corner))].at(axis)) < 1e-9;
      });
      if (lies_there) problem.boundary[b] = problem.system.find_boundary("pmc");
    }
  }
}

/// Of the errors on elements of an eighth of a ball, cut once and twice; also noted.
double rate_on_gmshs(int N, int geometry, double alpha) {
  const auto error = [&](int refinements) {
    return error_of_fields(eighth_of_a_ball(geometry, refinements), N, alpha, close_by_symmetry);
  };
  const double coarse = error(1), fine = error(2);
  report_rate("N" + std::to_string(N), rate(coarse, fine), fine);
  return rate(coarse, fine);
}

TEST(SphericalCavity, fields_on_gmshs_curved_elements_converge_with_one_order_more_than_their_polynomials) {
  if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  for (const int N : {1, 2, 3, 4}) EXPECT_GT(rate_on_gmshs(N, geometry_order(N), 1), N + 0.8) << "order " << N;
}

/// Maps of one order more than the fields keep constants exactly.
TEST(SphericalCavity, fields_of_high_order_converge_so_in_geometry_of_one_order_more) {
  if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  for (const int N : {5, 6}) EXPECT_GT(rate_on_gmshs(N, N + 1, 1), N + 0.6) << "order " << N;
}

TEST(SphericalCavity, fields_on_gmshs_curved_elements_converge_with_their_order_with_the_central_flux) {
  if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
  for (const int N : {1, 2, 3, 4}) EXPECT_GT(rate_on_gmshs(N, geometry_order(N), 0), N + 0.2) << "order " << N;
}

double volume(const Mesh& mesh) {
  double sum = 0;
  for (const double J : Geometry::make(mesh).J) sum += std::abs(J) * 4 / 3;
  return sum;
}

TEST(BallMesh, volume_approaches_that_of_the_ball) {
  const double exact = 4 * std::numbers::pi / 3;
  double before = 1;
  for (int levels = 0; levels <= 3; ++levels) {
    const Mesh mesh = make_ball(levels);
    EXPECT_EQ(mesh.cells.size(), 20U << (3 * levels));
    const double missing = 1 - volume(mesh) / exact;
    EXPECT_GT(missing, 0);
    if (levels > 0) {
      EXPECT_GT(rate(before, missing), 1.5);
    }
    before = missing;
    EXPECT_NEAR(volume(make_ball(levels, Facets::of_equal_volume)), exact, 1e-12);
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
