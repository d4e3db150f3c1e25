#include "dg/observe/checkpoints.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/saved_state.hpp"
#include "dg/time/stable_step.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

using maxwell_dg::testing::test_compiler;

/// What a checkpoint of the present state holds.
Archive checkpoint_of(Operator& op, const std::filesystem::path& directory) {
  Checkpoints checkpoints(op, {.directory = directory});
  checkpoints.finish(op, {.step = 7, .time = 0.5});
  return read_checkpoint(checkpoint_path(directory, 7));
}

/// 24 elements, no two alike: in none is its own basis that of the axes.
struct SmallRun {
  /// `schedule`: the device's own, if it is empty.
  explicit SmallRun(int order, Dtype precision = Dtype::float64, const std::string& schedule = "",
                    const System& system = acoustics::system(), Mesh mesh = testing::random_mesh(24))
      : d(std::make_shared<const Discretization>(std::move(mesh), order)),
        op(test_compiler(), d, testing::random_problem(system, *d), options(precision, schedule)) {}

  static Operator::Options options(Dtype precision, const std::string& schedule) {
    Operator::Options options{.precision = precision};
    if (!schedule.empty()) options.schedule = Schedule::named(schedule);
    return options;
  }
  [[nodiscard]] std::vector<double> state() const {
    std::vector<double> q(op.dofs());
    op.get_state(q);
    return q;
  }
  /// From one step to another, with checkpoints where `options` say so.
  void go(long from, long to, const RungeKutta& method = lsrk54(), Checkpoints* checkpoints = nullptr) {
    const double dt = 0.5 * stable_step(*d, op.problem(), lsrk54());
    TimeLoop loop{.method = method, .dt = dt, .steps = to, .first = from};
    if (checkpoints != nullptr) loop.observers = {checkpoints};
    (void)loop.run(op);
  }
  [[nodiscard]] Archive saved(const std::filesystem::path& directory) { return checkpoint_of(op, directory); }

  std::shared_ptr<const Discretization> d;
  Operator op;
};

std::vector<long> steps_in(const std::filesystem::path& directory) {
  std::vector<long> steps;
  for (const CheckpointName& name : checkpoints_in(directory)) steps.push_back(name.step);
  return steps;
}

TEST(Checkpoints, a_step_begins_with_nothing_but_the_state) {
  for (const RungeKutta* method : runge_kutta_methods()) EXPECT_EQ(method->a.front(), 0) << method->name;
}

void expect_to_go_on_to_the_bit(int order, Dtype precision, const std::string& schedule,
                                const System& system = acoustics::system()) {
  for (const RungeKutta* method : runge_kutta_methods()) {
    const TemporaryDirectory directory;
    SmallRun whole(order, precision, schedule, system), first(order, precision, schedule, system),
        second(order, precision, schedule, system);
    const std::vector<double> begin = testing::random_values(whole.op.dofs());
    whole.op.set_state(begin);
    first.op.set_state(begin);
    whole.go(0, 12, *method);
    Checkpoints checkpoints(first.op, {.directory = directory.path(), .every_steps = 5});
    first.go(0, 7, *method, &checkpoints);
    EXPECT_EQ(steps_in(directory.path()), (std::vector<long>{5, 7}));
    const Archive archive = read_checkpoint(checkpoint_path(directory.path(), 5));
    EXPECT_EQ(archive.array("q").dtype, precision);
    second.op.set_state(testing::random_values(second.op.dofs(), 99));  // another run's, to be forgotten
    second.go(0, 1, *method);
    load_state(second.op, archive);
    second.go(5, 12, *method);
    EXPECT_EQ(second.state(), whole.state()) << method->name << " " << name_of(precision) << " " << schedule;
  }
}

