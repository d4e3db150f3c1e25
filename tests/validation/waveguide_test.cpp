#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/support/round_guide.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Scattering parameters of two-ports, from the program's Touchstone file, against transmission lines and against mode
/// matching.
namespace maxwell_dg::testing {
namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::Matrix2cd;
using std::numbers::pi;

constexpr double c_0 = 299792458.0;
constexpr double a = 22.86e-3, b = 10.16e-3;  // of a WR-90 guide
const Complex j(0, 1);

// --- what the program says ------------------------------------------------------------------------------------------

struct Sample {
  double frequency;
  Matrix S;
};

struct Measured {
  double reference{};  ///< of the option line, ohm
  std::vector<Sample> samples;
};

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

struct Device {
  dg::Mesh mesh;
  std::string materials, mode, band, pulse, time;
  int order = 4;
  std::string more{};  ///< keys of the config
};

Measured scattering_parameters(const Device& device) {
  const TemporaryDirectory directory;
  dg::write_mesh(device.mesh, directory / "guide.h5");
  std::string config = R"yaml(mesh: {file: guide.h5}
boundaries: [{region: "*", type: pec}]
)yaml";
  config += "solver: {order: " + std::to_string(device.order) + "}\n";
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

using Exact = std::function<Matrix(double frequency)>;

/// The largest deviation of any parameter, as a complex number; and of a phase of S21, over the whole.
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

// --- transmission lines (Pozar, Microwave Engineering, 4th ed., sections 4.3 and 4.4) -------------------------------

struct Section {
  double length, epsilon_r;
};

enum class Kind { te, tm };

/// Of a chain of sections between two lines of the impedance of vacuum's; k_c is the mode's.
Matrix chain(const std::vector<Section>& sections, double frequency, double k_c, Kind kind = Kind::te) {
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

// --- guides ---------------------------------------------------------------------------------------------------------

constexpr const char* te10_pulse = "frequency: 10.3 GHz, bandwidth: 4 GHz";
constexpr const char* te10_band = "from: 8.2 GHz, to: 12.4 GHz";

TEST(Waveguide, empty_guide_has_the_dispersion_of_te10) {
  constexpr double length = 40e-3;
  const std::vector<Sample> samples =
      scattering_parameters({.mesh = dg::make_box({.min = {0, 0, 0}, .max = {a, b, length}, .cells = {3, 1, 5}}),
                             .materials = "{region: '*', epsilon_r: 1}",
                             .mode = "te10",
                             .band = te10_band,
                             .pulse = te10_pulse,
                             .time = "5.5 ns"})
          .samples;
  expect_exact(
      samples,
      [](double f) {
        return chain({{length, 1}}, f, pi / a);
      },
      1e-3);
  for (const auto& [frequency, S] : samples) {
    const double expected = std::sqrt(std::pow(2 * pi * frequency / c_0, 2) - std::pow(pi / a, 2)) * length;
    EXPECT_LT(std::abs(std::arg(S(1, 0) * std::exp(j * expected))), 1e-3 * expected) << frequency;
  }
}

/// Names a part of the guide's only region.
void name_region(dg::Mesh& mesh, const std::string& name, const std::function<bool(const dg::Point&)>& holds) {
  mesh.regions.push_back(name);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (holds(centroid(mesh, mesh.cells[k]))) mesh.cell_region[k] = static_cast<std::int32_t>(mesh.regions.size()) - 1;
  }
}

TEST(Waveguide, slab_across_a_rectangular_guide) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {a, b, 40e-3}, .cells = {3, 1, 5}});
  name_region(mesh, "slab", [](const dg::Point& c) { return c[2] > 16e-3 && c[2] < 24e-3; });
  const std::vector<Sample> samples =
      scattering_parameters({.mesh = mesh,
                             .materials = "{region: slab, epsilon_r: 3}, {region: interior, epsilon_r: 1}",
                             .mode = "te10",
                             .band = te10_band,
                             .pulse = te10_pulse,
                             .time = "7 ns"})
          .samples;
  expect_exact(
      samples,
      [](double f) {
        return chain({{16e-3, 1}, {8e-3, 3}, {16e-3, 1}}, f, pi / a);
      },
      2e-3);
}

