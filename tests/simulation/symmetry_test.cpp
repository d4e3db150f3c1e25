#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "apps/simulation/ports.hpp"
#include "core/error.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/simulation/boxes.hpp"
#include "tests/simulation/fixture.hpp"
#include "tests/support/named_faces.hpp"
#include "tests/support/round_guide.hpp"
#include "tests/unit/observe/vtu_reader.hpp"

/// A part of a symmetric problem has the numbers of the whole, on the mesh that is the part and its mirror images.
namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

class Symmetry : public SimulationTest {
 protected:
  using Planes = std::vector<std::pair<std::size_t, std::string>>;  ///< axis, kind

  /// The config with the mesh of the part, and that of the whole.
  struct Both {
    config::Config part, whole;
  };
  [[nodiscard]] Both load_both(dg::Mesh mesh, const Planes& planes, const std::string& text) const {
    std::string symmetry;
    for (const auto& [axis, kind] : planes) {
      symmetry +=
          (symmetry.empty() ? "{plane: " : ", {plane: ") + std::string(1, "xyz"[axis]) + ", kind: " + kind + "}";
    }
    write("part.h5", mesh);
    for (const auto& plane : planes) mesh = with_mirror_image(mesh, plane.first);
    write("whole.h5", mesh);
    return {.part = load(text, {"mesh.file=part.h5", "symmetry=[" + symmetry + "]"}),
            .whole = load(text, {"mesh.file=whole.h5"})};
  }
  [[nodiscard]] std::string refusal(const dg::Mesh& mesh, const std::string& symmetry, const std::string& text,
                                    std::vector<std::string> changes = {}) const {
    write("part.h5", mesh);
    changes.insert(changes.begin(), {"mesh.file=part.h5", "symmetry=" + symmetry});
    try {
      const Simulation simulation(load(text, changes));
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "none";
  }

 private:
  void write(const std::string& name, dg::Mesh mesh) const {
    dg::prepare(mesh, name, dg::Orientation::any);
    dg::write_mesh(mesh, folder() / name);
  }
};

void expect_equal(const dg::Table& part, const dg::Table& whole, double within) {
  ASSERT_EQ(part.columns(), whole.columns());
  ASSERT_EQ(part.rows(), whole.rows());
  for (std::size_t c = 0; c < whole.columns().size(); ++c) {
    double largest = 1e-3, off = 0;
    for (std::size_t row = 0; row < whole.rows(); ++row) {
      const double there = whole.values()[c][row];
      largest = std::max(largest, std::abs(there));
      off = std::max(off, std::abs(part.values()[c][row] - there));
    }
    EXPECT_LT(off, within * largest) << whole.columns()[c];
  }
}

constexpr const char* two_ports = R"yaml(units: normalized
mesh: {file: part.h5}
solver: {order: 2, precision: double}
time: {end: 30}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
ports:
  - {name: p1, boundary: z_min, mode: te10}
  - {name: p2, boundary: z_max, mode: te10}
sources: [{type: port, ports: [p1], waveform: {type: gaussian_pulse, frequency: 0.4, bandwidth: 0.3}}]
outputs:
  s_parameters: {from: 0.34, to: 0.46, count: 3}
  energy: {every: 3}
)yaml";

dg::Mesh quarter_of_guide() {
  return box_of_regions({.min = {0, 0, 0}, .max = {1, 0.5, 2}, .cells = {2, 1, 2}},
                        [](const dg::Point&) { return "g"; });
}

TEST_F(Symmetry, quarter_of_a_guide_has_the_waves_and_energies_of_the_whole) {
  // E of TE10 is along y: normal to y = 0, and largest in x = 0.
  const Both both = load_both(quarter_of_guide(), {{0, "magnetic"}, {1, "electric"}}, two_ports);
  Simulation part(both.part), whole(both.whole);
  EXPECT_EQ(4 * part.plan().discretization->K(), whole.plan().discretization->K());
  part.run();
  whole.run();
  for (const char* table : {"energy", "port_waves"}) expect_equal(part.table(table), whole.table(table), 1e-9);
}

