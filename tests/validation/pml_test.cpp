#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/current.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "tests/validation/duct.hpp"

namespace maxwell_dg::dg {
namespace {

/// What comes back from a PML of half a wavelength at order 4: a pulse in front of it, beside the same pulse in a duct
/// so much longer that nothing comes back from its end. The largest difference of the fields at the same points and
/// times, over the largest that meets the PML. Half of a duct, since the other half is the same.
double reflected_db(Duct::Options options, double duration) {
  const auto record = [&](double shift) {
    std::vector<double> heights;
    for (double z = options.layer; z < options.length; z += options.cell) heights.push_back(z + 0.3 * options.cell);
    options.length += shift;
    options.pulse_at += shift;
    for (double& z : heights) z += shift;
    return Duct(options).record(heights, duration);
  };
  const Duct::Record found = record(0), expected = record(duration / 2);  // at speed 1
  EXPECT_DOUBLE_EQ(found.dt, expected.dt);
  double incident = 0, difference = 0;
  for (const double q : expected.samples.front()) incident = std::max(incident, std::abs(q));  // in front of the layer
  for (std::size_t height = 0; height < found.samples.size(); ++height) {
    for (std::size_t i = 0; i < found.samples[height].size(); ++i) {
      difference = std::max(difference, std::abs(found.samples[height][i] - expected.samples[height][i]));
    }
  }
  const double reflected = 20 * std::log10(difference / incident);
  report_rate("reflected_db", reflected, reflected);
  return reflected;
}

double head_on(int across) {
  return reflected_db(
      {.mode = Duct::Mode::tem, .length = 1.5, .layer = 0.5, .mirrored = true, .cell = 0.5 / across, .pulse_at = 1.5},
      4);
}

/// A mode is two plane waves at an angle of asin(wavelength / (2 width)); of a long pulse nearly all is at that angle.
double at_angle(double degrees, int across, double duration) {
  const double angle = degrees / 180 * M_PI;
  return reflected_db({.mode = Duct::Mode::te,
                       .width = 0.5 / std::sin(angle),
                       .length = 5.5,
                       .layer = 0.5,
                       .mirrored = true,
                       .cell = 0.5 / across,
                       .across = 2,
                       .precision = Dtype::float32,
                       .pulse_at = 5.5,
                       .pulse_width = 1.25,
                       .wavelength = 1 / std::cos(angle)},
                      duration);
}

TEST(Pml, of_one_element_reflects_less_than_45_dB_head_on_and_70_at_45_degrees) {
  EXPECT_LT(head_on(1), -45);
  EXPECT_LT(at_angle(45, 1, 12), -70);
}

TEST(Pml, of_two_elements_reflects_less_than_75_dB_head_on_and_at_45_degrees) {
  EXPECT_LT(head_on(2), -75);
  EXPECT_LT(at_angle(45, 2, 12), -75);
}

/// A wave that decays on its way, at a speed that depends on its frequency.
double head_on_in(const TestRun::Materials& materials, const std::vector<maxwell::Pole>& poles) {
  return reflected_db({.mode = Duct::Mode::tem,
                       .length = 1.5,
                       .layer = 0.5,
                       .mirrored = true,
                       .cell = 0.125,
                       .pulse_at = 1.5,
                       .materials = materials,
                       .poles = poles},
                      6);
}

TEST(Pml, is_matched_to_media_with_losses_and_poles_that_go_on_into_it) {
  using Model = maxwell::Pole::Model;
  const auto lossy = [](const Point&) { return std::vector<double>{2.0, 1.0, 1.0}; };
  EXPECT_LT(head_on_in(lossy, {}), -70);
  EXPECT_LT(head_on_in({}, {{Model::debye, 1.5, 4.0}}), -70);
  EXPECT_LT(head_on_in({}, {{Model::lorentz, 1.0, 2.0, 8.0}}), -70);
  EXPECT_LT(head_on_in(lossy, {{Model::drude, 2.0, 1.0}, {Model::debye, 1.0, 4.0}}), -70);
}

TEST(Pml, of_four_elements_reflects_less_than_106_dB_head_on_and_60_at_60_degrees) {
  EXPECT_LT(head_on(4), -106);
  EXPECT_LT(at_angle(60, 4, 16), -60);
}

/// Below its cut-off frequency a mode is no wave: in front of a layer, driven by a current across the duct, it decays
/// as exp(-q z), but for what the wall behind the layer sends back, exp(-2 q depth). The deviation from exp(-q z).
double error_of_decay(double kappa) {
  constexpr double width = 0.4, w = 2 * M_PI;
  Duct duct({.mode = Duct::Mode::te,
             .width = width,
             .length = 1.5,
             .layer = 0.25,
             .kappa = kappa,
             .cell = 0.125,
             .N = 3,
             .precision = Dtype::float32,
             .extend = [](const Discretization& d, Problem& problem) {
               using namespace symbolic;
               std::vector<std::int32_t> driven;
               for (std::size_t k = 0; k < d.K(); ++k) {
                 const double z = centroid(d.mesh, d.mesh.cells[k])[2];
                 if (z > 0.5 && z < 0.625) driven.push_back(static_cast<std::int32_t>(k));
               }
               const Expr slowly = 1.0 - exp(-0.1 * time() * time());
               const Expr J = slowly * sin(w * time()) * sin(M_PI / width * coordinate(0));
               problem.element_terms.push_back(maxwell::current_term(problem.system, driven, {0.0, J, 0.0}));
             }});
  duct.run().op().set_state(std::vector<double>(duct.run().op().dofs()));
  const Duct::Record record = duct.record({0.9, 1.2}, 12);
  std::complex<double> steady[2];
  for (std::size_t i = 0; i < record.samples[0].size(); ++i) {
    const double t = static_cast<double>(i) * record.dt;
    if (t < 8) continue;
    for (const std::size_t height : {0U, 1U}) steady[height] += std::polar(record.samples[height][i], -w * t);
  }
  const double q = std::sqrt(std::pow(M_PI / width, 2) - w * w);
  return std::abs(steady[1] / steady[0] * std::exp(0.3 * q) - 1.0);
}

TEST(Pml, kappa_lets_fade_out_what_is_no_wave) {
  const double without = error_of_decay(1), with = error_of_decay(3);
  report_rate("without_kappa", without, with);
  EXPECT_GT(without, 0.03);
  EXPECT_LT(with, 0.4 * without);
}

}  // namespace
}  // namespace maxwell_dg::dg