/// A ring between two circles, cut into straight pieces, along z.
dg::Mesh make_ring(double inner, double outer, int pieces, double length, int layers) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, length}, .cells = {1, pieces, layers}});
  std::map<dg::Point, std::int32_t> numbers;  // where the ring closes, two vertices of the box are one
  std::vector<std::int32_t> merged;
  std::vector<dg::Point> vertices;
  for (const auto& [r, turn, z] : mesh.vertices) {
    const auto [at, is_new] =
        numbers.try_emplace({r, turn < 1 ? turn : 0, z}, static_cast<std::int32_t>(numbers.size()));
    merged.push_back(at->second);
    if (!is_new) continue;
    const double radius = inner + r * (outer - inner), phi = 2 * pi * at->first[1];
    vertices.push_back({radius * std::cos(phi), radius * std::sin(phi), z});
  }
  mesh.vertices = vertices;
  const auto renumber = [&](auto& corners) {
    for (std::int32_t& v : corners) v = merged[static_cast<std::size_t>(v)];
    std::ranges::sort(corners);
  };
  for (auto& cell : mesh.cells) renumber(cell);
  std::erase_if(mesh.surface_faces, [&](const dg::Mesh::SurfaceFace& face) {
    return mesh.surfaces[static_cast<std::size_t>(face.surface)].starts_with('y');
  });
  for (auto& face : mesh.surface_faces) renumber(face.vertices);
  dg::prepare(mesh, "ring", dg::Orientation::any);
  return mesh;
}

TEST(Waveguide, bead_in_a_coaxial_line) {
  dg::Mesh mesh = make_ring(2e-3, 4.6e-3, 8, 24e-3, 3);
  name_region(mesh, "bead", [](const dg::Point& c) { return c[2] > 8e-3 && c[2] < 16e-3; });
  const auto [reference, samples] =
      scattering_parameters({.mesh = mesh,
                             .materials = "{region: bead, epsilon_r: 2.25}, {region: interior, epsilon_r: 1}",
                             .mode = "tem",
                             .band = "from: 2 GHz, to: 10 GHz",
                             .pulse = "frequency: 6 GHz, bandwidth: 9 GHz",
                             .time = "2 ns"});
  expect_exact(
      samples,
      [](double f) {
        return chain({{8e-3, 1}, {8e-3, 2.25}, {8e-3, 1}}, f, 0);
      },
      0.01);
  EXPECT_NEAR(reference, 376.730313 / (2 * pi) * std::log(4.6 / 2), 1);  // the line's, in its option line
}

TEST(Waveguide, quarter_of_a_round_coaxial_line_of_curved_elements_has_its_impedance_and_phase) {
  constexpr double length = 6e-3;
  const auto [reference, samples] = scattering_parameters(
      {.mesh = make_round_guide(
           {.inner = 2e-3, .outer = 4e-3, .length = length, .layers = 1, .order = 5, .whole = {false, false}}),
       .materials = "{region: '*', epsilon_r: 1}",
       .mode = "tem",
       .band = "from: 4 GHz, to: 16 GHz",
       .pulse = "frequency: 10 GHz, bandwidth: 14 GHz",
       .time = "1.2 ns",
       .more = "symmetry: [{plane: x, kind: magnetic}, {plane: y, kind: magnetic}]\n"});
  expect_exact(
      samples,
      [](double f) {
        return chain({{length, 1}}, f, 0);
      },
      3e-4);
  EXPECT_NEAR(reference / (376.730313412 / (2 * pi) * std::log(2.0)), 1, 1e-6);
}

