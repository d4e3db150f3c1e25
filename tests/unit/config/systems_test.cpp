#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "apps/config/mesh_keys.hpp"
#include "apps/config/resolve.hpp"
#include "apps/config/scaling.hpp"
#include "core/error.hpp"
#include "dg/lowering/reference_operator.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/operator.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/program.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/config/config_files.hpp"

/// A condition or a system is added as the developer guide says; nothing of the config is touched for it.
namespace maxwell_dg::config {
namespace {

using namespace dg::symbolic;
using dg::System;

std::shared_ptr<const Systems> list_of(KnownSystem system) {
  return std::make_shared<const Systems>(Systems{std::move(system)});
}

/// Maxwell's equations with a condition that takes no number, and one that takes an impedance.
std::shared_ptr<const Systems> maxwell_with_mirrors() {
  const auto make = [](const KnownSystem::Choices& choices) {
    System system = known_systems()->front().make(choices);
    const auto reflecting = [](const Expr& share) {  // -1: pec, 1: pmc
      std::vector<Expr> outside;
      set(outside, dg::maxwell::E, share * inside(dg::maxwell::E));
      set(outside, dg::maxwell::H, -share * inside(dg::maxwell::H));
      return outside;
    };
    system.add_condition(
        {.name = "dull_mirror", .doc = "reflects a quarter", .outside = [=](auto) { return reflecting(-0.25); }});
    system.add_condition(
        {.name = "mirror",
         .doc = "reflects as a medium behind it would",
         .numbers = {{"behind", {.doc = "wave impedance of that medium", .dimension = core::Dimension::impedance}}},
         .outside = [=](std::span<const double> Z) { return reflecting((Z[0] - 1.0) / (Z[0] + 1.0)); }});
    return system;
  };
  return list_of({.name = "maxwell", .doc = "with mirrors", .make = make, .is_maxwell = true});
}

const std::string mirrors = R"yaml(
mesh: {box: {cells: [2, 2, 2]}}
solver: {order: 2, precision: double}
time: {end: "10 ns"}
materials: [{region: "*", sigma: "5 mS/m"}]
boundaries:
  - {region: x_min, type: mirror, behind: "100 ohm"}
  - {region: x_max, type: dull_mirror}
  - {region: y_min, type: mirror, behind: "1 kohm"}
  - {region: "*", type: pec}
)yaml";

/// One field that is carried along, of a number a cell that may be 0.
std::shared_ptr<const Systems> drift() {
  const auto make = [](const KnownSystem::Choices& choices) {
    System drift{.name = "drift", .alpha = choices.alpha};
    const ScalarField q = add_scalar(drift, "q");
    const Expr wind = inside(add_parameter(drift, "wind", 1.0,
                                           {.doc = "speed of the wind",
                                            .dimension = core::Dimension::speed,
                                            .range = System::Meaning::Range::at_least_zero}));
    const Vector direction(0.6, 0.8, 0.0);
    const Expr along = dot(direction, normal());
    set(drift.volume, q, -wind * dot(direction, gradient(q)));
    set(drift.flux, q, 0.5 * wind * (along - choices.alpha * abs(along)) * jump(q));
    drift.add_condition(
        {.name = "clean", .doc = "nothing blows in", .outside = [](auto) { return std::vector<Expr>{0.0}; }});
    drift.max_speed = wind;
    drift.relaxation_rate = 0.0;
    drift.energies = {{"square", {Expr(0.5)}}};
    return drift;
  };
  return list_of({.name = "drift", .doc = "what the wind carries", .make = make});
}

const std::string dust = R"yaml(
system: drift
mesh: {box: {cells: [2, 2, 2]}}
solver: {order: 3, precision: double, flux: 0.5}
time: {end: 1}
materials: [{region: "*", wind: "1 + x^2"}]
boundaries: [{region: "*", type: clean}]
initial_fields: {q: "x * y"}
outputs: {fields: {count: 1, quantities: [q]}}
)yaml";

