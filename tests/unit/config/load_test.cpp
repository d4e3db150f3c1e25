#include <algorithm>
#include <cmath>
#include <complex>

#include <gtest/gtest.h>

#include "apps/config/materials/loss_tangent.hpp"
#include "apps/config/mesh_keys.hpp"
#include "apps/config/scaling.hpp"
#include "core/error.hpp"
#include "tests/unit/config/config_files.hpp"

namespace maxwell_dg::config {
namespace {

std::string on_file(const std::string& file, const std::string& more = "") {
  return "mesh: {file: " + file + "}\n" + minimal.substr(minimal.find("time:")) + more;
}

double number_of(const Config& config, std::size_t material, const std::string& constant) {
  return std::get<double>(config.materials.at(material).constants.at(constant).components.at(0));
}

TEST(LoadConfig, what_is_left_out_has_its_default) {
  const Config config = ConfigFile(minimal, "short.yaml").load();
  EXPECT_EQ(config.units, Units::si);
  EXPECT_EQ(config.system, "maxwell");
  EXPECT_EQ(config.solver.order, 4);
  EXPECT_EQ(config.solver.precision, Dtype::float32);
  EXPECT_EQ(config.solver.flux, 1.0);
  EXPECT_EQ(config.device, "auto");
  EXPECT_EQ(number_of(config, 0, "epsilon_r"), 1.0);
  EXPECT_EQ(config.initial_fields.at("H"), (std::vector<Formula>{"0", "0", "0"}));
  EXPECT_FALSE(config.reference_solution);
  EXPECT_FALSE(config.outputs.fields);
  EXPECT_EQ(config.outputs.directory, "out/short");
}

TEST(LoadConfig, a_cad_file_is_meshed_in_the_order_of_the_solver_and_in_its_own_unit) {
  const Config cad = ConfigFile(on_file("horn.step", "solver: {order: 3}\n")).load();
  EXPECT_EQ(cad.mesh.order, 3);
  EXPECT_EQ(cad.mesh.scale, std::nullopt);
  EXPECT_EQ(cad.mesh.size, std::nullopt);
  EXPECT_EQ(mesh_reading(cad).order, 3);
  const Config own = ConfigFile(on_file("horn.step")).load({"mesh.order=1", "mesh.size=5 mm", "mesh.scale=1e-6"});
  EXPECT_EQ(own.mesh.order, 1);
  EXPECT_EQ(own.mesh.size, 0.005);
  EXPECT_EQ(mesh_reading(own).scale, 1e-6);
  EXPECT_EQ(ConfigFile(on_file("horn.brep")).load().mesh.scale, 1) << "BREP has no unit";
  EXPECT_EQ(ConfigFile(on_file("horn.step", "units: normalized\n")).load({"time.end=1"}).mesh.scale, 1);
}

TEST(LoadConfig, a_script_is_meshed_as_it_says_unless_the_config_does) {
  const Config plain = ConfigFile(on_file("a.geo")).load();
  EXPECT_EQ(mesh_reading(plain).order, std::nullopt);
  EXPECT_EQ(mesh_reading(plain).scale, 1);
  EXPECT_EQ(mesh_reading(ConfigFile(on_file("a.geo")).load({"mesh.order=2"})).order, 2);
}

TEST(LoadConfig, a_lumped_element_without_a_name_has_that_of_its_boundary) {
  const std::string load = "type: rlc, boundary: load, resistance: 50 ohm, inductance: 1 nH, topology: parallel";
  const Config config = ConfigFile(on_file("a.geo")).load({"elements=[{" + load + ", from: trace, to: ground}]"});
  EXPECT_EQ(config.elements.at(0).name, "load");
  EXPECT_EQ(std::get<RlcElement>(config.elements.at(0).kind).connection, RlcElement::Connection::parallel);
}

TEST(LoadConfig, every_key_reaches_its_member) {
  const ConfigFile file(everything);
  const Config config = file.load();
  EXPECT_EQ(config.constants.at(1), (std::pair<std::string, double>{"twice", 4.4428}));
  EXPECT_EQ(config.mesh.file, (file.folder() / "../meshes/sphere.msh").lexically_normal());
  EXPECT_EQ(config.mesh.scale, 0.001);
  EXPECT_EQ(config.solver.order, 3);
  EXPECT_EQ(config.solver.precision, Dtype::float64);
  EXPECT_EQ(config.solver.flux, 0.25);
  EXPECT_EQ(config.solver.cfl, 0.5);
  EXPECT_EQ(config.device, "cpu");
  EXPECT_EQ(config.time.periods, 20.0);
  EXPECT_DOUBLE_EQ(config.end_time(), 20e-9);
  EXPECT_EQ(config.materials.at(1).region, (RegionNames{"core", "a b"}));
  EXPECT_EQ(number_of(config, 1, "mu_r"), 1.5);
  EXPECT_DOUBLE_EQ(number_of(config, 1, "sigma"), 0.005);
  EXPECT_EQ(config.boundaries.at(1).region, RegionNames{"*"});
  EXPECT_EQ(config.boundaries.at(1).type(), "pmc");
  EXPECT_EQ(std::get<Condition>(config.boundaries.at(2).kind).numbers.at("impedance"), 50.0);
  EXPECT_EQ(std::get<Periodic>(config.boundaries.at(3).kind).with, "right");
  EXPECT_EQ(config.initial_fields.at("H").at(2), "-z^2");
  EXPECT_EQ(config.reference_solution->at("E").at(0), "sin(w*t)");
  EXPECT_EQ(config.reference_solution->at("H").at(0), "0");
  const Waveform& pulse = std::get<PlaneWave>(config.sources.at(0)).waveform;
  EXPECT_EQ(pulse.type, Waveform::Type::gaussian_pulse);
  EXPECT_EQ(pulse.frequency, 1e9);
  EXPECT_EQ(pulse.bandwidth, 5e8);
  EXPECT_EQ(pulse.amplitude, 3.0);
  EXPECT_DOUBLE_EQ(pulse.delay.value(), 2e-9);
  const auto& second = std::get<PlaneWave>(config.sources.at(1));
  EXPECT_EQ(second.polarization, (Vector3{0, 2, 0}));
  EXPECT_EQ(second.waveform.value, "exp(-t^2)");
  EXPECT_EQ(config.outputs.directory, "out/here");
  EXPECT_DOUBLE_EQ(config.outputs.fields->every.value(), 5e-10);
  EXPECT_EQ(config.outputs.fields->quantities, std::vector<std::string>{"H"});
  EXPECT_EQ(config.outputs.probes.at(0).name, "p1");
  EXPECT_DOUBLE_EQ(config.outputs.probes.at(0).at[2], 0.1);
  EXPECT_EQ(config.outputs.energy->every, 7);
}

TEST(LoadConfig, acoustics_has_its_own_materials_boundaries_and_fields) {
  const Config config = ConfigFile(
                            "system: acoustics\nunits: normalized\nmesh: {box: {cells: [1, 1, 1]}}\ntime: {end: 1}\n"
                            "materials: [{region: interior, rho: 1.2, c: 343}]\n"
                            "boundaries: [{region: \"*\", type: rigid}]\n"
                            "initial_fields: {p: cos(pi*x)}\noutputs: {fields: {count: 2}}\n")
                            .load();
  EXPECT_EQ(config.system, "acoustics");
  EXPECT_EQ(config.materials.at(0).constants.size(), 2u);
  EXPECT_EQ(number_of(config, 0, "rho"), 1.2);
  EXPECT_EQ(number_of(config, 0, "c"), 343.0);
  EXPECT_EQ(config.initial_fields.at("p"), std::vector<Formula>{"cos(pi*x)"});
  EXPECT_EQ(config.initial_fields.at("u").size(), 3u);
  EXPECT_EQ(config.outputs.fields->quantities, (std::vector<std::string>{"p", "u"}));
}

TEST(LoadConfig, resolved_config_loads_to_the_same_config) {
  for (const std::string& text : {minimal, everything}) {
    const ConfigFile file(text);
    const std::string resolved = resolved_yaml(file.load());
    // Elsewhere and under another name, as in an output folder.
    const ConfigFile again(resolved, "config.resolved.yaml");
    EXPECT_EQ(resolved_yaml(again.load()), resolved);
  }
}

TEST(LoadConfig, material_constants_are_numbers_formulas_or_names_of_values_in_the_mesh) {
  std::string text = minimal;
  text.replace(text.find("{region: \"*\"}"), 13,
               "{region: a, epsilon_r: 1 + x^2, mu_r: {from_mesh: mine}, sigma: \"5 mS/m\"}, "
               "{region: b, epsilon_r: two, active: true, sigma: -3}");
  const Config config = ConfigFile("constants: {two: 2}\n" + text).load();
  const auto& first = config.materials.at(0).constants;
  EXPECT_EQ(std::get<Formula>(first.at("epsilon_r").components.at(0)), "1 + x^2");
  EXPECT_EQ(std::get<FromMesh>(first.at("mu_r").components.at(0)).name, "mine");
  EXPECT_DOUBLE_EQ(number_of(config, 0, "sigma"), 0.005);
  EXPECT_EQ(std::get<Formula>(config.materials.at(1).constants.at("epsilon_r").components.at(0)), "two");
  EXPECT_TRUE(config.materials.at(1).active);
  EXPECT_EQ(number_of(config, 1, "sigma"), -3.0);
  const std::string resolved = resolved_yaml(config);
  EXPECT_EQ(resolved_yaml(ConfigFile(resolved).load()), resolved);
}

TEST(LoadConfig, a_material_of_the_table_gives_what_is_left_out) {
  std::string text = minimal;
  text.replace(
      text.find("{region: \"*\"}"), 13,
      "{epsilon_r: 2.1, region: a, name: teflon}, {region: b, name: copper}, {region: c, name: water, sigma: 2}");
  const Config config = ConfigFile(text).load();
  EXPECT_EQ(number_of(config, 0, "epsilon_r"), 2.1);
  EXPECT_EQ(number_of(config, 1, "sigma"), 5.813e7);
  EXPECT_EQ(number_of(config, 2, "epsilon_r"), 78.3);
  EXPECT_EQ(number_of(config, 2, "sigma"), 2.0);
  const std::string resolved = resolved_yaml(config);
  EXPECT_EQ(resolved_yaml(ConfigFile(resolved).load()), resolved);
}

/// FR4 by its name: a loss tangent of 0.02 from 1 to 10 GHz within the error that is said, and 4.4 in the middle.
TEST(LossTangents, of_a_laminate_of_the_table_hold_in_the_band) {
  std::string text = minimal;
  text.replace(text.find("{region: \"*\"}"), 13,
               "{region: board, name: fr4, loss_tangent: {from: \"1 GHz\", to: \"10 GHz\"}}");
  const Config config = ConfigFile(text).load();
  const Material& board = config.materials.front();
  const auto epsilon = [&](double frequency) {
    std::complex<double> sum = std::get<double>(components_of(board, "epsilon_r").front());
    for (const Pole& pole : poles_of(board)) {
      EXPECT_EQ(pole.model, Pole::Model::debye);
      sum += pole.delta_epsilon / std::complex(1.0, 2 * M_PI * frequency * pole.tau);
    }
    return sum;
  };
  EXPECT_NEAR(epsilon(std::sqrt(10.0) * 1e9).real(), 4.4, 1e-9);
  double largest = 0;
  for (int i = 0; i <= 1000; ++i) {
    const std::complex<double> here = epsilon(1e9 * std::pow(10, i / 1e3));
    largest = std::max(largest, std::abs(-here.imag() / here.real() / 0.02 - 1));
  }
  EXPECT_LT(largest, 0.03);
  EXPECT_GT(largest, 0.003) << "fewer poles than keep it would do";
  const auto described = describe_loss_tangents(config);
  ASSERT_EQ(described.size(), 1U);
  EXPECT_EQ(described[0].first, "loss tangent of 'board'");
  EXPECT_TRUE(described[0].second.starts_with("0.02 within ")) << described[0].second;
  const double said = std::stod(described[0].second.substr(12)) / 100;
  EXPECT_GE(said, largest - 1e-5);
  EXPECT_LT(said, largest + 2e-3);
}

TEST(LoadConfig, resolved_config_shows_the_defaults) {
  const std::string resolved = resolved_yaml(ConfigFile(minimal).load());
  EXPECT_NE(resolved.find("order: 4\n"), std::string::npos) << resolved;
  EXPECT_NE(resolved.find("flux: upwind\n"), std::string::npos);
  EXPECT_NE(resolved.find("sigma: 0\n"), std::string::npos);
  EXPECT_NE(resolved.find("directory: \"out/case\"\n"), std::string::npos);
}

TEST(LoadConfig, resolved_config_has_numbers_as_people_write_them) {
  const ConfigFile file(minimal);
  const std::vector<std::string> changes{"time.end=6 ns",
                                         "mesh.box.max=[22.86 mm, 0.01016, 12000]",
                                         "materials.0.sigma=58.13 MS/m",
                                         "outputs.s_parameters={from: 8.2 GHz, to: 2.1e14}",
                                         "ports=[{name: a, boundary: x_min, mode: te10}]",
                                         "sources=[{type: port, waveform: {type: sine, frequency: 8.2e9}}]"};
  const std::string resolved = resolved_yaml(file.load(changes));
  for (const char* text : {"end: \"6 ns\"\n", "max: [\"22.86 mm\", 0.01016, \"12 km\"]\n", "sigma: \"58.13 MS/m\"\n",
                           "from: \"8.2 GHz\"\n", "to: \"210 THz\"\n", "frequency: \"8.2 GHz\"\n"}) {
    EXPECT_NE(resolved.find(text), std::string::npos) << text << resolved;
  }
  const Config again = ConfigFile(resolved).load();
  EXPECT_EQ(again.outputs.s_parameters->to, 2.1e14);
  EXPECT_EQ(again.time.end, 6e-9);
}

TEST(LoadConfig, a_unit_that_was_written_is_written_again) {
  const std::vector<std::string> changes{"time.end=2 s",
                                         "mesh.box={min: [0 m, 0, 0.0], max: [100 m, 0.1 um, 7], cells: [1, 1, 1]}",
                                         "sources=[{type: dipole, at: [1 mm, 2, 3 m], moment: [0, 0, 1], waveform: "
                                         "{type: sine, frequency: 5 Hz}}]",
                                         "outputs.frequency_fields={frequencies: [5 Hz, 6, 0.30000000000000004 Hz]}"};
  const Config config = ConfigFile(minimal).load(changes);
  const Config again = ConfigFile(resolved_yaml(config)).load();
  for (const std::string& key : config.with_unit) EXPECT_TRUE(again.with_unit.contains(key)) << key;
  EXPECT_TRUE(config.with_unit.contains("sources.0.waveform.frequency"));
  EXPECT_FALSE(again.with_unit.contains("sources.0.at.1"));
  EXPECT_EQ(again.outputs.frequency_fields->frequencies, config.outputs.frequency_fields->frequencies);
  EXPECT_EQ(resolved_yaml(again), resolved_yaml(config));
}

TEST(LoadConfig, names_with_special_characters_survive_the_round_trip) {
  std::string text = minimal;
  text.replace(text.find("{region: \"*\"}"), 13, R"({region: ["a: b", "quote\"d", "tab\there", "#1", "null", "Ünï"]})");
  const Config config = ConfigFile(text).load();
  const Config again = ConfigFile(resolved_yaml(config)).load();
  EXPECT_EQ(config.materials.at(0).region.size(), 6u);
  EXPECT_EQ(again.materials.at(0).region, config.materials.at(0).region);
}

