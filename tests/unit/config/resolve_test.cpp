#include "apps/config/resolve.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "apps/config/materials/media.hpp"
#include "apps/config/mesh_keys.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/digest.hpp"
#include "tests/unit/config/config_files.hpp"

namespace maxwell_dg::config {
namespace {

/// A box of 2 x 1 x 1 cuboids whose right half is the region `glass`.
struct TwoHalves {
  TwoHalves() : mesh(dg::make_box({.min = {0, 0, 0}, .max = {2, 1, 1}, .cells = {2, 1, 1}})) {
    mesh.regions = {"air", "glass"};
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) mesh.cell_region[k] = is_right(k) ? 1 : 0;
    connectivity = dg::Connectivity::make(mesh);
    geometry = dg::Geometry::make(mesh);
  }
  [[nodiscard]] bool is_right(std::size_t k) const {
    double x = 0;
    for (const auto v : mesh.cells[k]) x += mesh.vertices[static_cast<std::size_t>(v)][0] / 4;
    return x > 1;
  }
  [[nodiscard]] Resolved resolve(const Config& config) const {
    const bool sound = config.system == "acoustics";
    const bool tensors = is_anisotropic(config);
    return config::resolve(config, sound ? dg::acoustics::system() : dg::maxwell::system({.anisotropic = tensors}),
                           discretization(), dg::PointLocator(mesh, geometry));
  }
  [[nodiscard]] dg::Discretization discretization() const { return {mesh, 1}; }
  dg::Mesh mesh;
  dg::Connectivity connectivity;
  dg::Geometry geometry;
};

const std::string two_halves =
    "mesh: {box: {cells: [2, 1, 1]}}\n"
    "time: {end: 1e-9}\n"
    "materials:\n"
    "  - {region: air}\n"
    "  - {region: glass, epsilon_r: 2.25, sigma: 0.01}\n"
    "boundaries:\n"
    "  - {region: [x_min, x_max], type: absorbing}\n"
    "  - {region: \"*\", type: pec}\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

// The message without the file's name.
std::string complaint(const std::string& text) {
  const ConfigFile file(text);
  const Config config = file.load();
  try {
    static_cast<void>(TwoHalves().resolve(config));
  } catch (const ConfigError& error) {
    std::string message = error.what();
    const std::string name = file.path().string();
    for (std::size_t at; (at = message.find(name)) != std::string::npos;) message.replace(at, name.size(), "FILE");
    return message;
  }
  return "no error";
}

TEST(Resolve, a_run_takes_curved_tetrahedra_as_they_are) {
  const ConfigFile file(replaced(two_halves, "box: {cells: [2, 1, 1]}", "file: bent.h5"));
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {2, 1, 1}});
  dg::curve(mesh, 3, [](const dg::Point& p) { return dg::Point{p[0], p[1] + 0.1 * p[0] * p[0], p[2]}; });
  dg::prepare(mesh, "bent", dg::Orientation::any);
  dg::write_mesh(mesh, file.path().parent_path() / "bent.h5");
  const WarningCollector collector;
  EXPECT_EQ(dg::digest(make_mesh(file.load())), dg::digest(mesh));
  EXPECT_EQ(mesh.curved.count(), 12U);
  EXPECT_TRUE(collector.warnings().empty());
}

TEST(Resolve, a_medium_by_an_expression_has_its_mean_over_a_curved_cell_as_it_is) {
  TwoHalves halves;
  dg::curve(halves.mesh, 2, [](const dg::Point& p) { return dg::Point{p[0] + 0.1 * p[0] * p[0], p[1], p[2]}; });
  halves.geometry = dg::Geometry::make(halves.mesh);
  const Config config = ConfigFile(replaced(two_halves, "epsilon_r: 2.25", "epsilon_r: '1 + x'")).load();
  const dg::Problem problem = halves.resolve(config).problem;
  const dg::Discretization d(halves.mesh, 2);
  double integral = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    if (d.mesh.cell_region[k] == 0) continue;
    for (const double volume : d.volume_weights(k)) integral += volume * problem.parameters[0][k];
  }
  EXPECT_NEAR(integral, 3.575, 1e-12);  // of (1 + u + 0.1 u^2) (1 + 0.2 u) from u = 1 to 2
}