TEST(Waveguide, quarter_of_a_round_guide_of_curved_elements_has_the_dispersion_of_te11) {
  constexpr double radius = 10e-3, length = 20e-3;
  const std::vector<Sample> samples =
      scattering_parameters(
          {.mesh =
               make_round_guide({.outer = radius, .length = length, .cells = 1, .order = 6, .whole = {false, false}}),
           .materials = "{region: '*', epsilon_r: 1}",
           .mode = "te11",
           .band = "from: 11 GHz, to: 14 GHz",
           .pulse = "frequency: 12.5 GHz, bandwidth: 4 GHz",
           .time = "4 ns",
           .more = "symmetry: [{plane: x, kind: electric}, {plane: y, kind: magnetic}]\n"})  // E is along x
          .samples;
  expect_exact(
      samples,
      [](double f) {
        return chain({{length, 1}}, f, 1.8411837813 / radius);
      },
      1e-3);
}

/// Regions "interior" and, from z to z, "slab".
void put_slab(dg::Mesh& mesh, double from, double to) {
  mesh.regions = {"interior", "slab"};
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    const double z = centroid(mesh, mesh.cells[k])[2];
    mesh.cell_region[k] = z > from && z < to ? 1 : 0;
  }
}

TEST(Waveguide, slab_across_a_round_guide_reflects_tm01_by_its_impedance_and_loses_nothing) {
  constexpr double radius = 10e-3, length = 20e-3;
  dg::Mesh mesh = make_round_guide(
      {.outer = radius, .length = length, .cells = 1, .layers = 5, .order = 6, .whole = {false, false}});
  put_slab(mesh, 8e-3, 12e-3);
  const std::vector<Sample> samples =
      scattering_parameters({.mesh = mesh,
                             .materials = "{region: slab, epsilon_r: 2.25}, {region: '*'}",
                             .mode = "tm01",
                             .band = "from: 13.5 GHz, to: 17 GHz",
                             .pulse = "frequency: 15 GHz, bandwidth: 5 GHz",
                             .time = "5 ns",
                             .more = "symmetry: [{plane: x, kind: magnetic}, {plane: y, kind: magnetic}]\n"})
          .samples;
  const std::vector<Section> sections{{8e-3, 1}, {4e-3, 2.25}, {8e-3, 1}};
  expect_exact(
      samples, [&](double f) { return chain(sections, f, 2.4048255577 / radius, Kind::tm); }, 2e-3);
  for (const Sample& sample : samples) EXPECT_NEAR(sample.S.col(0).squaredNorm(), 1, 1e-3) << sample.frequency;
}

TEST(Waveguide, empty_rectangular_guide_has_the_dispersion_of_tm11) {
  constexpr double length = 20e-3;
  const std::vector<Sample> samples =
      scattering_parameters({.mesh = dg::make_box({.min = {0, 0, 0}, .max = {a, b, length}, .cells = {3, 2, 3}}),
                             .materials = "{region: '*'}",
                             .mode = "tm11",
                             .band = "from: 18 GHz, to: 22 GHz",
                             .pulse = "frequency: 20 GHz, bandwidth: 6 GHz",
                             .time = "3 ns"})
          .samples;
  expect_exact(
      samples,
      [](double f) {
        return chain({{length, 1}}, f, pi * std::hypot(1 / a, 1 / b), Kind::tm);
      },
      2e-3);
}