TEST(LoadConfig, overrides_change_add_and_index) {
  const ConfigFile file(minimal);
  const Config config = file.load({"solver.order=2", "materials.0.sigma=1 S/m", "time.end=3 ns", "time.end=4 ns",
                                   "outputs.probes=[{name: a, at: [0, 0, 0]}]", "outputs.directory=elsewhere"});
  EXPECT_EQ(config.solver.order, 2);
  EXPECT_EQ(number_of(config, 0, "sigma"), 1.0);
  EXPECT_DOUBLE_EQ(config.time.end.value(), 4e-9);
  EXPECT_EQ(config.outputs.probes.at(0).name, "a");
  EXPECT_EQ(config.outputs.directory, "elsewhere");
}

TEST(LoadConfig, an_override_by_null_leaves_a_key_out) {
  const ConfigFile file(minimal + "outputs: {fields: {count: 2}, energy: {every: 7}}\n");
  const Config config = file.load({"outputs.fields=null", "outputs.probes=null", "outputs.energy=null",
                                   "outputs.energy.every=9", "mesh.file=null"});
  EXPECT_FALSE(config.outputs.fields);
  EXPECT_EQ(config.outputs.energy.value().every, 9);
}

TEST(LoadConfig, anchors_and_aliases_are_plain_yaml) {
  const Config config =
      ConfigFile(minimal + "initial_fields: {E: [&f \"sin(x)\", *f, \"0\"], H: [*f, \"0\", \"0\"]}\n").load();
  EXPECT_EQ(config.initial_fields.at("E").at(1), "sin(x)");
  EXPECT_EQ(config.initial_fields.at("H").at(0), "sin(x)");
}

