#include "tests/validation/two_port.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

Measured read_touchstone(const std::filesystem::path& file) {
  Measured measured;
  std::istringstream lines(content_of(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# Hz S RI R ")) measured.reference = std::stod(line.substr(12));
    if (line.starts_with('!') || line.starts_with('#')) continue;
    std::istringstream numbers(line);
    std::array<double, 9> v{};
    for (double& value : v) numbers >> value;
    Sample sample{.frequency = v[0], .S = {}};
    sample.S << Complex(v[1], v[2]), Complex(v[5], v[6]), Complex(v[3], v[4]), Complex(v[7], v[8]);
    measured.samples.push_back(sample);
  }
  return measured;
}

}  // namespace

Measured scattering_parameters(const Device& device) {
  const TemporaryDirectory directory;
  dg::write_mesh(device.mesh, directory / "guide.h5");
  std::string config = R"yaml(mesh: {file: guide.h5}
boundaries: [{region: "*", type: pec}]
)yaml";
  config += "solver: {order: " + std::to_string(device.order) + ", precision: " + device.precision + "}\n";
  config += device.more + "time: {end: " + device.time + "}\n";
  config += "materials: [" + device.materials + "]\n";
  config += "ports:\n";
  config += "  - {name: p1, boundary: z_min, mode: " + device.mode + "}\n";
  config += "  - {name: p2, boundary: z_max, mode: " + device.mode + "}\n";
  config += "sources: [{type: port, waveform: {type: gaussian_pulse, " + device.pulse + "}}]\n";
  config += "outputs: {s_parameters: {" + device.band + ", count: 9}}\n";
  write_file_atomically(directory / "guide.yaml", config);
  const Outcome outcome = run_program(
      {(directory / "guide.yaml").string(), "--quiet", "--output", (directory / "out").string()}, directory.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return read_touchstone(directory / "out/s_parameters.s2p");
}

void expect_exact(const std::vector<Sample>& samples, const Exact& exact, double bound) {
  ASSERT_EQ(samples.size(), 9U);
  double worst = 0;
  for (const auto& [frequency, S] : samples) {
    const Matrix expected = exact(frequency);
    const double deviation = (S - expected).cwiseAbs().maxCoeff();
    worst = std::max(worst, deviation);
    EXPECT_LT(deviation, bound) << frequency << ":\n" << S << "\nexpected\n" << expected;
  }
  ::testing::Test::RecordProperty("largest_deviation", std::to_string(worst));
}

void expect_magnitudes(const std::vector<Sample>& samples, const Exact& exact, double bound) {
  ASSERT_EQ(samples.size(), 9U);
  double worst = 0;
  for (const auto& [frequency, S] : samples) {
    const Eigen::Matrix2d expected = exact(frequency).cwiseAbs();
    const double deviation = (S.cwiseAbs() - expected).cwiseAbs().maxCoeff();
    worst = std::max(worst, deviation);
    EXPECT_LT(deviation, bound) << frequency << ":\n" << S.cwiseAbs() << "\nexpected\n" << expected;
  }
  ::testing::Test::RecordProperty("largest_deviation", std::to_string(worst));
}

Matrix chain(const std::vector<Section>& sections, double frequency, double k_c, Kind kind) {
  const double k = 2 * pi * frequency / c_0;
  const auto impedance = [&](double epsilon_r) {  // over Z_0: omega mu / beta of TE, beta / (omega epsilon) of TM
    const double beta = std::sqrt(epsilon_r * k * k - k_c * k_c);
    return kind == Kind::te ? k / beta : beta / (epsilon_r * k);
  };
  Matrix abcd = Matrix::Identity();
  for (const auto& [length, epsilon_r] : sections) {
    const double beta = std::sqrt(epsilon_r * k * k - k_c * k_c), Z = impedance(epsilon_r) / impedance(1);
    Matrix section;
    section << std::cos(beta * length), j * Z * std::sin(beta * length), j / Z * std::sin(beta * length),
        std::cos(beta * length);
    abcd = abcd * section;
  }
  const Complex A = abcd(0, 0), B = abcd(0, 1), C = abcd(1, 0), D = abcd(1, 1), sum = A + B + C + D;
  Matrix S;
  S << (A + B - C - D) / sum, 2.0 / sum, 2.0 / sum, (-A + B - C + D) / sum;
  return S;
}

}  // namespace maxwell_dg::testing
