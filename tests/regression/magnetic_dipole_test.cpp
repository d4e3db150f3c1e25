#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/point.hpp"
#include "dg/observe/files/csv_table.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

/// The moment, in A m^2, is that of a magnetization: B = mu_0 (mu_r H + M).
const char* const magnet_config = R"yaml(mesh: {box: {min: [-1, -1, -1], max: [1, 1, 1], cells: [8, 8, 8]}}
solver: {order: 4}
time: {end: "10.4 ns"}
materials: [{region: "*", mu_r: 2, epsilon_r: 1.5}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - {type: dipole, kind: magnetic, at: [0.125, 0.0625, 0.19], moment: [0.6, 0, 0.8],
     waveform: {type: expression, value: "exp(-0.5*((t - 5e-9)/1e-9)^2)"}}
outputs: {probes: [{name: p, at: [0.61, 0.48, 0.69]}]}
)yaml";

constexpr double mu_0 = 1.25663706212e-6, c_0 = 299792458, mu_r = 2, epsilon_r = 1.5, tau = 1e-9, delay = 5e-9;
constexpr dg::Point moment{0.6, 0, 0.8}, away{0.485, 0.4175, 0.5};

/// By duality with the electric dipole (Jackson 1999, problem 6.24; section 9.3), v the speed in the medium, retarded:
/// 4 pi mu_r H = (3 n (n.m) - m) (m / R^3 + m' / (v R^2)) + (n (n.m) - m) m'' / (v^2 R),
/// 4 pi E = -mu_0 (m' / R^2 + m'' / (v R)) x n.
struct Fields {
  dg::Point E, H;
};
Fields exact(double t) {
  const double R = dg::length(away), v = c_0 / std::sqrt(mu_r * epsilon_r), s = (t - R / v - delay) / tau;
  const double m = std::exp(-0.5 * s * s), first = -s / tau * m, second = (s * s - 1) / (tau * tau) * m;
  const dg::Point n{away[0] / R, away[1] / R, away[2] / R};
  const dg::Point m_x_n = dg::cross(moment, n);
  Fields fields{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double radial = n.at(i) * dg::dot(n, moment), axis = moment.at(i);
    fields.H.at(i) =
        ((3 * radial - axis) * (m / (R * R * R) + first / (v * R * R)) + (radial - axis) * second / (v * v * R)) /
        (4 * M_PI * mu_r);
    fields.E.at(i) = -mu_0 / (4 * M_PI) * (first / (R * R) + second / (v * R)) * m_x_n.at(i);
  }
  return fields;
}

TEST(MagneticDipole, in_a_medium_has_the_exact_field_of_a_magnetization) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), magnet_config, {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const dg::Table probes = dg::read_csv(directory / "out/probes.csv");
  const std::vector<double>& time = probes.column("time");
  for (const bool is_E : {true, false}) {
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      const Fields fields = exact(time[i]);
      const dg::Point& expected = is_E ? fields.E : fields.H;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double found = probes.column(std::string(is_E ? "p.E" : "p.H") + "xyz"[axis])[i];
        error += std::pow(found - expected.at(axis), 2);
        norm += std::pow(expected.at(axis), 2);
      }
    }
    EXPECT_LT(std::sqrt(error / norm), 0.04) << (is_E ? "E" : "H");
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