TEST(Resolve, materials_reach_their_elements_in_units_inside) {
  const TwoHalves halves;
  const dg::Problem problem = halves.resolve(ConfigFile(two_halves).load()).problem;
  ASSERT_EQ(problem.parameters.size(), problem.system.parameters.size());
  for (std::size_t k = 0; k < halves.mesh.cells.size(); ++k) {
    EXPECT_EQ(problem.parameters[0][k], halves.is_right(k) ? 2.25 : 1.0);
    EXPECT_EQ(problem.parameters[1][k], 1.0);
    EXPECT_DOUBLE_EQ(problem.parameters[2][k], halves.is_right(k) ? 0.01 * Scaling::Z_0 : 0.0);
  }
}

TEST(Resolve, of_a_profile_each_element_takes_the_mean) {
  TwoHalves halves;
  dg::distort(halves.mesh, 0.1);
  std::string text = replaced(two_halves, "epsilon_r: 2.25, sigma: 0.01", "epsilon_r: 1 + a*x^2, sigma: y + 1");
  const dg::Problem problem = halves.resolve(ConfigFile("constants: {a: 3}\n" + text).load()).problem;
  for (std::size_t k = 0; k < halves.mesh.cells.size(); ++k) {
    if (!halves.is_right(k)) continue;
    double sum = 0, squares = 0, y = 0;  // over a tetrahedron the mean of x^2 is (sum x_i^2 + (sum x_i)^2) / 20
    for (const auto v : halves.mesh.cells[k]) {
      const dg::Point& p = halves.mesh.vertices[static_cast<std::size_t>(v)];
      sum += p[0];
      squares += p[0] * p[0];
      y += p[1] / 4;
    }
    EXPECT_NEAR(problem.parameters[0][k], 1 + 3 * (squares + sum * sum) / 20, 1e-12);
    EXPECT_NEAR(problem.parameters[2][k], (y + 1) * Scaling::Z_0, 1e-10);
  }
}

TEST(Resolve, the_mean_of_a_profile_that_jumps_stays_between_its_values) {
  const TwoHalves halves;
  for (int order = 1; order <= 9; ++order) {
    const std::string steep = "epsilon_r: \"1 + 99*max(0, min(1, 1e6*(0.3 - abs(x - 1.4))))\"";
    const Config config =
        ConfigFile(replaced(two_halves, "epsilon_r: 2.25", steep) + "solver: {order: " + std::to_string(order) + "}\n")
            .load();
    const dg::Problem problem = halves.resolve(config).problem;
    for (const double epsilon_r : problem.parameters[0]) {
      EXPECT_GE(epsilon_r, 1.0) << "order " << order;
      EXPECT_LE(epsilon_r, 100.0) << "order " << order;
    }
  }
}

TEST(Resolve, values_of_the_mesh_file_go_to_their_cells) {
  TwoHalves halves;
  std::vector<double>& values = halves.mesh.cell_values["measured"];
  for (std::size_t k = 0; k < halves.mesh.cells.size(); ++k) values.push_back(1.0 + static_cast<double>(k));
  const std::string text = replaced(two_halves, "epsilon_r: 2.25", "epsilon_r: {from_mesh: measured}");
  const dg::Problem problem = halves.resolve(ConfigFile(text).load()).problem;
  for (std::size_t k = 0; k < halves.mesh.cells.size(); ++k) {
    EXPECT_EQ(problem.parameters[0][k], halves.is_right(k) ? values[k] : 1.0);
  }
  EXPECT_EQ(
      complaint(text),
      "FILE:5:44: materials.1.epsilon_r.from_mesh: the mesh has no values 'measured'; it has: none. They are "
      "float64 datasets /cell_values/NAME of an HDF5 mesh, one number a cell, or /vertex_values/NAME, one a vertex");
}

