#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/observe/energy.hpp"
#include "dg/observe/error_norms.hpp"
#include "dg/observe/files/file_sink.hpp"
#include "dg/observe/files/vtk_data.hpp"
#include "dg/observe/files/vtk_writer.hpp"
#include "dg/observe/health_check.hpp"
#include "dg/observe/probes.hpp"
#include "dg/time/stable_step.hpp"
#include "dg/time/time_loop.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

using maxwell_dg::testing::test_compiler;

/// Acoustics in a closed box of 24 elements of order 2 with random fields.
class ObserversTest : public ::testing::Test {
 protected:
  ObserversTest() : op_(test_compiler(), d_, problem(*d_), {}) { op_.set_state(testing::random_values(op_.dofs())); }

  static Problem problem(const Discretization& d) {
    Problem result{.system = acoustics::system()};
    for (const System::Parameter& p : result.system.parameters) {
      result.parameters.emplace_back(d.K(), p.default_value);
    }
    result.boundary.assign(d.connectivity.boundary_faces.size(), result.system.find_boundary("rigid"));
    return result;
  }
  static std::shared_ptr<const Discretization> discretization() {
    Mesh mesh = make_box({.min = {0, 0, 0}, .max = {2, 2, 1}, .cells = {2, 2, 1}});
    return std::make_shared<const Discretization>(std::move(mesh), 2);
  }
  Moment run(std::vector<Observer*> observers, long steps, double cfl = 0.5) {
    const double dt = cfl * stable_step(*d_, op_.problem(), lsrk54());
    return TimeLoop{.method = lsrk54(), .dt = dt, .steps = steps, .observers = std::move(observers)}.run(op_);
  }
  static std::vector<std::vector<double>> rows(const std::filesystem::path& path) {
    std::istringstream text(content_of(path));
    std::string line;
    std::getline(text, line);
    std::vector<std::vector<double>> result;
    while (std::getline(text, line)) {
      std::istringstream cells(line);
      std::string cell;
      std::vector<double>& row = result.emplace_back();
      while (std::getline(cells, cell, ',')) row.push_back(std::strtod(cell.c_str(), nullptr));
    }
    return result;
  }
  static std::string first_line(const std::filesystem::path& path) {
    const std::string text = content_of(path);
    return text.substr(0, text.find('\n'));
  }

  const TemporaryDirectory directory_;
  FileSink files_{directory_.path()};
  std::shared_ptr<const Discretization> d_ = discretization();
  Operator op_;
};

TEST_F(ObserversTest, probes_write_every_step_what_the_polynomials_say) {
  const PointLocator locator(d_->mesh, d_->geometry);
  const PointLocation location = locator.locate({0.3, 0.4, 0.6}).value();
  std::vector<double> q(op_.dofs());
  op_.get_state(q);
  Probes probes(op_, {.sink = files_,
                      .probes = {{"a", location}, {"b", locator.locate({1.7, 1.9, 0.2}).value()}},
                      .scaling = {.time = 2, .fields = {10, 1, 1, 1}},
                      .batch = 3});
  const Moment end = run({&probes}, 7);

  EXPECT_EQ(first_line(directory_ / "probes.csv"), "time,a.p,a.ux,a.uy,a.uz,b.p,b.ux,b.uy,b.uz");
  const auto table = rows(directory_ / "probes.csv");
  ASSERT_EQ(table.size(), 8u);  // the beginning and seven steps
  EXPECT_EQ(table.front()[0], 0);
  EXPECT_EQ(table.back()[0], 2 * end.time);
  const auto at = [&](const std::vector<double>& state, std::size_t field) {
    const auto Np = static_cast<std::size_t>(d_->Np());
    return d_->reference.lagrange(location.rst[0], location.rst[1], location.rst[2])
        .dot(Eigen::Map<const Eigen::VectorXd>(&state[(location.cell * 4 + field) * Np], d_->Np()));
  };
  EXPECT_NEAR(table.front()[1], 10 * at(q, 0), 1e-12);
  EXPECT_NEAR(table.front()[2], at(q, 1), 1e-13);
  op_.get_state(q);
  EXPECT_NEAR(table.back()[1], 10 * at(q, 0), 1e-12);
}

TEST_F(ObserversTest, energies_are_written_at_their_interval_and_at_the_end) {
  EnergyHistory energy(op_, {.sink = &files_, .every = 3, .scaling = {.energy = 5}});
  EXPECT_FALSE(energy.latest()) << "nothing has arrived";
  run({&energy}, 7);
  EXPECT_EQ(first_line(directory_ / "energy.csv"), "time,potential,kinetic,total");
  const auto table = rows(directory_ / "energy.csv");
  ASSERT_EQ(table.size(), 4u);  // steps 0, 3, 6, 7
  for (const std::vector<double>& row : table) EXPECT_DOUBLE_EQ(row[1] + row[2], row[3]);
  EXPECT_EQ(table.front()[3], energy.initial());
  EXPECT_EQ(table.back()[3], energy.latest());
  const std::vector<double> now = op_.energies();
  EXPECT_DOUBLE_EQ(energy.latest().value(), 5 * (now[0] + now[1]));
}