TEST(Waveguide, both_polarizations_of_te11_on_one_surface_go_to_those_turned_by_30_degrees) {
  constexpr double radius = 10e-3, length = 8e-3;
  const TemporaryDirectory directory;
  dg::write_mesh(make_round_guide({.outer = radius, .length = length, .cells = 1, .layers = 1, .order = 6}),
                 directory / "guide.h5");
  write_file_atomically(directory / "guide.yaml", R"yaml(mesh: {file: guide.h5}
boundaries: [{region: "*", type: pec}]
solver: {order: 4}
time: {end: 6 ns}
materials: [{region: "*"}]
ports:
  - {name: near_x, boundary: z_min, mode: te11}
  - {name: near_y, boundary: z_min, mode: te11, polarization: [0, 1, 0]}
  - {name: far_30, boundary: z_max, mode: te11, polarization: [0.8660254037844386, 0.5, 0]}
  - {name: far_120, boundary: z_max, mode: te11, polarization: [-0.5, 0.8660254037844386, 0]}
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 12.5 GHz, bandwidth: 4 GHz}}]
outputs: {s_parameters: {from: 11 GHz, to: 14 GHz, count: 4}}
)yaml");
  const Outcome outcome = run_program(
      {(directory / "guide.yaml").string(), "--quiet", "--output", (directory / "out").string()}, directory.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream lines(content_of(directory / "out/s_parameters.s4p"));
  std::string data;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('!') && !line.starts_with('#')) data += line + '\n';
  }
  std::istringstream numbers(data);
  int count = 0;
  for (double f = 0; numbers >> f; ++count) {
    const double k = 2 * pi * f / c_0, k_c = 1.8411837813 / radius;
    const Complex through = std::exp(-j * std::sqrt(k * k - k_c * k_c) * length);
    const double c = std::cos(pi / 6), s = std::sin(pi / 6);
    Eigen::Matrix2d turn;
    turn << c, s, -s, c;  // far from near
    Eigen::Matrix4cd expected = Eigen::Matrix4cd::Zero(), S;
    expected.bottomLeftCorner(2, 2) = through * turn;
    expected.topRightCorner(2, 2) = through * turn.transpose();
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) {
        double re = 0, im = 0;
        numbers >> re >> im;
        S(row, column) = {re, im};
      }
    }
    EXPECT_LT((S - expected).cwiseAbs().maxCoeff(), 3e-3) << f << ":\n" << S << "\nexpected\n" << expected;
  }
  EXPECT_EQ(count, 4);
}

/// Takes cells out: conductor stands there.
void remove_cells(dg::Mesh& mesh, const std::function<bool(const dg::Point&)>& holds) {
  std::vector<std::array<std::int32_t, 4>> cells;
  std::set<std::array<std::int32_t, 3>> faces;
  for (const auto& cell : mesh.cells) {
    if (holds(centroid(mesh, cell))) continue;
    cells.push_back(cell);
    for (const auto& [p, q, r] : dg::face_vertices) faces.insert({cell[p], cell[q], cell[r]});
  }
  mesh.cells = cells;
  mesh.cell_region.assign(cells.size(), 0);
  std::erase_if(mesh.surface_faces, [&](const dg::Mesh::SurfaceFace& face) { return !faces.contains(face.vertices); });
  dg::prepare(mesh, "iris", dg::Orientation::any);
}

/// Two equal obstacles of a thickness along z leave a window of a width in the middle between the narrow walls. Mode
/// matching of TE_m0 in the guide (orthonormal phi_m) with those of the window (psi_n), E in the window's mouth being
/// sum B_n psi_n: H across the mouth agrees if
///
///   sum_n' (sum_m C_mn Y_m C_mn' + delta_nn' y_n) B_n' = 2 Y_1 C_1n,  C_mn = integral phi_m psi_n,
///
/// y_n = Y_n tanh(gamma_n t/2) or coth, for a magnetic or an electric wall in the middle, whose reflections' half sum
/// and half difference are S11 and S21 (Uher, Bornemann and Rosenberg, Waveguide Components for Antenna Feed Systems,
/// Artech House 1993, chapter 2).
Matrix thick_iris(double window, double thickness, double frequency) {
  const double k = 2 * pi * frequency / c_0, from = (a - window) / 2;
  const int modes = 256, window_modes = static_cast<int>(std::lround(modes * window / a));
  const auto gamma = [&](int m, double width) { return std::sqrt(Complex(std::pow(m * pi / width, 2) - k * k)); };
  Eigen::MatrixXd C(modes, window_modes);
  for (int m = 1; m <= modes; ++m) {
    for (int n = 1; n <= window_modes; ++n) {
      const double p = m * pi / a, q = n * pi / window;
      const auto integral = [&](double s) {  // of cos((p - s q) x + p from) over the window
        const double w = p - s * q;
        return std::abs(w) < 1e-9 * p ? window * std::cos(p * from)
                                      : (std::sin(w * window + p * from) - std::sin(p * from)) / w;
      };
      C(m - 1, n - 1) = (integral(1) - integral(-1)) / std::sqrt(a * window);
    }
  }
  Eigen::VectorXcd Y(modes);
  for (int m = 1; m <= modes; ++m) Y(m - 1) = gamma(m, a) / j;
  const auto reflection = [&](bool electric) {
    Eigen::MatrixXcd system = C.transpose() * Y.asDiagonal() * C;
    for (int n = 1; n <= window_modes; ++n) {
      const Complex g = gamma(n, window), t = std::tanh(g * thickness / 2.0);
      system(n - 1, n - 1) += g / j * (electric ? 1.0 / t : t);
    }
    const Eigen::VectorXcd B = system.partialPivLu().solve(2.0 * Y(0) * C.row(0).transpose());
    return C.row(0).cast<Complex>().dot(B) - 1.0;
  };
  const Complex even = reflection(false), odd = reflection(true);
  Matrix S;
  S << even + odd, even - odd, even - odd, even + odd;
  return S / 2.0;
}

