#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/simulation/fixture.hpp"

/// Maxwell's equations in a medium of refractive index n are those of vacuum with times n times as long.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

class Background : public SimulationTest {
 protected:
  /// A body in a medium; `source`: all of a source but its waveform. Frequencies are those of vacuum over n.
  [[nodiscard]] config::Config in_medium(double epsilon_r, double mu_r, const std::string& source) const {
    dg::Mesh mesh = box_around_near({-0.9, -0.9, -0.9});
    dg::prepare(mesh, "mesh.h5", dg::Orientation::any);
    dg::write_mesh(mesh, folder() / "mesh.h5");
    const double n = std::sqrt(epsilon_r * mu_r);
    const auto number = [](double x) { return core::format_number(x); };
    return load("units: normalized\nmesh: {file: mesh.h5}\nsolver: {order: 2, precision: double}\ntime: {end: " +
                number(8 * n) + "}\nmaterials:\n  - {region: body, epsilon_r: " + number(3 * epsilon_r) + ", mu_r: " +
                number(mu_r) + "}\n  - {region: '*', epsilon_r: " + number(epsilon_r) + ", mu_r: " + number(mu_r) +
                "}\nboundaries: [{region: '*', type: absorbing}]\nsources:\n  - {" + source +
                ", waveform: {type: gaussian_pulse, frequency: " + number(0.7 / n) + ", bandwidth: " + number(0.7 / n) +
                "}}\noutputs:\n  far_field: {enclosing: [body, near], frequencies: [" + number(0.6 / n) + ", " +
                number(0.8 / n) + "], theta: {from: 10, to: 170, step: 40}, phi: [0, 35, 200]}\n");
  }

  static constexpr double epsilon_r = 2.25, mu_r = 1.44;
};

/// The columns from theta_deg on: all but the frequencies.
void expect_same_far_fields(const dg::Table& found, const dg::Table& expected) {
  ASSERT_EQ(found.rows(), expected.rows());
  for (std::size_t c = 1; c < expected.columns().size(); ++c) {
    double largest = 1e-3, off = 0;
    for (std::size_t row = 0; row < expected.rows(); ++row) {
      largest = std::max(largest, std::abs(expected.values()[c][row]));
      off = std::max(off, std::abs(found.values()[c][row] - expected.values()[c][row]));
    }
    EXPECT_LT(off, 1e-7 * largest) << expected.columns()[c];
  }
}

TEST_F(Background, of_any_medium_gives_the_cross_section_of_the_same_contrast_in_vacuum) {
  for (const char* injection : {"{type: scattered_field}", "{type: total_field, regions: [body, near]}"}) {
    const std::string wave =
        std::string("type: plane_wave, direction: [0.6, 0, 0.8], polarization: [0, 1, 0], injection: ") + injection;
    Simulation vacuum(in_medium(1, 1, wave));
    vacuum.run();
    Simulation medium(in_medium(epsilon_r, mu_r, wave));
    medium.run();
    expect_same_far_fields(medium.table("rcs"), vacuum.table("rcs"));
  }
}

TEST_F(Background, of_a_dipole_gives_its_directivity_and_power) {
  const std::string dipole = "type: dipole, at: [0.02, 0, 0.05], moment: [0.3, 0, 1]";
  Simulation vacuum(in_medium(1, 1, dipole));
  vacuum.run();
  Simulation medium(in_medium(epsilon_r, mu_r, dipole));
  medium.run();
  for (std::size_t row = 0; row < vacuum.table("radiation").rows(); ++row) {
    EXPECT_NEAR(medium.table("radiation").values()[3][row], vacuum.table("radiation").values()[3][row], 1e-7);
  }
  // P = mu n omega^4 p^2 / (12 pi), times a factor of the body's that depends on its size in wavelengths.
  const double n = std::sqrt(epsilon_r * mu_r), factor = mu_r * n / std::pow(n, 4);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto power = [&](Simulation& run) { return run.table("antenna").column("radiated_power")[i]; };
    EXPECT_NEAR(power(medium) / power(vacuum) / factor, 1, 1e-7);
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