std::string message_of(const std::string& text, const std::shared_ptr<const Systems>& systems,
                       const std::vector<std::string>& overrides = {}) {
  try {
    (void)load_config(ConfigFile(text).path(), overrides, systems);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The problem of a config, and whether some generated stages of it equal the interpreted ones.
struct Prepared {
  explicit Prepared(const Config& config)
      : discretization(std::make_shared<const dg::Discretization>(make_mesh(config), config.solver.order)) {
    const dg::PointLocator locator(discretization->mesh, discretization->geometry);
    problem = resolve(config, make_system(config), *discretization, locator).problem;
  }

  [[nodiscard]] std::string condition_on(const std::string& surface) const {
    for (std::size_t b = 0; b < problem.boundary.size(); ++b) {
      const auto s = static_cast<std::size_t>(discretization->connectivity.boundary_faces[b].surface);
      if (discretization->mesh.surfaces[s] == surface) return condition_at(problem, b).name;
    }
    return "";
  }

  void expect_generated_equals_interpreted() const {
    dg::Operator op(testing::test_compiler(), discretization, problem, {.precision = Dtype::float64});
    const dg::ReferenceOperator reference(*discretization, problem);
    std::vector<double> q = dg::testing::random_values(op.dofs()), res(q.size()), rhs(q.size()), found(q.size());
    const std::vector<double> start = q;
    op.set_state(q);
    const double a = -0.4, b = 0.6, dt = 1e-2;
    for (int stage = 0; stage < 5; ++stage) {
      op.stage(a, b, dt, 0.0);
      reference.rhs(q, 0.0, rhs);
      for (std::size_t i = 0; i < q.size(); ++i) {
        res[i] = a * res[i] + dt * rhs[i];
        q[i] += b * res[i];
      }
    }
    op.get_state(found);
    EXPECT_LT(dg::testing::relative_difference(found, q), 1e-13);
    EXPECT_GT(dg::testing::relative_difference(start, q), 1e-3) << "nothing has happened";
  }

  std::shared_ptr<const dg::Discretization> discretization;
  dg::Problem problem;
};

TEST(Systems, a_condition_of_the_system_is_a_type_of_boundary_with_the_numbers_that_it_takes) {
  const Config config = load_config(ConfigFile(mirrors).path(), {}, maxwell_with_mirrors());
  ASSERT_EQ(config.boundaries.size(), 4U);
  EXPECT_EQ(config.boundaries[1].type(), "dull_mirror");
  EXPECT_EQ(std::get<Condition>(config.boundaries[0].kind).numbers.at("behind"), 100.0);
  const Config again = load_config(ConfigFile(resolved_yaml(config)).path(), {}, maxwell_with_mirrors());
  EXPECT_EQ(std::get<Condition>(again.boundaries[2].kind).numbers.at("behind"), 1000.0);
  const std::string unknown = message_of(mirrors, known_systems());
  EXPECT_TRUE(has(unknown, "boundaries.1.type: found 'dull_mirror'; allowed: " + conditions_of(0) + ", periodic"))
      << unknown;
}

TEST(Systems, a_condition_of_the_system_is_in_the_schema_and_in_the_reference) {
  for (const std::string& text : {json_schema(maxwell_with_mirrors()), config_reference(maxwell_with_mirrors())}) {
    for (const char* doc : {"reflects a quarter", "reflects as a medium behind it would", "perfect electric conductor",
                            "wave impedance of that medium"}) {
      EXPECT_TRUE(has(text, doc)) << doc;
    }
  }
  EXPECT_FALSE(has(config_reference(), "reflects a quarter"));
  EXPECT_TRUE(conditions_of(0, *maxwell_with_mirrors()).ends_with(", dull_mirror, mirror"));
}

TEST(Systems, a_condition_that_is_misspelt_or_lacks_its_number_is_refused) {
  const auto systems = maxwell_with_mirrors();
  const std::string guess = message_of(mirrors, systems, {"boundaries.1.type=dull_miror"});
  EXPECT_TRUE(has(guess, "boundaries.1.type: found 'dull_miror'; allowed: " + conditions_of(0, *systems) +
                             ", periodic, pml, sheet; did you mean 'dull_mirror'?"))
      << guess;
  const std::string missing = message_of(mirrors, systems, {"boundaries.1.type=mirror"});
  EXPECT_TRUE(has(missing, "boundaries.1.behind: missing; allowed: an impedance above 0")) << missing;
  const std::string strange = message_of(mirrors, systems, {"boundaries.3.behind=1 ohm"});
  EXPECT_TRUE(has(strange, "boundaries.3.behind: belongs to type: mirror alone")) << strange;
}

TEST(Systems, a_condition_of_the_system_is_computed_with) {
  const Prepared run(load_config(ConfigFile(mirrors).path(), {}, maxwell_with_mirrors()));
  EXPECT_EQ(run.condition_on("x_min"), "mirror_0");
  EXPECT_EQ(run.condition_on("x_max"), "dull_mirror");
  EXPECT_EQ(run.condition_on("y_min"), "mirror_1");
  EXPECT_EQ(run.condition_on("z_max"), "pec");
  run.expect_generated_equals_interpreted();
}

TEST(Systems, numbers_of_a_condition_are_taken_to_the_units_inside) {
  const Config config = load_config(ConfigFile(mirrors).path(), {}, maxwell_with_mirrors());
  const Prepared run(config);
  const double Z = 100 / Scaling::Z_0;
  const auto expected = make_system(config).find_condition("mirror")->outside(std::span(&Z, 1));
  const auto& found =
      run.problem.system.boundaries.at(static_cast<std::size_t>(run.problem.system.find_boundary("mirror_0")));
  for (std::size_t f = 0; f < expected.size(); ++f) {
    double difference{};
    const Program program(std::vector<Expr>{found.outside[f] - expected[f]});
    std::vector<double> work(program.size());
    program.run([](const Symbol&) { return 1.0; }, work, std::span(&difference, 1));
    EXPECT_NEAR(difference, 0.0, 1e-15) << f;
  }
}

TEST(Systems, a_system_of_ones_own_has_its_keys_its_documents_and_its_run) {
  const Config config = load_config(ConfigFile(dust).path(), {}, drift());
  EXPECT_EQ(config.initial_fields.at("q").front(), "x * y");
  EXPECT_EQ(config.outputs.fields->quantities, std::vector<std::string>{"q"});
  for (const std::string& text : {json_schema(drift()), config_reference(drift())}) {
    for (const char* doc : {"what the wind carries", "speed of the wind", "nothing blows in", "`q` (drift)"}) {
      EXPECT_TRUE(has(text, doc)) << doc;
    }
    EXPECT_FALSE(has(text, "epsilon_r")) << "it has no such constant";
  }
  const Prepared run(config);
  EXPECT_GT(*std::ranges::max_element(run.problem.parameters.front()), 1.0);
  run.expect_generated_equals_interpreted();
}

TEST(Systems, a_constant_outside_of_the_range_that_its_system_gives_it_is_refused) {
  const std::string written = message_of(dust, drift(), {"materials.0.wind=-1"});
  EXPECT_TRUE(has(written, "materials.0.wind: found '-1'; allowed: a speed of at least 0")) << written;
  EXPECT_EQ(message_of(dust, drift(), {"materials.0.wind=0"}), "");
  const Config computed = load_config(ConfigFile(dust).path(), std::vector<std::string>{"materials.0.wind=x"}, drift());
  try {
    const Prepared run(computed);
    ADD_FAILURE() << "a negative speed went through";
  } catch (const ConfigError& error) {
    EXPECT_TRUE(has(error.what(), "materials.0.wind: must be at least 0, and is -0.")) << error.what();
  }
}

TEST(Systems, what_belongs_to_maxwell_alone_is_no_key_of_another_system) {
  const std::string message = message_of(dust + "sources: []\n", drift());
  EXPECT_TRUE(has(message, "sources: unknown key")) << message;
}

}  // namespace
}  // namespace maxwell_dg::config
