#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/simulation/outputs/summary.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/simulation/fixture.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/support/round_guide.hpp"

/// Far fields of ports, of currents and over a ground, and what follows of them for an engineer.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;
using std::numbers::pi;

class Antennas : public SimulationTest {
 protected:
  [[nodiscard]] config::Config with_mesh(dg::Mesh mesh, const std::string& text,
                                         const std::vector<std::string>& changes = {}) const {
    dg::prepare(mesh, "antenna", dg::Orientation::any);
    dg::write_mesh(mesh, folder() / "antenna.h5");
    return load("units: normalized\nmesh: {file: antenna.h5}\nmaterials: [{region: \"*\"}]\n" + text, changes);
  }
  /// The message with which a config is refused.
  [[nodiscard]] std::string refusal(const config::Config& config) const {
    try {
      const Simulation simulation(config);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "none";
  }
};

/// A quarter, or half without the plane x = 0, of a guide that opens in the plane z = 0 into the space above: `guide`
/// of 1 by 0.5, `near`, `air`, and a layer.
dg::Mesh open_guide(double from_x, double guide_from_z) {
  constexpr double cell = 0.25;
  const auto cells = [](double from, double to) { return static_cast<int>(std::lround((to - from) / cell)); };
  const double end = 1.5;
  return box_of_regions({.min = {from_x, 0, guide_from_z},
                         .max = {end, end, end},
                         .cells = {cells(from_x, end), cells(0, end), cells(guide_from_z, end)}},
                        [](const dg::Point& x) -> std::string {
                          const double largest = std::max({std::abs(x[0]), x[1], x[2]});
                          if (x[2] < 0) return std::abs(x[0]) < 0.5 && x[1] < 0.25 ? "guide" : "";
                          return largest < 0.75 ? "near" : largest < 1 ? "air" : "layer";
                        });
}

constexpr const char* guide_in_ground = R"yaml(
solver: {order: 4}
time: {until: {decay: "-60 dB"}, at_most: 60}
boundaries: [{region: "*", type: pec}]
pml: {region: layer, thickness: 0.5, shape: box}
ports: [{name: feed, boundary: z_min, mode: te10}]
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.75, bandwidth: 0.4}}]
outputs:
  s_parameters: {from: 0.65, to: 0.85, count: 3}
  far_field: {enclosing: [guide, near], frequencies: [0.65, 0.85], theta: {step: 30}, phi: [0, 90, 200], ground: {}}
)yaml";

TEST_F(Antennas, open_guide_in_a_ground_radiates_what_it_accepts) {
  const std::string text = guide_in_ground;
  Simulation run(
      with_mesh(open_guide(0, -1), text, {"symmetry=[{plane: x, kind: magnetic}, {plane: y, kind: electric}]"}));
  run.run();
  const dg::Table antenna = run.table("antenna"), waves = run.table("port_waves"), pattern = run.table("pattern");
  ASSERT_EQ(antenna.rows(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto at = [&](const char* column) { return antenna.column(column)[i]; };
    EXPECT_NEAR(at("radiated_power") / at("accepted_power"), 1, 1e-3);
    EXPECT_NEAR(at("lost_power"), at("accepted_power") - at("radiated_power"), 1e-12);
    EXPECT_EQ(at("coupled_power"), 0);
    const std::size_t wave = 2 * i;  // of three frequencies the first and the last
    const std::complex<double> S(waves.column("b_re")[wave], waves.column("b_im")[wave]);
    EXPECT_NEAR(at("s11_db"), 20 * std::log10(std::abs(S)), 1e-3);
    EXPECT_NEAR(at("vswr"), (1 + std::abs(S)) / (1 - std::abs(S)), 1e-3);
    const std::complex<double> Z = waves.column("impedance")[wave] * (1.0 + S) / (1.0 - S);
    EXPECT_NEAR(std::abs(Z - std::complex<double>(at("resistance"), at("reactance"))), 0, 1e-3);
    EXPECT_NEAR(at("gain_dbi"), at("directivity_dbi") + 10 * std::log10(at("radiation_efficiency")), 1e-9);
    EXPECT_NEAR(at("realized_gain_dbi"), at("gain_dbi") + 10 * std::log10(1 - std::norm(S)), 1e-3);
    EXPECT_NEAR(at("total_efficiency"), at("radiation_efficiency") * (1 - std::norm(S)), 1e-3);
    EXPECT_LT(at("theta_deg"), 1);
    EXPECT_TRUE(std::isnan(at("front_to_back_db"))) << "there is no field behind a ground";
  }
  const auto summary = nlohmann::json::parse(simulation::summary_json(run.summary(), run.plan()));
  ASSERT_EQ(summary["antenna"].size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const nlohmann::json& entry = summary["antenna"][i];
    EXPECT_EQ(entry["port"], "feed");
    EXPECT_EQ(entry.size(), antenna.columns().size());
    for (const std::string& name : antenna.columns()) {
      const double value = antenna.column(name)[i];
      if (name == "port") continue;
      EXPECT_EQ(entry.at(name), std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr)) << name;
    }
  }
  // Of an aperture on a ground, E of the co-polarization is along y; phi by phi, theta in steps of 30 degrees.
  const std::size_t a_cut = 7;
  for (std::size_t row = 0; row < pattern.rows(); ++row) {
    const double theta = pattern.column("theta_deg")[row], gain = pattern.column("gain_dbi")[row];
    if (theta > 91) {
      EXPECT_TRUE(std::isinf(gain)) << "below the ground";
    }
    if (theta == 0) {
      EXPECT_NEAR(gain, antenna.column("gain_dbi")[row / (3 * a_cut)], 1e-2);
      EXPECT_NEAR(pattern.column("cross_gain_dbi")[row], gain, 1e-6) << "across x, the reference";
    }
  }
}