TEST(Resolve, tensors_reach_their_elements_with_their_smallest_eigenvalues) {
  const TwoHalves halves;
  const Config config = ConfigFile(replaced(two_halves, "epsilon_r: 2.25",
                                            "epsilon_r: [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 1 + 0*x]], mu_r: [3, 4, 5]"))
                            .load();
  EXPECT_TRUE(is_anisotropic(config));
  EXPECT_FALSE(is_anisotropic(ConfigFile(two_halves).load()));
  const dg::Problem problem = halves.resolve(config).problem;
  const auto value = [&](const std::string& name, std::size_t k) {
    const auto& all = problem.system.parameters;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
    return problem.parameters.at(static_cast<std::size_t>(at - all.begin()))[k];
  };
  for (std::size_t k = 0; k < halves.mesh.cells.size(); ++k) {
    const bool glass = halves.is_right(k);
    EXPECT_DOUBLE_EQ(value("epsilon_r", k), glass ? 5.0 / 3 : 1.0);
    EXPECT_DOUBLE_EQ(value("epsilon_xx", k), glass ? 2 : 1);
    EXPECT_DOUBLE_EQ(value("epsilon_xy", k), glass ? 0.5 : 0);
    EXPECT_DOUBLE_EQ(value("epsilon_yz", k), 0);
    EXPECT_DOUBLE_EQ(value("mu_zz", k), glass ? 5 : 1);
    EXPECT_NEAR(value("epsilon_min", k), 1, 1e-12);
    EXPECT_NEAR(value("mu_min", k), glass ? 3 : 1, 1e-12);
    EXPECT_DOUBLE_EQ(value("sigma", k), glass ? 0.01 * Scaling::Z_0 : 0);
  }
}

TEST(Resolve, tensors_by_expressions_are_looked_at_in_every_element) {
  const auto of = [](const std::string& tensor) {
    return complaint(replaced(two_halves, "epsilon_r: 2.25", "epsilon_r: " + tensor));
  };
  const std::string indefinite = of("[[1, x, 0], [x, 1, 0], [0, 0, 1]]");
  EXPECT_NE(indefinite.find("materials.1.epsilon_r: must be positive definite, and has the eigenvalue -0."),
            std::string::npos)
      << indefinite;
  EXPECT_NE(indefinite.find(" in region 'glass'"), std::string::npos);
  EXPECT_NE(of("[[9, x, 0], [0, 9, 0], [0, 0, 1]]").find("materials.1.epsilon_r: must be symmetric at ("),
            std::string::npos);
}

TEST(Resolve, a_medium_of_the_wrong_sign_is_an_error_with_material_and_place) {
  const auto of = [](const std::string& constants) {
    return complaint(replaced(two_halves, "epsilon_r: 2.25, sigma: 0.01", constants));
  };
  EXPECT_EQ(of("epsilon_r: 0*x").find("FILE:5:32: materials.1.epsilon_r: must be above 0, and is 0 at (1."), 0u);
  EXPECT_NE(of("mu_r: x - 5").find("materials.1.mu_r: must be above 0, and is -3."), std::string::npos);
  EXPECT_NE(of("mu_r: x - 5").find(" in region 'glass'"), std::string::npos);
  EXPECT_NE(of("epsilon_r: log(x - 5)").find("materials.1.epsilon_r: is not a finite number at ("), std::string::npos);
  const std::string gain = of("sigma: -1 - x");
  EXPECT_NE(gain.find("materials.1.sigma: is -2."), std::string::npos) << gain;
  EXPECT_NE(gain.find(" in region 'glass': the medium puts energy in; if that is meant, say active: true beside it"),
            std::string::npos)
      << gain;
  EXPECT_EQ(of("active: true, sigma: -1 - x"), "no error");
}

TEST(Resolve, conditions_reach_their_faces_and_a_star_takes_the_rest) {
  const TwoHalves halves;
  const dg::Problem problem = halves.resolve(ConfigFile(two_halves).load()).problem;
  ASSERT_EQ(problem.boundary.size(), halves.connectivity.boundary_faces.size());
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const std::string& surface =
        halves.mesh.surfaces.at(static_cast<std::size_t>(halves.connectivity.boundary_faces[b].surface));
    const char* expected = surface.starts_with("x_") ? "absorbing" : "pec";
    EXPECT_EQ(problem.boundary[b], problem.system.find_boundary(expected)) << surface;
  }
}