TEST(LoadConfig, merge_keys_take_keys_from_other_mappings_and_their_own_go_before) {
  const Config config = ConfigFile(
                            "anchors:\n"
                            "  base: &base {order: 2, flux: central, cfl: 0.25}\n"
                            "  fine: &fine {<<: *base, order: 5}\n"
                            "  other: &other {order: 7, precision: double}\n"
                            "  pulse: &pulse {type: gaussian_pulse, frequency: 1e9, bandwidth: 5e8}\n" +
                            minimal +
                            "solver: {cfl: 0.5, <<: [*fine, *other]}\n"
                            "sources:\n"
                            "  - &first {type: dipole, at: [0, 0, 0], moment: [0, 0, 1], waveform: *pulse}\n"
                            "  - <<: *first\n"
                            "    waveform: {<<: *pulse, amplitude: 3}\n"
                            "constants: {<<: {a: 2}, b: 3 * a}\n")
                            .load();
  EXPECT_EQ(config.solver.order, 5) << "own keys before merged ones, the first mapping of a list before the next";
  EXPECT_EQ(config.solver.flux, 0) << "what is merged has merged before";
  EXPECT_EQ(config.solver.cfl, 0.5) << "own keys before merged ones, wherever they stand";
  EXPECT_EQ(config.solver.precision, Dtype::float64);
  const auto &first = std::get<Dipole>(config.sources.at(0)), &second = std::get<Dipole>(config.sources.at(1));
  EXPECT_EQ(second.at, first.at);
  EXPECT_EQ(second.waveform.amplitude, 3);
  EXPECT_EQ(second.waveform.bandwidth, 5e8);
  EXPECT_EQ(config.constants.at(1).second, 6) << "merged constants stand where the merge key does";
  EXPECT_EQ(resolved_yaml(config).find("anchors"), std::string::npos);
}