TEST_F(Symmetry, quarter_of_a_coaxial_line_has_the_impedance_of_the_whole) {
  const dg::Mesh mesh = box_of_regions({.min = {0, 0, 0}, .max = {1.5, 1.5, 2}, .cells = {3, 3, 2}},
                                       [](const dg::Point& x) { return std::max(x[0], x[1]) < 0.5 ? "" : "line"; });
  Both both = load_both(mesh, {{0, "magnetic"}, {1, "magnetic"}}, two_ports);
  for (config::Config* config : {&both.part, &both.whole}) {
    for (config::Port& port : config->ports) port.kind = config::GuideEnd{.mode = "tem"};
  }
  Simulation part(both.part), whole(both.whole);
  const double of_part = part.plan().ports[0].mode.line_impedance.value();
  const double of_whole = whole.plan().ports[0].mode.line_impedance.value();
  EXPECT_NEAR(of_part / of_whole, 1, 1e-10);
  EXPECT_GT(of_whole, 0.1);
  const std::string said = simulation::describe_port(part.plan(), 0), label = "tem, line impedance ";
  ASSERT_TRUE(said.starts_with(label)) << said;
  EXPECT_NEAR(std::stod(said.substr(label.size())) / of_part, 1, 1e-7) << "enough digits to compare with a formula";
  part.run();
  whole.run();
  for (const char* table : {"energy", "port_waves"}) expect_equal(part.table(table), whole.table(table), 1e-9);
  const dg::Table waves = part.table("port_waves");
  for (const double Z : waves.column("impedance")) EXPECT_NEAR(Z, of_part, 1e-12);
}

constexpr const char* antenna = R"yaml(units: normalized
mesh: {file: part.h5}
solver: {order: 2, precision: double}
time: {end: 8}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
sources: [{type: dipole, at: [0, 0, 0], moment: [0, 0, 1], waveform: {type: gaussian_pulse, frequency: 0.7, bandwidth: 0.7}}]
outputs:
  far_field: {enclosing: near, frequencies: [0.6, 0.8], theta: {from: 10, to: 170, step: 20}, phi: [0, 35, 200]}
  energy: {every: 5}
)yaml";

TEST_F(Symmetry, eighth_around_a_dipole_radiates_as_the_whole_does) {
  const std::string text = std::string(antenna).replace(std::string(antenna).find("near,"), 5, "[body, near],");
  const Both both = load_both(box_around_near({0, 0, 0}), {{0, "magnetic"}, {1, "magnetic"}, {2, "electric"}}, text);
  Simulation part(both.part), whole(both.whole);
  part.run();
  whole.run();
  for (const char* table : {"energy", "radiation"}) expect_equal(part.table(table), whole.table(table), 1e-9);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(part.table("antenna").column("radiated_power")[i] / whole.table("antenna").column("radiated_power")[i],
                1, 1e-9);
  }
}

/// Three plates above each other, a port that is a ring between the lower two and a resistor with a coil between the
/// upper two, in a layer.
constexpr const char* fed_plates = R"yaml(units: normalized
mesh: {file: part.h5}
solver: {order: 2, precision: double}
time: {end: 14}
materials: [{region: body, epsilon_r: 2}, {region: "*", epsilon_r: 1}]
boundaries: [{region: [bottom, top, lid], type: pec}, {region: "*", type: pec}]
pml: {region: layer, thickness: 0.3, shape: box}
ports: [{name: feed, type: lumped, boundary: gap, impedance: 0.5, from: top, to: bottom}]
elements: [{name: load, type: rlc, boundary: slot, from: lid, to: top, resistance: 2, inductance: 0.1}]
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.5, bandwidth: 0.5}}]
outputs:
  s_parameters: {from: 0.4, to: 0.6, count: 3}
  far_field: {enclosing: [body, near], frequencies: [0.4, 0.6], theta: {from: 10, to: 170, step: 40}, phi: [0, 35, 200]}
  energy: {every: 5}
  elements: {every: 5}
)yaml";

