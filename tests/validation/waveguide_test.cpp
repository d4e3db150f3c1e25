#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/app/expectations.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/support/round_guide.hpp"
#include "tests/unit/observe/temporary_directory.hpp"
#include "tests/validation/two_port.hpp"

/// Guides and lines, empty or with a slab across, against transmission lines.
namespace maxwell_dg::testing {
namespace {

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

/// Between planes in its middle there is nothing of a guide left.
TEST(Waveguide, planes_of_reference_take_out_the_guide_in_front_of_them) {
  const TemporaryDirectory directory;
  const Outcome outcome = run_config(directory.path(), R"yaml(
mesh: {box: {min: [0, 0, 0], max: ["22.86 mm", "10.16 mm", "40 mm"], cells: [3, 1, 5]}}
solver: {order: 3}
time: {end: "5.5 ns"}
materials: [{region: "*"}]
boundaries: [{region: "*", type: pec}]
ports:
  - {name: p1, boundary: z_min, mode: te10, plane: "15 mm"}
  - {name: p2, boundary: z_max, mode: te10, plane: "25 mm"}
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: "10.3 GHz", bandwidth: "4 GHz"}}]
outputs: {s_parameters: {from: "8.2 GHz", to: "12.4 GHz", count: 3}}
)yaml",
                                     {"--quiet"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string file = content_of(directory / "out/s_parameters.s2p");
  EXPECT_NE(file.find("! port 1: p1, te10, cut-off 6.557 GHz, reference plane 15 mm into the guide"), std::string::npos)
      << file;
  std::istringstream rows(file.substr(file.find("# Hz")));
  std::string line;
  std::getline(rows, line);
  for (int row = 0; row < 3; ++row) {
    std::array<double, 9> values{};
    for (double& value : values) rows >> value;
    EXPECT_NEAR(std::abs(std::complex(values[3], values[4]) - 1.0), 0, 5e-3) << values[0];
  }
  expect_error(
      run_config(directory.path(), R"yaml(
mesh: {box: {min: [0, 0, 0], max: ["22.86 mm", "10.16 mm", "40 mm"], cells: [3, 1, 5]}}
solver: {order: 1}
time: {end: "5.5 ns"}
materials: [{region: "*"}]
boundaries: [{region: "*", type: pec}]
ports: [{name: p1, boundary: z_min, mode: te10}]
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: "10.3 GHz", bandwidth: "4 GHz"}}]
outputs: {s_parameters: {from: "8.2 GHz", to: "12.4 GHz", reference: "50 ohm"}}
)yaml"),
      2,
      "outputs.s_parameters.reference: port 'p1' has mode te10, which has no voltage between conductors and so "
      "no impedance to be converted; leave it out");
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
      4e-4);  // 5.5e-4 if the ports took fields along x, y, z as polynomials
}

/// What a guide's ports add to S21, and the largest S11. Both lengths of a guide twice as long take the same from S21,
/// so that S21 squared of the single length over S21 of the double one is what the ports alone do.
struct ErrorOfPorts {
  double S21{}, S11{};
};

ErrorOfPorts error_of_ports(RoundGuide guide, Device device) {
  device.precision = "double";
  device.materials = "{region: '*'}";
  device.mesh = make_round_guide(guide);
  const std::vector<Sample> once = scattering_parameters(device).samples;
  guide.length *= 2;
  guide.layers *= 2;
  device.mesh = make_round_guide(guide);
  const std::vector<Sample> twice = scattering_parameters(device).samples;
  ErrorOfPorts error;
  for (std::size_t i = 0; i < once.size(); ++i) {
    const Complex through = once[i].S(1, 0) * once[i].S(1, 0) / twice[i].S(1, 0);
    error.S21 = std::max(error.S21, std::abs(std::abs(through) - 1));
    error.S11 = std::max(error.S11, std::abs(once[i].S(0, 0)));
  }
  return error;
}

double rate_of_halving(double coarse, double fine) {
  return std::log2(coarse / fine);
}

TEST(Waveguide, ports_of_a_coaxial_line_of_curved_elements_converge_with_twice_the_order_of_the_fields) {
  const auto error = [](int cells) {
    return error_of_ports({.inner = 2e-3,
                           .outer = 4e-3,
                           .length = 6e-3,
                           .cells = cells,
                           .layers = cells / 2,
                           .order = 3,
                           .whole = {false, false}},
                          {.mesh = {},
                           .materials = {},
                           .mode = "tem",
                           .band = "from: 4 GHz, to: 16 GHz",
                           .pulse = "frequency: 10 GHz, bandwidth: 14 GHz",
                           .time = "1.3 ns",
                           .order = 2,
                           .more = "symmetry: [{plane: x, kind: magnetic}, {plane: y, kind: magnetic}]\n"});
  };
  const ErrorOfPorts coarse = error(2), fine = error(4);
  // With fields taken as polynomials along x, y, z: 1.0e-4 and 2.6e-5, with rates of 3.5 and 4.2.
  EXPECT_LT(fine.S21, 4e-6);
  EXPECT_LT(fine.S11, 8e-6);
  EXPECT_GT(rate_of_halving(coarse.S21, fine.S21), 5.3) << coarse.S21 << " " << fine.S21;
  EXPECT_GT(rate_of_halving(coarse.S11, fine.S11), 5.3) << coarse.S11 << " " << fine.S11;
}

TEST(Waveguide, ports_of_a_round_guide_of_curved_elements_converge_with_more_than_the_order_of_the_fields) {
  const auto error = [](int cells) {
    return error_of_ports(
        {.outer = 10e-3, .length = 10e-3, .cells = cells, .layers = cells, .order = 4, .whole = {false, false}},
        {.mesh = {},
         .materials = {},
         .mode = "te11",
         .band = "from: 11 GHz, to: 14 GHz",
         .pulse = "frequency: 12.5 GHz, bandwidth: 4 GHz",
         .time = "6 ns",
         .order = 3,
         .more = "symmetry: [{plane: x, kind: electric}, {plane: y, kind: magnetic}]\n"});
  };
  const ErrorOfPorts coarse = error(1), fine = error(2);
  // With fields taken as polynomials along x, y, z: 3.0e-3 and 1.0e-2, then 3.8e-5 and 5.3e-5.
  EXPECT_LT(coarse.S21, 2e-4);
  EXPECT_LT(coarse.S11, 6e-4);
  EXPECT_LT(fine.S21, 4e-6);
  EXPECT_LT(fine.S11, 5e-6);
  EXPECT_GT(rate_of_halving(coarse.S21, fine.S21), 5.3) << coarse.S21 << " " << fine.S21;
  EXPECT_GT(rate_of_halving(coarse.S11, fine.S11), 5.3) << coarse.S11 << " " << fine.S11;
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

}  // namespace
}  // namespace maxwell_dg::testing