TEST(Checkpoints, a_run_goes_on_from_one_to_the_bit) {
  for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
    expect_to_go_on_to_the_bit(3, precision, "");
    expect_to_go_on_to_the_bit(2, precision, "elements_e32_r4_apart_basis");
    expect_to_go_on_to_the_bit(1, precision, "elements_e32_r3_interleaved", maxwell::system());
    expect_to_go_on_to_the_bit(3, precision, "tiles_e16_w4_r1_basis");
  }
}

TEST(Checkpoints, the_last_few_are_kept_and_those_of_earlier_runs_go) {
  const TemporaryDirectory directory;
  SmallRun run(1);
  run.op.set_state(testing::random_values(run.op.dofs()));
  write_file_atomically(checkpoint_path(directory.path(), 900), std::string("of an earlier run"));
  write_file_atomically(directory / ".tmp-0123456789abcdef-checkpoint_000800.h5",
                        std::string("of a run that was killed"));
  Checkpoints checkpoints(run.op, {.directory = directory.path(), .every_steps = 2, .keep = 3});
  EXPECT_FALSE(std::filesystem::exists(directory / ".tmp-0123456789abcdef-checkpoint_000800.h5"));
  EXPECT_EQ(steps_in(directory.path()), (std::vector<long>{900}));
  run.go(0, 9, lsrk54(), &checkpoints);
  EXPECT_EQ(steps_in(directory.path()), (std::vector<long>{6, 8, 9}));
  // A run that goes on keeps what was written before the moment that it goes on from.
  Checkpoints resumed(run.op, {.directory = directory.path(), .every_steps = 2, .keep = 3, .resumed_from = 8});
  run.go(8, 10, lsrk54(), &resumed);
  EXPECT_EQ(steps_in(directory.path()), (std::vector<long>{6, 8, 10}));
}

TEST(Checkpoints, by_the_clock_come_when_their_time_has_passed) {
  const TemporaryDirectory directory;
  SmallRun run(1);
  run.op.set_state(testing::random_values(run.op.dofs()));
  Checkpoints never(run.op, {.directory = directory.path(), .every_seconds = 3600});
  run.go(0, 3, lsrk54(), &never);
  EXPECT_EQ(steps_in(directory.path()), (std::vector<long>{3})) << "the last alone";
  Checkpoints always(run.op, {.directory = directory.path(), .every_seconds = 1e-9, .keep = 9});
  run.go(0, 3, lsrk54(), &always);
  EXPECT_EQ(steps_in(directory.path()), (std::vector<long>{1, 2, 3}));
}

TEST(Checkpoints, that_cannot_be_written_are_an_error_and_leave_the_ones_before) {
  const TemporaryDirectory directory;
  SmallRun run(1);
  run.op.set_state(testing::random_values(run.op.dofs()));
  Checkpoints good(run.op, {.directory = directory.path(), .every_steps = 2});
  run.go(0, 2, lsrk54(), &good);
  std::filesystem::create_symlink("/dev/full", checkpoint_path(directory.path(), 4));
  Checkpoints bad(run.op, {.directory = directory.path(), .every_steps = 2, .resumed_from = 2});
  EXPECT_THROW(run.go(2, 9, lsrk54(), &bad), OutputError);
  EXPECT_EQ(read_checkpoint(checkpoint_path(directory.path(), 2)).integer("step"), 2);
}

/// Something that keeps more than the state.
struct Counting final : Observer {
  void observe(Operator&, const Moment&) override { ++count; }
  void finish(Operator&, const Moment&) override {}
  void save(Operator&, const Moment&, Archive& archive) override { archive.put_number("counting.count", count); }
  double count = 0;
};

TEST(Checkpoints, hold_what_observers_save) {
  const TemporaryDirectory directory;
  SmallRun run(1);
  Counting counting;
  counting.count = 41;
  Checkpoints checkpoints(run.op, {.directory = directory.path(), .observers = {&counting}});
  checkpoints.finish(run.op, {.step = 3, .time = 0.25});
  const Archive archive = read_checkpoint(checkpoint_path(directory.path(), 3));
  EXPECT_EQ(archive.number("counting.count"), 41);
  EXPECT_EQ(archive.number("time"), 0.25);
}