TEST_F(Symmetry, quarter_of_an_antenna_of_thin_metal_with_port_load_and_layer_is_the_whole) {
  dg::Mesh mesh = box_of_regions({.min = {0, 0, -1.2}, .max = {1.2, 1.2, 1.2}, .cells = {4, 4, 8}},
                                 [](const dg::Point& x) -> std::string {
                                   const double largest = std::max({x[0], x[1], std::abs(x[2])});
                                   if (largest < 0.3) return "body";
                                   return largest < 0.6 ? "near" : largest < 0.9 ? "air" : "layer";
                                 });
  constexpr double side = 0.3, small = 1e-9;
  const std::vector<std::pair<std::string, double>> plates{{"bottom", -0.3}, {"top", 0}, {"lid", 0.3}};
  for (const auto& [name, z] : plates) {
    name_faces(mesh, name, [&, height = z](const dg::Point& x) {
      return std::abs(x[2] - height) < small && std::max(x[0], x[1]) < side + small;
    });
  }
  for (const auto& [name, z] : std::vector<std::pair<std::string, double>>{{"gap", -0.3}, {"slot", 0}}) {
    for (const std::size_t axis : {0U, 1U}) {  // a face lies in one of the ring's sides
      name_faces(mesh, name, [&, from = z](const dg::Point& x) {
        return std::abs(x.at(axis) - side) < small && x.at(1 - axis) < side + small && x[2] > from - small &&
               x[2] < from + 0.3 + small;
      });
    }
  }
  const Both both = load_both(mesh, {{0, "magnetic"}, {1, "magnetic"}}, fed_plates);
  Simulation part(both.part), whole(both.whole);
  EXPECT_EQ(4 * part.plan().discretization->K(), whole.plan().discretization->K());
  part.run();
  whole.run();
  for (const char* table : {"port_waves", "antenna", "radiation", "energy", "elements"}) {
    expect_equal(part.table(table), whole.table(table), 1e-8);
  }
  // The values are some: it radiates, and the load takes a part.
  EXPECT_GT(whole.table("antenna").column("radiation_efficiency")[1], 0.05);
  EXPECT_LT(whole.table("antenna").column("radiation_efficiency")[1], 0.99);
  EXPECT_LT(whole.table("antenna").column("s11_db")[1], -0.05);
}

constexpr const char* scatterer = R"yaml(units: normalized
mesh: {file: part.h5}
solver: {order: 2, precision: double}
time: {end: 8}
materials: [{region: body, epsilon_r: 3}, {region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: absorbing}]
sources:
  - {type: plane_wave, direction: [0, 0, 1], polarization: [1, 0, 0], injection: {type: scattered_field},
     waveform: {type: gaussian_pulse, frequency: 0.7, bandwidth: 0.7}}
outputs:
  far_field: {enclosing: [body, near], frequencies: [0.6, 0.8], theta: {from: 10, to: 170, step: 20}, phi: [0, 35, 200]}
  energy: {every: 5}
)yaml";

TEST_F(Symmetry, quarter_of_a_scatterer_has_the_cross_section_of_the_whole) {
  for (const char* injection : {"{type: scattered_field}", "{type: total_field, regions: [body, near]}"}) {
    const std::string text = std::string(scatterer).replace(std::string(scatterer).find("{type: scattered_field}"),
                                                            std::string("{type: scattered_field}").size(), injection);
    const Both both = load_both(box_around_near({0, 0, -0.9}), {{0, "electric"}, {1, "magnetic"}}, text);
    Simulation part(both.part), whole(both.whole);
    part.run();
    whole.run();
    for (const char* table : {"energy", "rcs"}) expect_equal(part.table(table), whole.table(table), 1e-8);
  }
}

/// [component] the sum over points of a quantity times a function without symmetry, which tells vectors apart.
std::vector<double> moments(const dg::Snapshot& snapshot, std::size_t quantity) {
  std::vector<double> sums;
  for (const std::vector<double>& component : snapshot.quantities.at(quantity).components) {
    double& sum = sums.emplace_back(0.0);
    for (std::size_t i = 0; i < component.size(); ++i) {
      const dg::Point& x = (*snapshot.points)[i];
      sum += component[i] * (1 + x[0]) * (1 + 2 * x[1]) * (1 - x[2]) * (1 + x[0] * x[1]);
    }
  }
  return sums;
}

TEST_F(Symmetry, pictures_show_the_whole) {
  const Both both =
      load_both(box_around_near({0, 0, -0.9}), {{0, "electric"}, {1, "magnetic"}},
                std::string(scatterer) +
                    "  fields: {count: 1}\n  surface_fields: {surfaces: [x_max], count: 1, quantities: [E, J, H]}\n" +
                    "  frequency_fields: {frequencies: [0.7]}\n");
  std::vector<dg::Snapshot> of_part, of_whole;
  Simulation part(both.part, {.on_snapshot = [&](const dg::Snapshot& s) { of_part.push_back(s); }});
  Simulation whole(both.whole, {.on_snapshot = [&](const dg::Snapshot& s) { of_whole.push_back(s); }});
  part.run();
  whole.run();
  ASSERT_EQ(of_part.size(), of_whole.size());
  ASSERT_GT(of_part.size(), 3U);
  for (std::size_t i = 0; i < of_part.size(); ++i) {
    ASSERT_EQ(of_part[i].points->size(), of_whole[i].points->size()) << of_part[i].series;
    for (std::size_t q = 0; q < of_whole[i].quantities.size(); ++q) {
      const std::vector<double> found = moments(of_part[i], q), expected = moments(of_whole[i], q);
      for (std::size_t c = 0; c < expected.size(); ++c) {
        EXPECT_NEAR(found[c], expected[c], 1e-7) << of_part[i].series << " " << of_part[i].quantities[q].name;
      }
    }
  }
}