/// What a symmetrical window of no thickness is to a TE10 wave: a shunt reactance of (a / lambda_g) tan^2(pi d / 2a)
/// (Marcuvitz, Waveguide Handbook, McGraw-Hill 1951, section 5.2: the leading term, good for narrow windows).
TEST(Waveguide, mode_matching_tends_to_marcuvitz_for_a_thin_iris) {
  const double frequency = 8.5e9, window = a / 8, k = 2 * pi * frequency / c_0;
  const double X = std::sqrt(k * k - pi * pi / (a * a)) * a / (2 * pi) * std::pow(std::tan(pi * window / (2 * a)), 2);
  EXPECT_NEAR(std::abs(thick_iris(window, 1e-9, frequency)(1, 0)) / (2 * X / std::hypot(1, 2 * X)), 1, 0.03);
}

TEST(Waveguide, thick_inductive_iris) {
  constexpr double length = 36e-3;
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {a, b, length}, .cells = {4, 1, 9}});
  remove_cells(mesh,
               [](const dg::Point& c) { return std::abs(c[2] - 18e-3) < 2e-3 && std::abs(c[0] - a / 2) > a / 4; });
  const std::vector<Sample> samples = scattering_parameters({.mesh = mesh,
                                                             .materials = "{region: '*', epsilon_r: 1}",
                                                             .mode = "te10",
                                                             .band = te10_band,
                                                             .pulse = te10_pulse,
                                                             .time = "7 ns"})
                                          .samples;
  expect_magnitudes(
      samples, [](double f) { return thick_iris(a / 2, 4e-3, f); }, 0.02);
}

