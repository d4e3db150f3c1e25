#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/examples/analytic/mie_sphere.hpp"
#include "apps/examples/compare_with_mie/comparison.hpp"
#include "core/error.hpp"

namespace maxwell_dg::analytic {
namespace {

const MieSetup setup{.radius = 0.8, .pulse = GaussianPulse(0.25, 0.2)};
constexpr double frequency = 0.3;

/// Signals that have the Mie series' spectrum at one frequency: p w(t) + q w(t - delay) has the spectrum
/// (p + q exp(i omega delay)) W, and p, q solve for any complex number.
ProbeSignals exact_signals() {
  const double omega = 2 * std::numbers::pi * frequency;
  const MieSphere mie({.radius = setup.radius, .k = omega});
  ProbeSignals signals{.t0 = 0.0, .dt = 0.05, .probes = {}};
  for (const Vec3& at : {Vec3{1, 0.2, 0.4}, Vec3{-0.3, 1.1, -0.6}}) {
    const Phasors exact = mie.scattered(at);
    ProbeSignals::Probe probe{.name = "p" + std::to_string(signals.probes.size()), .at = at, .fields = {}};
    for (std::size_t f = 0; f < 6; ++f) {
      const Complex wanted = f < 3 ? exact.E[f] : exact.H[f - 3];
      const double delay = 0.25 / frequency;  // exp(i omega delay) = i
      for (int m = 0; m < 900; ++m) {
        const double t = m * signals.dt;
        probe.fields[f].push_back(wanted.real() * setup.pulse(t) + wanted.imag() * setup.pulse(t - delay));
      }
    }
    signals.probes.push_back(probe);
  }
  return signals;
}

TEST(MieComparison, signals_with_the_exact_spectrum_agree) {
  const MieDeviation deviation = compare_with_mie(exact_signals(), setup, frequency);
  EXPECT_NEAR(deviation.ka, 2 * std::numbers::pi * frequency * 0.8, 1e-14);
  EXPECT_LT(deviation.both, 1e-6);  // a pulse starts at exp(-12.5) of its peak: its copy is not quite shifted
}

TEST(MieComparison, one_percent_too_much_is_seen_as_one_percent) {
  ProbeSignals signals = exact_signals();
  for (auto& probe : signals.probes) {
    for (std::size_t f = 0; f < 3; ++f) {
      for (double& value : probe.fields[f]) value *= 1.01;
    }
  }
  const MieDeviation deviation = compare_with_mie(signals, setup, frequency);
  EXPECT_NEAR(deviation.E, 0.01, 1e-6);
  EXPECT_LT(deviation.H, 1e-6);
  EXPECT_GT(deviation.both, 0.005);
}

TEST(MieComparison, signals_that_are_late_do_not_agree) {
  ProbeSignals signals = exact_signals();
  signals.t0 = 0.3;  // and the waveform, too, is sampled there
  EXPECT_GT(compare_with_mie(signals, setup, frequency).both, 0.1);
}

TEST(MieComparison, a_signal_cut_off_in_its_middle_is_noticed) {
  ProbeSignals signals = exact_signals();
  EXPECT_LT(remaining_signal(signals), 1e-3);
  for (auto& probe : signals.probes) {
    for (auto& field : probe.fields) field.resize(400);
  }
  EXPECT_GT(remaining_signal(signals), 0.1);
}

/// A small sphere of a Drude metal, near its resonance.
TEST(MieComparison, peak_is_that_of_the_series_and_moves_with_the_frequencies) {
  const double plasma = 1.0, collisions = 0.05;
  const MieSetup metal{.radius = 0.05, .epsilon_r = [=](double k) {
                         const double w = k / (2 * std::numbers::pi);
                         return 1.0 - plasma * plasma / (w * Complex(w, collisions));
                       }};
  std::vector<RcsCut> cuts;
  for (double f = 0.5; f < 0.66; f += 0.02) {
    RcsCut& cut = cuts.emplace_back(RcsCut{.frequency = f, .phi_deg = 30, .theta_deg = {0, 60, 180}, .rcs = {}});
    cut.rcs = exact_rcs(cut, metal, f);
  }
  const RcsPeak same = rcs_peak(cuts, metal, 1.0);
  EXPECT_DOUBLE_EQ(same.found, same.exact);
  EXPECT_NEAR(same.exact, plasma / std::sqrt(3.0), 0.05);  // that of a sphere far smaller still

  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) cuts[i].rcs = cuts[i + 1].rcs;
  cuts.pop_back();
  const RcsPeak moved = rcs_peak(cuts, metal, 1.0);
  EXPECT_NEAR(moved.found, same.found - 0.02, 1e-9);
  cuts.resize(2);
  EXPECT_THROW((void)rcs_peak(cuts, metal, 1.0), ConfigError);
}

class ProbeFile : public testing::Test {
 protected:
  // Its own name for each test: tests run side by side.
  std::filesystem::path file =
      std::filesystem::temp_directory_path() /
      (std::string("maxwell_dg_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv");
  void TearDown() override { std::filesystem::remove(file); }
  void write(const std::string& text) { std::ofstream(file) << text; }
  static void expect_error(const std::function<void()>& call, const std::string& part) {
    try {
      call();
      FAIL() << "no error";
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
};

TEST_F(ProbeFile, columns_are_found_by_name_and_brought_to_normalized_units) {
  write("time,b.Ex,a.Ex,a.Ey,a.Ez,a.Hx,a.Hy,a.Hz\n0,9,1,2,3,4,5,6\n0.5,9,1,2,3,4,5,7e-1\n");
  const ProbeSignals signals = read_probes(file, {{"a", {1, 2, 3}}}, {.time = 2.0, .magnetic = 10.0});
  EXPECT_EQ(signals.dt, 1.0);
  EXPECT_EQ(signals.probes.at(0).fields[1], (std::vector<double>{2, 2}));
  EXPECT_EQ(signals.probes.at(0).fields[5], (std::vector<double>{60, 7}));
}

TEST_F(ProbeFile, what_is_wrong_with_a_file_is_said_with_its_place) {
  expect_error([&] { (void)read_probes(file, {}); }, "cannot be read");
  write("time,a.Ex\n0,1\n1,2\n");
  expect_error([&] { (void)read_probes(file, {{"a", {}}}); }, "no column a.Ey");
  write("time\n0\n1\n2.5\n");
  expect_error([&] { (void)read_probes(file, {}); }, "steps in time are not equal");
  write("time\n0\nx\n");
  expect_error([&] { (void)read_probes(file, {}); }, ":3: no number: x");
  write("time,a\n0\n");
  expect_error([&] { (void)read_probes(file, {}); }, ":2: not as many cells");
}

}  // namespace
}  // namespace maxwell_dg::analytic