/// The same mesh, of which the plane below is once a wall, and once of symmetry.
TEST_F(Antennas, over_a_ground_radiate_as_their_whole_with_its_image_does) {
  constexpr const char* dipole = R"yaml(
solver: {order: 2, precision: double}
time: {end: 10}
boundaries: [{region: "*", type: absorbing}]
sources: [{type: dipole, at: [0.05, 0, 0.2], moment: [0.4, 0, 1],
           waveform: {type: gaussian_pulse, frequency: 0.7, bandwidth: 0.7}}]
outputs:
  far_field: {enclosing: [body, near], frequencies: [0.6, 0.8], theta: {from: 0, to: 90, step: 30}, phi: [0, 35, 200]}
)yaml";
  dg::Mesh mesh =
      box_of_regions({.min = {-0.9, -0.9, 0}, .max = {0.9, 0.9, 0.9}, .cells = {6, 6, 3}}, [](const dg::Point& x) {
        const double largest = std::max({std::abs(x[0]), std::abs(x[1]), x[2]});
        return largest < 0.3 ? "body" : largest < 0.6 ? "near" : "outer";
      });
  // The dipole in the plane of symmetry itself would be one; off it the whole has two, which is what an image makes.
  dg::Mesh both = with_mirror_image(mesh, 2);
  Simulation whole(with_mesh(both, dipole,
                             {"sources=[{type: dipole, at: [0.05, 0, 0.2], moment: [0.4, 0, 1], "
                              "waveform: {type: gaussian_pulse, frequency: 0.7, bandwidth: 0.7}}, "
                              "{type: dipole, at: [0.05, 0, -0.2], moment: [-0.4, 0, 1], "
                              "waveform: {type: gaussian_pulse, frequency: 0.7, bandwidth: 0.7}}]"}));
  whole.run();
  for (const double shift : {0.0, 0.3}) {
    for (dg::Point& x : mesh.vertices) x[2] += shift;
    Simulation half(with_mesh(mesh, dipole,
                              {"boundaries=[{region: z_min, type: pec}, {region: \"*\", type: absorbing}]",
                               "sources.0.at.2=" + std::to_string(0.2 + shift),
                               "outputs.far_field.ground={plane: z, at: " + std::to_string(shift) + "}"}));
    half.run();
    const dg::Table found = half.table("radiation"), wanted = whole.table("radiation");
    ASSERT_EQ(found.rows(), wanted.rows());
    for (std::size_t row = 0; row < wanted.rows(); ++row) {
      const double phase = 2 * pi * wanted.column("frequency")[row] * shift *
                           std::cos(wanted.column("theta_deg")[row] * pi / 180);  // of the origin
      for (const std::string field : {"E_theta", "E_phi"}) {
        const std::complex<double> here(found.column(field + "_re")[row], found.column(field + "_im")[row]);
        const std::complex<double> there(wanted.column(field + "_re")[row], wanted.column(field + "_im")[row]);
        EXPECT_NEAR(std::abs(here - there * std::polar(1.0, phase)), 0, 1e-9) << field << " " << row;
        EXPECT_LT(std::abs(here), 10);
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const double of_whole = whole.table("antenna").column("radiated_power")[i];
      EXPECT_NEAR(half.table("antenna").column("radiated_power")[i] / (of_whole / 2), 1, 1e-9);
    }
  }
}