TEST_F(Symmetry, files_have_the_cells_of_the_whole_right_handed_with_mirrored_fields) {
  const std::string text = std::string(scatterer) + "  fields: {count: 1, quantities: [E]}\n";
  (void)load_both(box_around_near({0, 0, -0.9}), {{0, "electric"}, {1, "magnetic"}}, text);
  const std::string symmetry = "symmetry=[{plane: x, kind: electric}, {plane: y, kind: magnetic}]";
  const Outcome outcome =
      run_program_on(text, "out", {"--set", symmetry, "--set", "mesh.file=" + (folder() / "part.h5").string()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto file = folder() / "out/fields_000001.vtu";
  const std::vector<double> x = read_vtu_array(file, "Points"), nodes = read_vtu_array(file, "connectivity"),
                            E = read_vtu_array(file, "E"), regions = read_vtu_array(file, "region");
  EXPECT_EQ(regions.size(), 4 * 324U);
  const std::size_t per_cell = nodes.size() / regions.size(), part = x.size() / 4;
  for (std::size_t k = 0; k < regions.size(); ++k) {
    std::array<dg::Point, 4> v{};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto at = 3 * static_cast<std::size_t>(nodes[k * per_cell + i]);
      v.at(i) = {x[at], x[at + 1], x[at + 2]};
    }
    const auto edge = [&](std::size_t i) { return dg::minus(v.at(i), v[0]); };
    EXPECT_GT(dg::dot(dg::cross(edge(1), edge(2)), edge(3)), 0) << k;
  }
  const double position[4][3] = {{1, 1, 1}, {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1}};
  const double field[4][3] = {{1, 1, 1}, {1, -1, -1}, {1, -1, 1}, {1, 1, -1}};
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t i = 0; i < part; ++i) {
      ASSERT_EQ(x[p * part + i], position[p][i % 3] * x[i]);
      ASSERT_EQ(E[p * part + i], field[p][i % 3] * E[i]);
    }
  }
}

TEST_F(Symmetry, source_that_breaks_it_is_refused) {
  const dg::Mesh mesh = box_around_near({0, 0, -0.9});
  const std::string x_electric = "[{plane: x, kind: electric}]";
  const std::string both = "[{plane: x, kind: electric}, {plane: y, kind: magnetic}]";
  const std::string remedy = "; or use the whole mesh, without this plane of `symmetry`";
  const auto expect = [&](const std::string& symmetry, const std::string& change, const std::string& message) {
    const std::string found = refusal(mesh, symmetry, scatterer, {change});
    EXPECT_TRUE(found.find(message) != std::string::npos) << "found: " << found << "\nwanted: " << message;
  };
  expect(both, "solver.order=1", "none");
  expect(both, "sources.0.polarization=[0, 1, 0]",
         "sources.0.polarization: breaks the electric symmetry of the plane x = 0: E must be normal to the plane" +
             remedy);
  expect(both, "sources=[{type: dipole, at: [0, 0, 0.1], moment: [0, 0, 1], waveform: {type: ricker, frequency: 1}}]",
         "sources.0.moment: breaks the electric symmetry of the plane x = 0: the moment must be normal to the plane");
  expect(both, "sources=[{type: dipole, at: [0.1, 0, 0], moment: [1, 0, 0], waveform: {type: ricker, frequency: 1}}]",
         "sources.0.at: breaks the electric symmetry of the plane x = 0: the dipole does not lie in the plane");
  expect(both, "initial_fields={E: [\"exp(-x*x)\", \"y*x\", \"0.1 + x\"]}",
         "initial_fields.E.2: breaks the electric symmetry of the plane x = 0: as functions of x its components must "
         "be: x "
         "even, y odd, z odd");
  expect(
      both, "materials=[{region: \"*\", epsilon_r: [[2, 1, 0], [1, 2, 0], [0, 0, 1]]}]",
      "materials: breaks the electric symmetry of the plane x = 0: the entry xy of epsilon_r must be 0, and is 1 at (");
  const auto smooth = [](const std::string& xy) {
    return "materials=[{region: \"*\", profile: smooth, epsilon_r: [[2 + x^2, " + xy + ", 0], [" + xy +
           ", 2, 0], [0, 0, 1]]}]";
  };
  expect("[{plane: x, kind: electric}]", smooth("sin(x)"),
         "sources.0.injection.type: scattered_field goes with a single medium without losses where it leaves the mesh, "
         "but there is a medium that varies within it at the absorbing boundary ");
  expect(
      "[{plane: x, kind: electric}]", smooth("x*x - 0.3"),
      "materials.0.epsilon_r: breaks the electric symmetry of the plane x = 0: as a function of x the entry xy must be "
      "odd, and is not at (");
  expect("[{plane: z, kind: electric}]", "solver.order=1",
         "symmetry.0.plane: the mesh lies on both sides of z = 0, from -0.9 to 0.9: mesh the part on one side");
  expect(
      both, "boundaries=[{region: [x_min, z_min], type: pec}, {region: \"*\", type: absorbing}]",
      "boundaries.0.region: 'x_min' lies in the plane of symmetry x = 0, which needs no condition: leave the name out");
  for (const auto& [pair, key] :
       {std::pair{"x_min, type: periodic, with: x_max", "region"}, {"x_max, type: periodic, with: x_min", "with"}}) {
    expect(both, "boundaries=[{region: " + std::string(pair) + "}, {region: \"*\", type: absorbing}]",
           "boundaries.0." + std::string(key) +
               ": 'x_min' lies in the plane of symmetry x = 0, and cannot be periodic, too: leave this plane out of "
               "`symmetry`; or, of half a cell without a phase, leave this boundary out and give 'x_max', the cell's "
               "other plane of symmetry, type pec");
  }
  expect(both, "outputs={probes: [{name: p, at: [-0.2, -0.1, 0.5]}]}",
         "outputs.probes.0.at: probe 'p' at (-0.2, -0.1, 0.5) lies outside of the mesh, which spans (0, 0, -0.9) to "
         "(0.9, 0.9, 0.9); its mirror image at x = 0 and y = 0, (0.2, 0.1, 0.5), lies in the mesh: `symmetry` leaves "
         "the other part to it, so take that point");
  expect("[{plane: x, kind: electric}, {plane: x, kind: magnetic}]", "solver.order=1",
         "symmetry.1.plane: the plane x = 0 has an entry already");
}