void expect_to_be_the_same_polynomials(const std::string& low_schedule, const std::string& high_schedule,
                                       const System& system = acoustics::system()) {
  const TemporaryDirectory directory;
  SmallRun low(2, Dtype::float64, low_schedule, system), high(4, Dtype::float64, high_schedule, system),
      again(2, Dtype::float64, low_schedule, system);
  const auto fields = static_cast<std::size_t>(system.field_count());
  const std::vector<double> q = testing::random_values(low.op.dofs());
  low.op.set_state(q);
  load_state(high.op, low.saved(directory.path()));
  // At any point of an element both are the same polynomial.
  const auto value_at = [&](const SmallRun& run, const std::vector<double>& state, std::size_t k, std::size_t field) {
    const auto Np = static_cast<std::size_t>(run.d->Np());
    return run.d->reference.lagrange(-0.3, -0.6, -0.7)
        .dot(Eigen::Map<const Eigen::VectorXd>(&state[(k * fields + field) * Np], run.d->Np()));
  };
  for (const std::size_t k : {0UL, 11UL, 23UL}) {
    for (std::size_t f = 0; f < fields; ++f) {
      EXPECT_NEAR(value_at(high, high.state(), k, f), value_at(low, q, k, f), 1e-13);
    }
  }
  load_state(again.op, high.saved(directory.path()));
  const std::vector<double> back = again.state();
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(back[i], q[i], 1e-13);
}

TEST(SavedState, of_a_lower_order_is_the_same_polynomials_and_comes_back) {
  expect_to_be_the_same_polynomials("", "");
  expect_to_be_the_same_polynomials("elements_e32_r4_apart_basis", "tiles_e16_w4_r1_basis");
  expect_to_be_the_same_polynomials("elements_e32_r4_apart_basis", "tiles_e16_w4_r1");
  expect_to_be_the_same_polynomials("elements_e32_r4_apart_interleaved", "tiles_e16_w4_r1_basis", maxwell::system());
}

void expect_to_be_converted(const System& system, Dtype precision, const std::string& schedule, double rounding,
                            const Mesh& mesh = testing::random_mesh(24)) {
  const TemporaryDirectory directory;
  SmallRun from(2, precision, schedule, system, mesh), to(2, precision, "tiles_e16_w4_r1", system, mesh),
      back(2, precision, "tiles_e16_w4_r1_basis", system, mesh);
  const std::vector<double> q = testing::random_values(from.op.dofs());
  from.op.set_state(q);
  const Archive stored = from.saved(directory.path());
  EXPECT_EQ(stored.text("q.basis"), "element");
  EXPECT_GT(testing::relative_difference(stored.reals("q"), q), 0.1);
  load_state(to.op, stored);
  EXPECT_LT(testing::relative_difference(to.state(), q), rounding);
  const Archive along_axes = to.saved(directory.path());
  EXPECT_FALSE(along_axes.has("q.basis"));
  EXPECT_EQ(along_axes.reals("q"), to.state());
  load_state(back.op, along_axes);
  EXPECT_LT(testing::relative_difference(back.state(), q), rounding);
  back.op.set_state(testing::random_values(q.size(), 99));
  (void)back.state();  // once more of another state, to be forgotten
  load_state(back.op, stored);
  EXPECT_LT(testing::relative_difference(back.state(), q), rounding);
  EXPECT_EQ(back.saved(directory.path()).reals("q"), stored.reals("q"));
}

TEST(SavedState, in_the_basis_of_curved_elements_is_converted_by_the_metric_of_each_node) {
  for (const System& system : {maxwell::system(), acoustics::system()}) {
    expect_to_be_converted(system, Dtype::float64, "tiles_e16_w4_r1_basis", 1e-13, testing::half_curved_cube(3));
  }
}