TEST(LoadConfig, what_was_merged_can_be_replaced) {
  const Config config = ConfigFile("anchors: {a: &a {order: 2, cfl: 0.5}}\n" + minimal + "solver: {<<: *a}\n")
                            .load({"solver.order=3", "anchors.a.cfl=7"});
  EXPECT_EQ(config.solver.order, 3);
  EXPECT_EQ(config.solver.cfl, 0.5) << "an alias is a copy";
}

TEST(LoadConfig, places_are_right_behind_a_byte_order_mark) {
  const ConfigFile file("\xEF\xBB\xBF" + minimal + "constants: {a: 1, b: 'a + q'}\n");
  try {
    static_cast<void>(file.load());
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).substr(file.path().string().size(), 34), ":5:27: constants.b: unknown name '");
  }
}

TEST(LoadConfig, keys_remember_where_they_stand) {
  const ConfigFile file(minimal);
  const Config config = file.load({"solver.order=2"});
  const std::string name = file.path().string();
  EXPECT_EQ(config.blame("materials.0.region", "why"), name + ":3:22: materials.0.region: why");
  EXPECT_EQ(config.blame("solver.order", "why"), "--set: solver.order: why");
  EXPECT_EQ(config.blame("materials.0.sigma", "why"), name + ":3:13: materials.0.sigma: why") << "nearest key above";
  EXPECT_EQ(config.blame("outputs.energy", "why"), name + ": outputs.energy: why");
}