TEST_F(Symmetry, initial_field_that_breaks_it_is_blamed_where_its_component_stands) {
  const std::string text = std::string(scatterer) + "initial_fields: {E: [\"exp(-x*x)\", \"y*x\", \"x\"]}\n";
  const std::string found =
      refusal(box_around_near({0, 0, -0.9}), "[{plane: x, kind: electric}]", text, {"initial_fields.E.2=0.1 + x"});
  EXPECT_TRUE(found.starts_with("--set: initial_fields.E.2: breaks the electric symmetry")) << found;
}

TEST_F(Symmetry, current_is_compared_with_its_mirror_image) {
  const std::string text =
      std::string(scatterer).replace(std::string(scatterer).find("outputs:"), std::string::npos, "");
  const auto found = [&](const std::string& density) {
    return refusal(box_around_near({0, 0, -0.9}), "[{plane: x, kind: electric}]", text,
                   {"sources=[{type: current, region: body, density: " + density + "}]"});
  };
  EXPECT_EQ(found("[\"cos(x) * t\", \"x * t\", \"sin(x) * t\"]"), "none");
  EXPECT_NE(
      found("[\"cos(x) * t\", \"x * t\", \"cos(x) * t\"]").find("sources.0.density.2: breaks the electric symmetry"),
      std::string::npos);
}

TEST_F(Symmetry, port_that_is_not_its_own_image_is_refused) {
  const std::string symmetric = refusal(quarter_of_guide(), "[{plane: x, kind: electric}]", two_ports);
  EXPECT_NE(symmetric.find("ports.0: 'z_min' has a mode that is not its own mirror image in the plane x = 0, where "
                           "tangential E vanishes; use the whole mesh"),
            std::string::npos)
      << symmetric;
  // Of te20, E vanishes in the magnetic plane altogether; it is odd there.
  const std::string odd = refusal(quarter_of_guide(), "[{plane: x, kind: magnetic}]", two_ports,
                                  {"ports.0.mode=te20", "outputs.s_parameters=null", "sources.0.ports=p1"});
  EXPECT_NE(odd.find("not its own mirror image in the plane x = 0, where tangential H vanishes"), std::string::npos)
      << odd;
  const std::string twice = refusal(quarter_of_guide(), "[{plane: z, kind: electric}]", two_ports,
                                    {"ports=[{name: p2, boundary: z_max, mode: te10}]", "sources.0.ports=[p2]"});
  EXPECT_NE(twice.find("ports.0: does not meet the plane of symmetry z = 0, so that the whole has it twice"),
            std::string::npos)
      << twice;
}

}  // namespace
}  // namespace maxwell_dg::testing