/// A round post of a radius in the middle, from one broad wall to the other: on it E_y = 0 of the TE10 wave and of line
/// currents within it, each of which makes in the guide, with gamma_n as above,
///
///   sum_n sin(n pi x/a) sin(n pi x'/a) exp(-gamma_n |z - z'|) / (a gamma_n);
///
/// summed where n pi/a is in the place of gamma_n, that is a logarithm, and the rest converges (method of auxiliary
/// sources).
Matrix round_post(double radius, double frequency) {
  constexpr int lines = 24, modes = 60;
  const double k = 2 * pi * frequency / c_0, beta = std::sqrt(k * k - pi * pi / (a * a));
  const auto place = [&](int i, double r) {
    const double phi = 2 * pi * i / lines;
    return std::array{a / 2 + r * std::cos(phi), r * std::sin(phi)};
  };
  const auto line_field = [&](const std::array<double, 2>& at, const std::array<double, 2>& from) {
    const double t = pi * std::abs(at[1] - from[1]) / a;
    const auto log_sum = [&](double u) {
      return -0.5 * std::log(1 - 2 * std::exp(-t) * std::cos(u) + std::exp(-2 * t));
    };
    Complex sum = (log_sum(pi * (at[0] - from[0]) / a) - log_sum(pi * (at[0] + from[0]) / a)) / (2 * pi);
    for (int n = 1; n <= modes; ++n) {
      const Complex gamma = n == 1 ? j * beta : std::sqrt(Complex(std::pow(n * pi / a, 2) - k * k));
      sum += std::sin(n * pi * at[0] / a) * std::sin(n * pi * from[0] / a) *
             (std::exp(-gamma * std::abs(at[1] - from[1])) / (a * gamma) - std::exp(-n * t) / (n * pi));
    }
    return sum;
  };
  const auto wave = [&](const std::array<double, 2>& at, double sign) {
    return std::sin(pi * at[0] / a) * std::exp(sign * j * beta * at[1]);
  };
  Eigen::MatrixXcd field(lines, lines);
  Eigen::VectorXcd incident(lines), ahead(lines), back(lines);
  for (int i = 0; i < lines; ++i) {
    incident(i) = wave(place(i, radius), -1);
    back(i) = wave(place(i, radius / 2), -1) / (j * beta * a);
    ahead(i) = wave(place(i, radius / 2), 1) / (j * beta * a);
    for (int l = 0; l < lines; ++l) field(i, l) = line_field(place(i, radius), place(l, radius / 2));
  }
  const Eigen::VectorXcd currents = field.partialPivLu().solve(-incident);
  const Complex reflected = currents.cwiseProduct(back).sum(), through = 1.0 + currents.cwiseProduct(ahead).sum();
  Matrix S;
  S << reflected, through, through, reflected;
  return S;
}

/// A thin post is a shunt reactance of
///
///   (a / 2 lambda_g) (ln(4 a / pi d) - 2 + 2 sum_{n = 3, 5 ...} (1 / sqrt(n^2 - (2 a / lambda)^2) - 1/n))
///
/// (Marcuvitz, section 5.11: the leading term).
TEST(Waveguide, line_currents_tend_to_marcuvitz_for_a_thin_post) {
  for (const double frequency : {8.5e9, 12e9}) {
    const double radius = a / 1000, k = 2 * pi * frequency / c_0;
    double sum = std::log(2 * a / (pi * radius)) - 2;
    for (int n = 3; n < 10001; n += 2) sum += 2 / std::sqrt(n * n - std::pow(k * a / pi, 2)) - 2.0 / n;
    const double X = std::sqrt(k * k - pi * pi / (a * a)) * a / (4 * pi) * sum;
    const Matrix S = round_post(radius, frequency);
    EXPECT_NEAR(std::abs(S(1, 0)), 2 * X / std::hypot(1, 2 * X), 1e-4);
    EXPECT_NEAR(std::norm(S(0, 0)) + std::norm(S(1, 0)), 1, 1e-9);
  }
}

TEST(Waveguide, round_inductive_post) {
  constexpr double length = 38.1e-3, radius = 2e-3, cell = a / 6;
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {a, b, length}, .cells = {6, 1, 10}});
  const auto from_axis = [](const dg::Point& p) { return std::array{p[0] - a / 2, p[2] - length / 2}; };
  remove_cells(mesh, [&](const dg::Point& c) {
    const auto [x, z] = from_axis(c);
    return std::max(std::abs(x), std::abs(z)) < cell;
  });
  const double corner = radius * std::sqrt(pi / (2 * std::numbers::sqrt2));  // of an octagon as large as the circle
  for (dg::Point& p : mesh.vertices) {
    const auto [x, z] = from_axis(p);
    if (std::max(std::abs(x), std::abs(z)) > 1.01 * cell) continue;
    const double shrink = corner / std::hypot(x, z);
    p = {a / 2 + shrink * x, p[1], length / 2 + shrink * z};
  }
  expect_magnitudes(
      scattering_parameters({.mesh = mesh,
                             .materials = "{region: '*', epsilon_r: 1}",
                             .mode = "te10",
                             .band = te10_band,
                             .pulse = te10_pulse,
                             .time = "4.8 ns",
                             .order = 2})
          .samples,
      [](double f) { return round_post(radius, f); }, 0.02);
}

}  // namespace
}  // namespace maxwell_dg::testing