TEST(Resolve, each_surface_of_some_impedance_has_its_own_condition) {
  const TwoHalves halves;
  const std::string text = replaced(two_halves, "[x_min, x_max], type: absorbing",
                                    "x_min, type: impedance, impedance: 1}\n"
                                    "  - {region: x_max, type: impedance, impedance: 2");
  const dg::Problem problem = config::resolve(ConfigFile(text).load(), dg::maxwell::system(), halves.discretization(),
                                              dg::PointLocator(halves.mesh, halves.geometry))
                                  .problem;
  for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
    const std::string& surface =
        halves.mesh.surfaces.at(static_cast<std::size_t>(halves.connectivity.boundary_faces[b].surface));
    const char* expected = surface == "x_min" ? "impedance_0" : surface == "x_max" ? "impedance_1" : "pec";
    EXPECT_EQ(problem.boundary[b], problem.system.find_boundary(expected)) << surface;
  }
}

TEST(Resolve, a_star_takes_cells_and_faces_without_a_name) {
  TwoHalves halves;
  halves.mesh.cell_region.assign(halves.mesh.cells.size(), -1);
  for (auto& face : halves.connectivity.boundary_faces) face.surface = -1;
  const Resolved resolved = halves.resolve(ConfigFile(minimal).load());
  EXPECT_EQ(resolved.problem.boundary.front(), resolved.problem.system.find_boundary("pec"));
}

TEST(Resolve, a_name_the_mesh_does_not_have_is_an_error_with_a_suggestion) {
  EXPECT_EQ(complaint(replaced(two_halves, "region: glass", "region: [glas, glass]")),
            "FILE:5:15: materials.1.region.0: the mesh has no volume region 'glas'; it has: air, glass; did you mean "
            "'glass'?");
  EXPECT_EQ(complaint(replaced(two_halves, "x_max]", "xmax]")),
            "FILE:7:22: boundaries.0.region.1: the mesh has no surface 'xmax'; it has: x_min, x_max, y_min, y_max, "
            "z_min, z_max; did you mean 'x_max'?");
}

TEST(Resolve, a_mesh_without_names_is_told_how_to_get_them) {
  TwoHalves halves;
  halves.mesh.regions.clear();
  halves.mesh.cell_region.assign(halves.mesh.cells.size(), -1);
  try {
    static_cast<void>(halves.resolve(ConfigFile(two_halves).load()));
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("materials.0.region: the mesh has no volume region 'air', nor any other with a name: give it "
                        "one, in Gmsh by a physical group, such as Physical Volume(\"air\") = {1};"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find(" without a name are not covered (first at ("), std::string::npos) << said;
    EXPECT_NE(
        said.find("name them in the mesh (in Gmsh by a physical group, such as Physical Volume(\"name\") = {1};), "
                  "or add {region: \"*\", ...}"),
        std::string::npos)
        << said;
  }
}

TEST(Resolve, a_region_covered_twice_is_an_error) {
  EXPECT_EQ(complaint(replaced(two_halves, "region: glass", "region: [air, glass]")),
            "FILE:5:15: materials.1.region.0: 'air' is already covered by materials.0");
  EXPECT_EQ(complaint(two_halves + "  - {region: \"*\", type: pmc}\n"),
            "FILE:9:14: boundaries.2.region: '*' is already covered by boundaries.1");
}

TEST(Resolve, a_region_without_material_is_an_error) {
  const std::string message = complaint(replaced(two_halves, "  - {region: air}\n", ""));
  EXPECT_EQ(message.find("FILE:4:3: materials: 6 tetrahedra of 'air' are not covered (first at ("), 0u) << message;
  EXPECT_NE(message.find("; add {region: air, ...}"), std::string::npos) << message;
}

TEST(Resolve, one_tetrahedron_without_material_is_told_in_the_singular) {
  TwoHalves halves;
  halves.mesh.regions.emplace_back("chip");
  halves.mesh.cell_region[0] = 2;
  try {
    static_cast<void>(halves.resolve(ConfigFile(two_halves).load()));
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("materials: 1 tetrahedron of 'chip' is not covered (at ("),
              std::string::npos)
        << error.what();
  }
}

TEST(Resolve, an_exterior_face_without_condition_is_an_error) {
  const std::string message = complaint(replaced(two_halves, "region: \"*\"", "region: [y_min, y_max, z_min]"));
  EXPECT_EQ(message.find("FILE:7:3: boundaries: 4 exterior faces of 'z_max' are not covered (first at ("), 0u)
      << message;
}

