#pragma once

#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "dg/mesh/mesh.hpp"

/// Scattering parameters of two-ports, from the program's Touchstone file, to be compared with exact ones.
namespace maxwell_dg::testing {

using Complex = std::complex<double>;
using Matrix = Eigen::Matrix2cd;
using std::numbers::pi;

inline constexpr double c_0 = 299792458.0;
inline constexpr double a = 22.86e-3, b = 10.16e-3;  // of a WR-90 guide
inline const Complex j(0, 1);
inline constexpr const char* te10_pulse = "frequency: 10.3 GHz, bandwidth: 4 GHz";
inline constexpr const char* te10_band = "from: 8.2 GHz, to: 12.4 GHz";

struct Sample {
  double frequency;
  Matrix S;
};

/// What the program says.
struct Measured {
  double reference{};  ///< of the option line, ohm
  std::vector<Sample> samples;
};

/// A guide with a port of one mode at z_min and at z_max.
struct Device {
  dg::Mesh mesh;
  std::string materials, mode, band, pulse, time;
  int order = 4;
  std::string more{};  ///< keys of the config
  std::string precision{"single"};
};

using Exact = std::function<Matrix(double frequency)>;

/// Runs the program on it.
[[nodiscard]] Measured scattering_parameters(const Device& device);

/// The largest deviation of any parameter, as a complex number; and of a phase of S21, over the whole.
void expect_exact(const std::vector<Sample>& samples, const Exact& exact, double bound);
/// The same of the absolute values.
void expect_magnitudes(const std::vector<Sample>& samples, const Exact& exact, double bound);

struct Section {
  double length, epsilon_r;
};

enum class Kind { te, tm };

/// Of a chain of sections between two lines of the impedance of vacuum's; k_c is the mode's. By transmission lines
/// (Pozar, Microwave Engineering, 4th ed., sections 4.3 and 4.4).
[[nodiscard]] Matrix chain(const std::vector<Section>& sections, double frequency, double k_c, Kind kind = Kind::te);

}  // namespace maxwell_dg::testing
