#include <algorithm>
#include <complex>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/operator/state_copy.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

/// What is read of an operator's state on a device, by each way to read it, is what the state is.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using testing::relative_difference;

TEST(Operator, samples_equal_the_polynomial_at_the_point) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(11), 3);
  const Problem problem = testing::random_problem(maxwell::system(), *discretization);
  Operator op(maxwell_dg::testing::test_compiler(), discretization, problem, {});
  const std::vector<double> q = random_values(op.dofs());
  op.set_state(q);
  const PointLocation point{.cell = 5, .rst = {-0.3, -0.2, -0.9}};
  const auto recorder = op.record_points({point, point});
  for (int i = 0; i < 300; ++i) recorder->record();  // more than the device's buffer holds
  EXPECT_EQ(recorder->recorded(), 300U);
  const std::vector<double> samples = recorder->take();
  ASSERT_EQ(samples.size(), 300U * 2 * 6);
  const Eigen::VectorXd basis = discretization->reference.lagrange(point.rst[0], point.rst[1], point.rst[2]);
  for (int f = 0; f < 6; ++f) {
    double expected = 0;
    for (int n = 0; n < 20; ++n) expected += basis[n] * q[static_cast<std::size_t>((5 * 6 + f) * 20 + n)];
    EXPECT_NEAR(samples[static_cast<std::size_t>(299 * 12 + 6 + f)], expected, 1e-13);
  }
}

TEST(Operator, steps_equal_their_stages_also_when_they_are_replayed) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(40), 2);
  for (const int stages : {5, 2}) {  // an odd number leaves the state in another place
    const std::vector<double> a{0.0, -0.4, -1.2, -0.7, -0.3}, b{0.15, 0.38, 0.2, 0.3, 0.1}, c{0.0, 0.1, 0.3, 0.5, 0.8};
    const auto first = [&](const std::vector<double>& all) {
      return std::span(all).first(static_cast<std::size_t>(stages));
    };
    const auto end_of = [&](const auto& advance) {
      Operator op(maxwell_dg::testing::test_compiler(), discretization,
                  testing::random_problem(acoustics::system(), *discretization), {});
      std::vector<double> q = random_values(op.dofs());
      op.set_state(q);
      for (int step = 0; step < 7; ++step) advance(op, step < 5 ? 1e-3 : 2e-3);
      op.get_state(q);
      return q;
    };
    const auto by_stages = end_of([&](Operator& op, double dt) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(stages); ++i) op.stage(a[i], b[i], dt, c[i] * dt);
    });
    const auto by_steps =
        end_of([&](Operator& op, double dt) { op.step({.a = first(a), .b = first(b), .c = first(c)}, dt, 0.0); });
    EXPECT_EQ(by_steps, by_stages) << stages << " stages";
  }
}

/// What is read of a state, by each way to read it, in the order in which it was read.
struct Readings {
  std::vector<double> q, rhs, energies, points, everywhere, on_faces, copy;
};

/// Between stages, so that what was converted for one reader is there for the next, or no longer right.
Readings read_of(Operator& op) {
  const std::vector<double> nothing(op.dofs());
  Readings r{.q = nothing, .rhs = nothing, .copy = nothing};
  const auto points =
      op.record_points({{.cell = 5, .rst = {-0.3, -0.2, -0.9}}, {.cell = 18, .rst = {-1, 0.1, -0.7}}}, 4);
  const std::vector<double> frequencies{0.7, 3.1};
  const std::vector<ElementFace> faces{{0, 2}, {18, 1}, {7, 0}, {7, 3}};
  const auto everywhere = op.sum_fourier({.frequencies = frequencies, .fields = {0, 2, 3}});
  const auto on_faces = op.sum_fourier({.frequencies = frequencies, .fields = {0, 2, 3}, .faces = faces});
  const auto copy = op.copy_state();
  op.set_state(random_values(op.dofs()));
  const auto stage = [&] { op.stage(0.0, 0.7, 1e-2, 0.1); };
  points->record();
  on_faces->add(0.2, 1.0);
  r.energies = op.energies();
  points->record();
  stage();
  everywhere->add(0.4, 0.5);
  on_faces->add(0.4, 0.5);
  stage();
  points->record();
  op.evaluate_rhs(0.3, r.rhs);
  points->record();
  on_faces->add(0.6, 0.3);
  copy->begin();
  stage();
  op.get_state(r.q);
  stage();
  everywhere->add(0.8, 0.5);
  copy->get(r.copy);
  r.points = points->take();
  for (const auto& [sums, values] : {std::pair(&everywhere, &r.everywhere), std::pair(&on_faces, &r.on_faces)}) {
    for (std::size_t j = 0; j < frequencies.size(); ++j) {
      for (const std::complex<double>& value : (*sums)->get(j))
        values->insert(values->end(), {value.real(), value.imag()});
    }
  }
  return r;
}