TEST_F(Antennas, driven_in_turn_have_each_their_own_far_field) {
  const std::string text = guide_in_ground;
  const std::vector<std::string> changes{
      "solver={order: 2, precision: double}",
      "pml=null",
      "boundaries=[{region: [x_min, x_max, y_max, z_max], type: absorbing}, {region: \"*\", type: pec}]",
      "symmetry=[{plane: y, kind: electric}]",
      "ports=[{name: even, boundary: z_min, mode: te10}, {name: odd, boundary: z_min, mode: te20}]",
      "sources.0.waveform={type: gaussian_pulse, frequency: 1.3, bandwidth: 0.4}",
      "outputs.s_parameters={from: 1.2, to: 1.4, count: 2}",
      "outputs.far_field.frequencies=[1.3]"};
  const dg::Mesh mesh = open_guide(-1.5, -0.5);
  const auto run = [&](const std::string& more, const std::string& time) {
    std::vector<std::string> all = changes;
    all.push_back("time={end: " + time + "}");
    if (!more.empty()) all.push_back("sources.0.ports=" + more);
    return with_mesh(mesh, text, all);
  };
  Simulation both(run("", "40"));
  both.run();
  EXPECT_EQ(both.table("antenna").rows(), 2U);
  const std::array<std::string, 2> names{"even", "odd"};
  for (std::size_t p = 0; p < 2; ++p) {
    Simulation alone(run(names.at(p), "20"));
    alone.run();
    for (const std::string table : {"radiation", "pattern"}) {
      const dg::Table found = both.table(table + "_" + std::to_string(p + 1)), wanted = alone.table(table);
      ASSERT_EQ(found.rows(), wanted.rows());
      for (std::size_t row = 0; row < wanted.rows() && table == "radiation"; ++row) {
        EXPECT_NEAR(found.column("directivity")[row], wanted.column("directivity")[row], 1e-3);  // up to 7
        EXPECT_NEAR(found.column("E_phi_re")[row], wanted.column("E_phi_re")[row], 1e-4);
      }
    }
    const dg::Table antenna = alone.table("antenna"), antennas = both.table("antenna");
    for (const std::string& column : antenna.columns()) {
      if (column == "theta_deg" || column == "phi_deg" || column.starts_with("beam")) continue;
      const double there = antenna.column(column).front(), here = antennas.column(column)[p];
      if (std::isnan(there)) continue;
      EXPECT_NEAR(here, there, 1e-3 * std::max(1.0, std::abs(there))) << column;
    }
  }
}