TEST(LoadConfig, normalized_units_take_bare_numbers) {
  const Config config = ConfigFile(minimal).load({"units=normalized", "time.end=2.5"});
  EXPECT_EQ(config.time.end, 2.5);
  EXPECT_THROW(static_cast<void>(ConfigFile(minimal).load({"units=normalized"})), ConfigError);
}

TEST(Scaling, maxwell_in_si_takes_light_a_second_per_c_metres) {
  const Scaling scaling = Scaling::of(Config{});
  EXPECT_EQ(scaling.time, 299792458.0);
  EXPECT_DOUBLE_EQ(scaling.time * scaling.frequency, 1.0);
  EXPECT_NEAR(scaling.field("Hy"), 376.730313, 1e-6);
  EXPECT_EQ(scaling.field("Ex"), 1.0);
  EXPECT_EQ(scaling.number(core::Dimension::conductivity), scaling.field("H"));
  EXPECT_EQ(scaling.number(core::Dimension::none), 1.0);
  EXPECT_NEAR(scaling.impedance * 376.730313668, 1.0, 1e-9);
  // One V/m in one cubic metre of vacuum holds epsilon_0 / 2 joules; inside the energy is 1/2.
  EXPECT_NEAR(0.5 / scaling.energy, 0.5 * 8.8541878128e-12, 1e-21);
}

TEST(Scaling, normalized_units_and_acoustics_are_computed_with_as_they_are) {
  Config normalized, acoustics;
  normalized.units = Units::normalized;
  acoustics.system = "acoustics";
  for (const Scaling& scaling : {Scaling::of(normalized), Scaling::of(acoustics)}) {
    EXPECT_EQ(scaling.time, 1.0);
    EXPECT_EQ(scaling.magnetic, 1.0);
    EXPECT_EQ(scaling.sigma, 1.0);
    EXPECT_EQ(scaling.energy, 1.0);
  }
}

}  // namespace
}  // namespace maxwell_dg::config