TEST_F(ObserversTest, a_healthy_run_passes_the_health_check) {
  HealthCheck health(op_, {.every = 1, .energy_limit = 1.1 * (op_.energies()[0] + op_.energies()[1])});
  EXPECT_EQ(run({&health}, 20).step, 20);
}

TEST_F(ObserversTest, growing_energy_is_a_divergence_that_says_when_where_and_what_to_try) {
  HealthCheck::Options options{
      .every = 5, .time_unit = " s", .remedy = [](std::size_t) { return std::string("try less"); }};
  options.energy_limit = 1.1 * (op_.energies()[0] + op_.energies()[1]);
  HealthCheck health(op_, options);
  try {
    run({&health}, 1000, 5.0);
    FAIL() << "no error";
  } catch (const DivergenceError& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.code(), ExitCode::diverged);
    EXPECT_NE(message.find("the solution diverged by step "), std::string::npos) << message;
    EXPECT_NE(message.find(" s: its energy grew to "), std::string::npos) << message;
    EXPECT_NE(message.find("in region 'interior', rho 1, c 1, quality 0."), std::string::npos) << message;
    EXPECT_NE(message.find(" of 1; try less"), std::string::npos) << message;
  }
}

TEST_F(ObserversTest, a_divergence_leaves_the_fields_of_its_end_in_a_file) {
  HealthCheck::Options options{.every = 5, .scaling = {.fields = {10, 1, 1, 1}}, .file = directory_ / "diverged.vtu"};
  options.energy_limit = 1.1 * (op_.energies()[0] + op_.energies()[1]);
  HealthCheck health(op_, options);
  try {
    run({&health}, 1000, 5.0);
    FAIL() << "no error";
  } catch (const DivergenceError& error) {
    const std::string end = "; the fields are in " + (directory_ / "diverged.vtu").string(), message = error.what();
    EXPECT_TRUE(message.ends_with(end)) << message;
  }
  VtkWriter writer(*d_, op_.precision(), cell_data(op_.problem(), options.scaling));
  writer.write(directory_ / "state.vtu", op_.own_state(), op_.problem().system.field_count(),
               point_data(op_.problem().system, {}, options.scaling));
  EXPECT_TRUE(content_of(directory_ / "diverged.vtu") == content_of(directory_ / "state.vtu"));
}

TEST_F(ObserversTest, energy_that_grows_after_the_sources_have_settled_is_a_divergence_and_before_is_none) {
  const double initial = op_.energies()[0] + op_.energies()[1];
  HealthCheck driven(op_, {.every = 5, .settled_time = 1e9, .growth_limit = 1.5});
  EXPECT_EQ(run({&driven}, 20, 5.0).step, 20) << "nobody knows what sources put in";
  ASSERT_GT(op_.energies()[0] + op_.energies()[1], 10 * initial) << "it does grow";
  HealthCheck settled(op_, {.every = 5, .settled_time = -1.0, .growth_limit = 1e3});
  EXPECT_THROW(run({&settled}, 1000, 5.0), DivergenceError);
}

/// What the check says of a run whose energies are these, one after the other at times 0, 1, 2 ...; "" if it passes.
std::string said_of(Operator& op, const HealthCheck::Options& options, const std::vector<double>& energies,
                    Archive* saved = nullptr) {
  const std::vector<double> q = testing::random_values(op.dofs());
  op.set_state(q);
  const std::vector<double> parts = op.energies();
  const double of_q = std::accumulate(parts.begin(), parts.end(), 0.0);
  HealthCheck health(op, options);
  Moment now;
  try {
    for (const double energy : energies) {
      std::vector<double> scaled = q;
      for (double& value : scaled) value *= std::sqrt(energy / of_q);
      op.set_state(scaled);
      health.observe(op, now);
      now = {.step = now.step + 1, .time = now.time + 1};
    }
    if (saved != nullptr) {
      health.save(op, {.step = now.step - 1, .time = now.time - 1}, *saved);
    } else {
      health.finish(op, {.step = now.step - 1, .time = now.time - 1});
    }
  } catch (const DivergenceError& error) {
    return error.what();
  }
  return "";
}