/// E_theta = -j omega / (4 pi) times the integral of J exp(j k r.x), here of a cube, at a right angle to J.
TEST_F(Antennas, current_as_the_first_source_radiates_its_transform) {
  constexpr double f = 0.3, side = 0.6, tau = 0.8, t0 = 5;
  Simulation run(with_mesh(box_around_near({-0.9, -0.9, -0.9}), R"yaml(
solver: {order: 3}
time: {end: 14}
boundaries: [{region: "*", type: absorbing}]
sources: [{type: current, region: body, density: ["0", "0", "(t - 5) * exp(-(t - 5)^2 / (2 * 0.8^2))"]}]
outputs:
  far_field: {enclosing: [body, near], frequencies: [0.3], theta: {from: 90, to: 90, step: 1}, phi: [0, 45]}
)yaml"));
  run.run();
  const double omega = 2 * pi * f, half = omega * side / 2;
  const std::complex<double> pulse = std::complex<double>(0, -omega * std::pow(tau, 3)) * std::sqrt(2 * pi) *
                                     std::exp(-std::pow(omega * tau, 2) / 2) * std::polar(1.0, -omega * t0);
  const std::complex<double> expected = std::complex<double>(0, omega / (4 * pi)) * pulse * std::pow(side, 3);
  const dg::Table found = run.table("radiation");
  const double sinc = std::sin(half) / half, diagonal = std::sin(half / std::sqrt(2)) / (half / std::sqrt(2));
  const std::array shape{sinc, diagonal * diagonal};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::complex<double> E(found.column("E_theta_re")[i], found.column("E_theta_im")[i]);
    EXPECT_NEAR(std::abs(E / (expected * shape.at(i)) - 1.0), 0, 0.01);  // E_theta is along -z, as is -J
  }
  EXPECT_NEAR(found.column("directivity")[0], 1.5, 0.02);
}

TEST_F(Antennas, surface_that_does_not_stand_on_its_ground_is_refused) {
  const std::string text = guide_in_ground;
  const std::vector<std::string> planes{"symmetry=[{plane: x, kind: magnetic}, {plane: y, kind: electric}]"};
  const auto found = [&](const std::string& change) {
    std::vector<std::string> changes = planes;
    changes.push_back(change);
    return refusal(with_mesh(open_guide(0, -1), text, changes));
  };
  const auto expect = [&](const std::string& change, const std::string& message) {
    const std::string text_found = found(change);
    EXPECT_NE(text_found.find(message), std::string::npos) << text_found;
  };
  expect("outputs.far_field.ground=null",
         "outputs.far_field.enclosing: outside of these regions all must be open space, but there is a boundary of "
         "type pec in 'air'");
  expect("outputs.far_field.ground.at=-0.25",
         "outputs.far_field.ground: no boundary outside of the enclosed regions lies in z = -0.25: let the mesh end on "
         "the ground, with a boundary of type pec");
  expect("outputs.far_field.ground.at=0.25",
         "outputs.far_field.ground: the mesh goes on beyond z = 0.25 in 'air', where only regions under `enclosing` "
         "may: end it there, with a boundary of type pec");
  expect("outputs.far_field.ground.plane=x",
         "outputs.far_field.ground.plane: has the direction of the plane of symmetry x = 0: leave one of them out");
  expect("boundaries=[{region: x_max, type: pec}, {region: \"*\", type: impedance, impedance: 1}]",
         "outputs.far_field.ground: a boundary of type impedance_0 lies in z = 0 in 'air': the ground is a perfect "
         "conductor, so give it type pec");
  expect("outputs.far_field.frequencies=[0.65, 0.5]",
         "outputs.far_field.frequencies.1: 0.5 is not above 0.5, where the mode of port 'feed' is cut off");
}

/// Half of a cube around the plane z = 0: it needs that plane as one of symmetry.
TEST_F(Antennas, surface_that_is_open_is_warned_of) {
  const auto warnings = [&](const std::vector<std::string>& changes) {
    Simulation run(with_mesh(box_around_near({-0.9, -0.9, 0}), R"yaml(
solver: {order: 1}
time: {end: 4}
boundaries: [{region: "*", type: absorbing}]
sources: [{type: dipole, at: [0, 0, 0], moment: [0, 0, 1], waveform: {type: ricker, frequency: 0.3}}]
outputs: {far_field: {enclosing: [body, near], frequencies: [0.3]}}
)yaml",
                             changes));
    std::string all;
    for (const std::string& text : run.run().warnings) all += text + "\n";
    return all;
  };
  const std::string open = "outputs.far_field.enclosing: the surface of these regions is not closed, but ends at (";
  EXPECT_NE(warnings({}).find(open), std::string::npos);
  EXPECT_EQ(warnings({"symmetry=[{plane: z, kind: electric}]"}).find(open), std::string::npos);
}