TEST(Resolve, a_condition_on_an_interior_surface_is_an_error) {
  TwoHalves halves;
  halves.mesh.surfaces.push_back("sheet");
  const ConfigFile file(two_halves + "  - {region: sheet, type: pec}\n");
  try {
    static_cast<void>(halves.resolve(file.load()));
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("boundaries.2.region: no exterior face of the mesh is of 'sheet'"),
              std::string::npos)
        << error.what();
  }
}

TEST(Resolve, probes_are_located_and_one_outside_is_an_error) {
  const std::string probes =
      two_halves + "outputs: {probes: [{name: a, at: [0.5, 0.5, 0.5]}, {name: b, at: [3, 0, 0]}]}\n";
  EXPECT_EQ(
      complaint(probes),
      "FILE:9:66: outputs.probes.1.at: probe 'b' at (3, 0, 0) m lies outside of the mesh, which spans (0, 0, 0) to "
      "(2, 1, 1) m");
  const TwoHalves halves;
  const Config config = ConfigFile(replaced(probes, "[3, 0, 0]", "[1.5, 0.25, 0.75]")).load();
  const Resolved resolved = halves.resolve(config);
  ASSERT_EQ(resolved.probes.size(), 2u);
  EXPECT_FALSE(halves.is_right(resolved.probes[0].cell));
  EXPECT_TRUE(halves.is_right(resolved.probes[1].cell));
}

TEST(Resolve, all_findings_come_at_once) {
  const std::string message = complaint(replaced(replaced(two_halves, "air", "aer"), "x_min", "nowhere"));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 2) << message;
}

TEST(Resolve, acoustics_has_its_own_parameters_and_conditions) {
  const TwoHalves halves;
  const Config config =
      ConfigFile(
          "system: acoustics\nmesh: {box: {cells: [2, 1, 1]}}\ntime: {end: 1}\n"
          "materials: [{region: \"*\", rho: 1.2, c: 343}]\nboundaries: [{region: \"*\", type: rigid}]\n")
          .load();
  const dg::Problem problem = halves.resolve(config).problem;
  EXPECT_EQ(problem.parameters.at(0).front(), 1.2);
  EXPECT_EQ(problem.parameters.at(1).front(), 343.0);
  EXPECT_EQ(problem.boundary.front(), problem.system.find_boundary("rigid"));
}

TEST(Resolve, formulas_are_scaled_and_see_the_time_of_the_config) {
  const Config config = ConfigFile(minimal +
                                   "constants: {a: 3}\n"
                                   "reference_solution: {E: [a*t, x, \"0\"], H: [\"1\", \"0\", y*t]}\n")
                            .load();
  const auto q = expressions(config, *config.reference_solution, dg::maxwell::system());
  ASSERT_EQ(q.size(), 6u);
  const double nanosecond = 1e-9 * Scaling::c_0;  // inside, where time is a length
  const std::array<double, 3> x{5, 7, 9};
  EXPECT_DOUBLE_EQ(dg::symbolic::evaluate(q[0], x, nanosecond), 3e-9);
  EXPECT_DOUBLE_EQ(dg::symbolic::evaluate(q[1], x, nanosecond), 5.0);
  EXPECT_DOUBLE_EQ(dg::symbolic::evaluate(q[3], x, nanosecond), Scaling::Z_0);
  EXPECT_DOUBLE_EQ(dg::symbolic::evaluate(q[5], x, nanosecond), Scaling::Z_0 * 7e-9);
}

TEST(Resolve, scalar_and_vector_fields_of_acoustics_find_their_formulas) {
  const Config config = ConfigFile(
                            "system: acoustics\nmesh: {box: {cells: [2, 1, 1]}}\ntime: {end: 1}\n"
                            "materials: [{region: \"*\"}]\ninitial_fields: {p: \"1\", u: [\"2\", \"3\", \"4\"]}\n")
                            .load();
  const auto q = expressions(config, config.initial_fields, dg::acoustics::system());
  ASSERT_EQ(q.size(), 4u);
  for (std::size_t f = 0; f < 4; ++f) EXPECT_TRUE(q[f].is_constant(static_cast<double>(f + 1)));
}

}  // namespace
}  // namespace maxwell_dg::config