TEST(ElementBasis, every_reader_of_the_state_is_given_components_along_x_y_and_z) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(19), 1);
  for (const auto& [system, schedule] : {std::pair(maxwell::system(), "tiles_e32_w2_r1_basis"),
                                         std::pair(maxwell::system(), "tiles_e16_w2_r1_blocked_basis"),
                                         std::pair(maxwell::system(), "elements_e32_r1_interleaved"),
                                         std::pair(acoustics::system(), "elements_e32_r1_basis")}) {
    const auto readings = [&](const std::string& name) {
      Operator op(maxwell_dg::testing::test_compiler(), discretization,
                  testing::random_problem(system, *discretization),
                  {.precision = Dtype::float64, .schedule = Schedule::named(name)});
      return read_of(op);
    };
    const Readings expected = readings("nodes_pad1_v4_s4"), found = readings(schedule);
    for (const auto& [name, values] :
         {std::pair("state", &Readings::q), std::pair("rhs", &Readings::rhs),
          std::pair("energies", &Readings::energies), std::pair("points", &Readings::points),
          std::pair("everywhere", &Readings::everywhere), std::pair("on faces", &Readings::on_faces),
          std::pair("copy", &Readings::copy)}) {
      ASSERT_EQ((found.*values).size(), (expected.*values).size()) << name;
      EXPECT_LT(relative_difference(found.*values, expected.*values), 1e-13) << system.name << ", " << name;
    }
  }
}

TEST(ElementBasis, the_state_reads_back_as_it_was_written) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(19), 1);
  Operator op(maxwell_dg::testing::test_compiler(), discretization,
              testing::random_problem(maxwell::system(), *discretization),
              {.precision = Dtype::float64, .schedule = Schedule::named("tiles_e32_w2_r1_basis")});
  std::vector<double> read(op.dofs());
  for (const unsigned seed : {1U, 2U}) {  // the second is not what was converted for the first to be read
    const std::vector<double> q = random_values(op.dofs(), seed);
    op.set_state(q);
    for (int i = 0; i < 2; ++i) {
      op.get_state(read);
      EXPECT_LT(relative_difference(read, q), 1e-14);
    }
  }
}

TEST(Operator, a_copy_of_the_state_is_that_of_its_beginning) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(21), 3);
  for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
    Operator op(maxwell_dg::testing::test_compiler(), discretization,
                testing::random_problem(maxwell::system(), *discretization), {.precision = precision});
    op.set_state(random_values(op.dofs()));
    std::vector<double> before(op.dofs()), copied(op.dofs());
    op.get_state(before);
    const auto copy = op.copy_state();
    EXPECT_THROW(copy->get(copied), std::logic_error);
    copy->begin();
    for (int i = 0; i < 3; ++i) op.stage(0.0, 0.5, 1e-2, 0.0);
    copy->get(copied);
    EXPECT_EQ(copied, before);
    copy->begin();
    copy->get(copied);
    EXPECT_NE(copied, before);
  }
}

TEST(Recorder, hands_out_every_record_once_and_in_order) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(5), 1);
  Operator op(maxwell_dg::testing::test_compiler(), discretization,
              testing::random_problem(acoustics::system(), *discretization), {});
  std::vector<double> q(op.dofs());
  const auto recorder = op.record_points({{.cell = 2, .rst = {-0.5, -0.5, -0.5}}}, 4);
  std::vector<double> taken;
  for (int i = 0; i < 23; ++i) {
    std::fill(q.begin(), q.end(), i);
    op.set_state(q);
    recorder->record();
    const std::vector<double> arrived = i % 3 == 0 ? recorder->take_arrived() : std::vector<double>{};
    taken.insert(taken.end(), arrived.begin(), arrived.end());
    EXPECT_EQ(taken.size() / 4 + recorder->recorded(), static_cast<std::size_t>(i) + 1);
  }
  for (const double value : recorder->take()) taken.push_back(value);
  EXPECT_EQ(recorder->recorded(), 0U);
  EXPECT_TRUE(recorder->take().empty());
  ASSERT_EQ(taken.size(), 23U * 4);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::size_t record = i / 4;
    EXPECT_NEAR(taken[i], static_cast<double>(record), 1e-12);
  }
}

TEST(Operator, nodal_values_equal_the_interpreted_expressions) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(7), 2);
  Operator op(maxwell_dg::testing::test_compiler(), discretization,
              testing::random_problem(acoustics::system(), *discretization), {});
  using namespace symbolic;
  const Expr x = coordinate(0), y = coordinate(1), z = coordinate(2);
  const std::vector<Expr> values{sin(3 * x) * exp(-y), pow(abs(x - z) + 0.1, 1.5) + max(x, 0.5), atan2(y + 2, z) / 7,
                                 time() - 4};
  const std::vector<double> found = op.nodal_values(values, 0.25);
  for (std::size_t k = 0; k < 7; ++k) {
    for (int n = 0; n < 10; ++n) {
      for (std::size_t e = 0; e < 4; ++e) {
        EXPECT_NEAR(found[(k * 4 + e) * 10 + static_cast<std::size_t>(n)],
                    evaluate(values[e], discretization->node(k, n), 0.25), 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