/// A quarter of the space around a dipole along x, a quarter of a wavelength above z = 0: above that alone, or on both
/// sides of it with a plate of so many wavelengths from its middle to its edges.
dg::Mesh above_ground(double half, bool has_plate) {
  const double lowest = has_plate ? -1.5 : 0;
  const auto across = static_cast<int>(std::lround(2 * (half + 1.5)));
  dg::Mesh mesh = box_of_regions(
      {.min = {0, 0, lowest}, .max = {half + 1.5, half + 1.5, 2}, .cells = {across, across, has_plate ? 7 : 4}},
      [half](const dg::Point& x) {
        const double aside = std::max(x[0], x[1]);
        if (aside < half + 0.5 && x[2] < 1 && x[2] > -0.5) return "near";
        return aside < half + 1 && x[2] < 1.5 && x[2] > -1 ? "air" : "layer";
      });
  if (!has_plate) return mesh;
  name_faces(mesh, "plate",
             [half](const dg::Point& x) { return std::abs(x[2]) < 1e-9 && std::max(x[0], x[1]) < half + 1e-9; });
  return mesh;
}

constexpr const char* dipole_above_ground = R"yaml(
solver: {order: 5}
time: {end: 14}
pml: {region: layer, thickness: 0.5, shape: box}
symmetry: [{plane: x, kind: electric}, {plane: y, kind: magnetic}]
sources:
  - {type: dipole, at: [0, 0, 0.25], moment: [1, 0, 0], waveform: {type: gaussian_pulse, frequency: 1, bandwidth: 0.8}}
outputs: {far_field: {enclosing: near, frequencies: [1], theta: {to: 40, step: 10}, phi: [0, 90]}}
)yaml";

/// The largest deviation of E, relative to it in the same direction, from that of the dipole and its image.
double off_the_image(const dg::Table& found) {
  constexpr double k = 2 * pi, height = 0.25;
  double largest = 0;
  for (std::size_t i = 0; i < found.rows(); ++i) {
    const double theta = found.column("theta_deg")[i] * pi / 180, phi = found.column("phi_deg")[i] * pi / 180;
    const std::complex<double> both(0, k * k / (4 * pi) * 2 * std::sin(k * height * std::cos(theta)));
    const std::complex<double> E_theta(found.column("E_theta_re")[i], found.column("E_theta_im")[i]);
    const std::complex<double> E_phi(found.column("E_phi_re")[i], found.column("E_phi_im")[i]);
    const double along_theta = std::cos(theta) * std::cos(phi), along_phi = -std::sin(phi);
    const double off = std::hypot(std::abs(E_theta - both * along_theta), std::abs(E_phi - both * along_phi));
    largest = std::max(largest, off / (std::abs(both) * std::hypot(along_theta, along_phi)));
  }
  return largest;
}

/// What an endless plane sends along itself is nothing here, so little is scattered at a plate's edges: that is all
/// that it differs by. Off are at order 5 (at order 6), of plates of 0.5, 1, 1.5 and 2.5 wavelengths from the middle to
/// the edges, 19.1, 9.1, 4.5 and 2.5 % (19.1, 8.9 and 4.6 % of the first three), of the endless plane 0.19 % (0.03 %).
TEST_F(Antennas, over_an_endless_ground_are_what_they_are_over_a_plate_in_the_mesh_but_for_its_edges) {
  const std::string text = dipole_above_ground;
  Simulation endless(with_mesh(above_ground(0.5, false), text,
                               {"boundaries=[{region: \"*\", type: pec}]", "outputs.far_field.ground={plane: z}"}));
  endless.run();
  ASSERT_EQ(endless.table("radiation").rows(), 10U);
  EXPECT_LT(off_the_image(endless.table("radiation")), 3e-3);
  for (const auto& [half, expected] : {std::pair{0.5, 0.19}, std::pair{1.5, 0.045}}) {
    Simulation plate(with_mesh(above_ground(half, true), text,
                               {"boundaries=[{region: plate, type: pec}, {region: \"*\", type: pec}]"}));
    plate.run();
    const double off = off_the_image(plate.table("radiation"));
    EXPECT_NEAR(off, expected, 0.005) << half;
  }
}

}  // namespace
}  // namespace maxwell_dg::testing