TEST_F(ObserversTest, energy_that_falls_and_grows_again_is_a_divergence) {
  HealthCheck::Options options{.every = 1, .time_unit = " s", .settled_time = 1.5};
  options.scaling.time = 10;
  options.growth_limit = 10;
  options.regrowth_limit = 1e3;
  options.regrowth_floor = 1e-6;
  EXPECT_EQ(said_of(op_, options, {0, 1e-9, 1, 9, 1e-7, 9e-4, 1e-7}), "")
      << "the check after the settled time sees the peak; what is below the floor is the floor";
  const std::string beyond_peak = said_of(op_, options, {0, 1, 0.5, 9, 11});
  EXPECT_NE(beyond_peak.find("by step 4, t = 40 s: its energy grew to 11 (9 at the check before), 11 times the largest "
                             "until t = 15 s, from when on sources are over or steady; the largest field is in"),
            std::string::npos)
      << beyond_peak;
  const std::string again = said_of(op_, options, {0, 1, 0.5, 1e-4, 0.01, 0.2});
  EXPECT_NE(again.find("its energy grew to 0.2 (0.01 at the check before), 2000 times the least since t = 15 s, from "
                       "when on sources are over; the largest"),
            std::string::npos)
      << again;
  options.regrowth_limit = std::numeric_limits<double>::infinity();
  EXPECT_EQ(said_of(op_, options, {0, 1, 0.5, 1e-4, 0.01, 0.2}), "");
}

TEST_F(ObserversTest, what_energies_were_is_known_to_a_run_that_goes_on) {
  HealthCheck::Options options{.every = 1, .settled_time = 1.5, .growth_limit = 10, .regrowth_limit = 1e3};
  Archive archive;
  EXPECT_EQ(said_of(op_, options, {0, 1, 0.5, 1e-4}, &archive), "");
  options.settled_time = -1;
  EXPECT_EQ(said_of(op_, options, {0.05, 0.2}), "");
  options.resumed = &archive;
  EXPECT_NE(said_of(op_, options, {0.05, 0.2}).find("2000 times the least since"), std::string::npos);
}

TEST_F(ObserversTest, the_first_element_that_is_not_finite_is_named) {
  std::vector<double> q(op_.dofs(), 0.0);
  const auto stride = static_cast<std::size_t>(4 * d_->Np());
  q[7 * stride + 5] = std::numeric_limits<double>::quiet_NaN();
  op_.set_state(q);
  HealthCheck health(op_, {});
  try {
    run({&health}, 1);
    FAIL() << "no error";
  } catch (const DivergenceError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("step 0, t = 0: its energy is no longer a finite number"), std::string::npos) << message;
    EXPECT_NE(message.find("first seen in element 7 at ("), std::string::npos) << message;
  }
}

/// Throws at a step, and again when it finishes.
struct Failing final : Observer {
  explicit Failing(long at) : step(at) {}
  void observe(Operator&, const Moment& now) override {
    if (now.step == step) throw std::runtime_error("no error of ours");
  }
  void finish(Operator&, const Moment&) override {
    finished = true;
    throw OutputError("nor this");
  }
  long step;
  bool finished = false;
};

TEST_F(ObserversTest, whatever_is_thrown_all_observers_finish) {
  const PointLocator locator(d_->mesh, d_->geometry);
  Failing first(5);
  Probes probes(op_, {.sink = files_, .probes = {{"a", locator.locate({0.3, 0.4, 0.6}).value()}}});
  EnergyHistory energy(op_, {.sink = &files_, .every = 2});
  const WarningCollector warnings;
  try {
    run({&probes, &first, &energy}, 10);
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "no error of ours");
  }
  EXPECT_TRUE(first.finished);
  EXPECT_EQ(rows(directory_ / "probes.csv").size(), 6u);
  EXPECT_EQ(rows(directory_ / "energy.csv").size(), 4u);  // steps 0, 2, 4, 5
  EXPECT_EQ(warnings.warnings(), std::vector<std::string>{"nor this"});
}

TEST_F(ObserversTest, the_first_error_of_finishing_passes_when_all_are_done) {
  Failing first(-1), second(-1);
  EXPECT_THROW(run({&first, &second}, 2), OutputError);
  EXPECT_TRUE(second.finished);
}

TEST_F(ObserversTest, error_norms_of_the_state_against_expressions) {
  const std::vector<symbolic::Expr> reference{symbolic::coordinate(0) + symbolic::time(), 0.0, 2.0, 0.0};
  op_.set_state(op_.nodal_values(reference, 0));
  const std::vector<ErrorNorm> norms = error_norms(op_, reference, 3);
  EXPECT_NEAR(norms[0].l2, 3 * 2, 1e-12);  // the time has moved on by 3; the volume is 4
  EXPECT_NEAR(norms[0].linf, 3, 1e-13);
  EXPECT_NEAR(norms[1].l2, 0, 1e-13);
}

}  // namespace
}  // namespace maxwell_dg::dg
