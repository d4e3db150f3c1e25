#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "apps/examples/analytic/cavities.hpp"
#include "apps/examples/analytic/signal.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"
#include "tests/convergence/ball_mesh.hpp"
#include "tests/convergence/test_run.hpp"

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

/// Relative error of the TM_11 frequency of the ball of straight tetrahedra, from how it rings: energy is put into the
/// round ball's mode, a probe near the centre listens.
double frequency_error(int levels, int N) {
  const analytic::SphericalCavity ball(analytic::SphericalCavity::Mode::tm_11);
  TestRun run({.mesh = make_ball(levels), .N = N, .system = maxwell::system({.alpha = 1.0})});
  run.set([&](const Point& x, const Point&, std::span<double> fields) {
    const analytic::Fields f = ball.at(x, 0);
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
  EXPECT_LT(tone.misfit, 0.1) << "the ball should ring in one mode";
  return std::abs(tone.omega - ball.omega()) / ball.omega();
}

TEST(SphericalCavity, resonance_frequency_converges_with_the_square_of_the_facets) {
  const double coarse = frequency_error(1, 3), fine = frequency_error(2, 3);
  const double seen = rate(coarse, fine);
  report_rate("frequency", seen, fine);
  EXPECT_GT(seen, 1.8) << "relative errors " << coarse << " and " << fine;
  EXPECT_LT(seen, 2.4) << "straight facets cannot do better; relative errors " << coarse << " and " << fine;
  EXPECT_LT(fine, 0.02);
}

TEST(BallMesh, volume_approaches_that_of_the_ball) {
  double before = 1;
  for (int levels = 0; levels <= 3; ++levels) {
    const Mesh mesh = make_ball(levels);
    EXPECT_EQ(mesh.cells.size(), 20U << (3 * levels));
    const Geometry geometry = Geometry::make(mesh);
    double volume = 0;
    for (const double J : geometry.J) volume += std::abs(J) * 4 / 3;
    const double missing = 1 - volume / (4 * std::numbers::pi / 3);
    EXPECT_GT(missing, 0);
    if (levels > 0) {
      EXPECT_GT(rate(before, missing), 1.5);
    }
    before = missing;
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