TEST(SavedState, in_the_basis_of_each_element_is_converted_where_another_is_stored) {
  for (const System& system : {acoustics::system(), maxwell::system()}) {
    expect_to_be_converted(system, Dtype::float32, "elements_e32_r4_apart_basis", 1e-6);
    expect_to_be_converted(system, Dtype::float64, "elements_e32_r4_apart_basis", 1e-14);
  }
  expect_to_be_converted(maxwell::system(), Dtype::float32, "elements_e32_r4_apart_interleaved", 1e-6);
}

TEST(SavedState, in_the_basis_of_each_element_is_of_no_use_to_systems_without) {
  const TemporaryDirectory directory;
  SmallRun from(2, Dtype::float64, "elements_e32_r4_apart_basis", maxwell::system()),
      to(2, Dtype::float64, "", maxwell::system({.anisotropic = true}));
  EXPECT_THROW(load_state(to.op, from.saved(directory.path())), ConfigError);
}

/// Poles in straight and in curved elements, whose variables stand at nodes and at quadrature points.
struct PolesRun {
  explicit PolesRun(int order)
      : d(std::make_shared<const Discretization>(testing::half_curved_random_mesh(24, 3), order)),
        op(test_compiler(), d, problem(), {.precision = Dtype::float64}) {}

  [[nodiscard]] Problem problem() const {
    Problem problem = testing::random_problem(maxwell::system(), *d);
    std::vector<std::int32_t> all(d->K());
    std::iota(all.begin(), all.end(), 0);
    problem.element_terms = maxwell::dispersion_terms(
        problem.system, {{.poles = {{maxwell::Pole::Model::lorentz, 1.5, 0.2, 3.0}}, .elements = all}});
    return problem;
  }
  [[nodiscard]] std::vector<double> auxiliary() const {
    std::vector<double> u(op.auxiliary_count());
    op.get_auxiliary(u);
    return u;
  }
  [[nodiscard]] Archive saved(const std::filesystem::path& directory) { return checkpoint_of(op, directory); }

  std::shared_ptr<const Discretization> d;
  Operator op;
};

TEST(SavedState, of_poles_in_straight_and_curved_elements_comes_back_also_by_another_order) {
  const TemporaryDirectory directory;
  PolesRun first(2), same(2), high(3), back(2);
  ASSERT_GT(first.d->mesh.curved.count(), 5U);
  // Of polynomials: another order can hold nothing else.
  std::vector<double> u;
  const ElementTerm& term = first.op.problem().element_terms.front();
  for (const std::int32_t k : term.elements) {
    for (std::size_t variable = 0; variable < term.auxiliary.size(); ++variable) {
      const std::vector<double> nodal = testing::random_values(10, static_cast<unsigned>(u.size()));
      Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(nodal.data(), 10);
      if (first.d->mesh.curved.is_curved(static_cast<std::size_t>(k))) {
        values = (first.d->curved->quadrature.at_volume * values).eval();
      }
      u.insert(u.end(), values.begin(), values.end());
    }
  }
  first.op.set_auxiliary(u);
  load_state(same.op, first.saved(directory.path()));
  EXPECT_EQ(same.auxiliary(), u);
  load_state(high.op, first.saved(directory.path()));
  EXPECT_GT(high.auxiliary().size(), u.size());
  load_state(back.op, high.saved(directory.path()));
  EXPECT_LT(testing::relative_difference(back.auxiliary(), u), 1e-13);
}

TEST(SavedState, of_another_precision_is_converted) {
  const TemporaryDirectory directory;
  SmallRun from(2, Dtype::float64, "tiles_e16_w4_r1"), to(2, Dtype::float32, "tiles_e16_w4_r1");
  const std::vector<double> q = testing::random_values(from.op.dofs());
  from.op.set_state(q);
  load_state(to.op, from.saved(directory.path()));
  const std::vector<double> single = to.state();
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_EQ(single[i], static_cast<double>(static_cast<float>(q[i])));
}

}  // namespace
}  // namespace maxwell_dg::dg
