#include <array>
#include <complex>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/current.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/pml.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/operator.hpp"
#include "dg/symbolic/incident.hpp"
#include "tests/support/bent_motion.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

/// Elements divided into ranges, in whatever order these take their turns, are computed to the bits of the whole.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;
using testing::relative_difference;

constexpr int cells = 37;

struct RangeCase {
  std::string system;
  int N;
  Dtype precision;
  std::string schedule;  // "": the default one
};

std::ostream& operator<<(std::ostream& out, const RangeCase& c) {
  return out << c.system << "_N" << c.N << "_" << name_of(c.precision) << "_"
             << (c.schedule.empty() ? "default" : c.schedule);
}

std::vector<RangeCase> all_range_cases() {
  return {{"maxwell", 3, Dtype::float32, ""},
          {"maxwell", 2, Dtype::float64, ""},
          {"maxwell", 3, Dtype::float64, "lanes8_n4"},
          {"acoustics", 2, Dtype::float32, "lanes16_n1"},
          {"maxwell", 2, Dtype::float64, "nodes_pad1_v3_s2"},
          {"acoustics", 1, Dtype::float32, "nodes_pad4_b16_v4x2x4_s2_Dshared_nodemap"},
          {"maxwell", 1, Dtype::float64, "elements_e32_r1"},
          {"maxwell", 2, Dtype::float32, "elements_e32_r1_interleaved"},
          {"maxwell", 2, Dtype::float32, "tiles_e16_w2_r1"},
          {"maxwell", 1, Dtype::float32, "tiles_e8_w1_r1_blocked"},
          {"maxwell", 4, Dtype::float32, "tiles_e16_w5_r1_nodemap_blocked_basis"},
          {"maxwell", 3, Dtype::float64, "tiles_e16_w6_r1_mirror_basis"},
          {"maxwell", 3, Dtype::float64, "tiles_e16_w6_r1_mirror"},
          {"maxwell", 3, Dtype::float64, "tensor_e16_w3_r1"},
          {"acoustics", 4, Dtype::float32, "tensor_e16_w4_r1_apart_faces_ahead_tight"},
          {"maxwell", 4, Dtype::float32, "tensor_e16_w5_r1_twos_basis"},
          {"maxwell", 5, Dtype::float32, "tensor_e8_w6_r1_mirrorfirst_basis"},
          {"maxwell", 4, Dtype::float32, "tensor_e16_w3_r1_blocked"}};
}

bool is_in_basis(const RangeCase& c) {
  return c.schedule.ends_with("basis") || c.schedule.ends_with("interleaved");
}

/// Terms of elements and faces, with unknowns, some of them in several ranges.
void add_terms(Problem& problem, const Discretization& d) {
  const System& system = problem.system;
  const maxwell::PmlMotion layer = testing::bent_motion();
  for (auto& term : maxwell::pml_terms(problem, d, {0, 4, 5, 16, 17, 30}, 0.3, layer)) {
    problem.element_terms.push_back(term);
  }
  problem.element_terms.push_back(
      maxwell::current_term(system, {0, 1, 6, 20}, {symbolic::sin(symbolic::time()), symbolic::coordinate(0), 2.0}));
  std::vector<FaceTerm::Face> faces;
  for (std::int32_t k = 0; k < cells; k += 3) faces.push_back({k, k % 4});
  std::vector<symbolic::Expr> mixed;
  for (int f = 0; f < system.field_count(); ++f) mixed.push_back(0.3 * outside(symbolic::ScalarField{(f + 1) % 6}));
  problem.face_terms.push_back(outside_term(system, "from_elsewhere", mixed, faces));
  problem.face_terms.back().others = {faces.rbegin(), faces.rend()};
}

std::vector<ElementRange> divided(const std::vector<std::size_t>& behind_ranges) {
  std::vector<ElementRange> ranges;
  for (const std::size_t end : behind_ranges) {
    ranges.push_back({.begin = ranges.empty() ? 0 : ranges.back().end, .end = end});
  }
  return ranges;
}

class Ranges : public ::testing::TestWithParam<RangeCase> {
 protected:
  const RangeCase& c_ = GetParam();
  bool has_terms_ = c_.system == "maxwell" && !is_in_basis(c_);
  std::shared_ptr<const Discretization> whole_ = std::make_shared<Discretization>(testing::random_mesh(cells), c_.N);

  void SetUp() override {
    if (c_.schedule.starts_with("lanes") && !maxwell_dg::testing::test_device().info().is_cpu) {
      GTEST_SKIP() << "lanes are for CPUs";
    }
    if (c_.schedule.starts_with("tensor") && maxwell_dg::testing::test_device().info().backend != core::Backend::cuda) {
      GTEST_SKIP() << "tensor cores are CUDA's";
    }
  }

  Operator make_operator(const std::shared_ptr<const Discretization>& discretization) {
    Problem problem = testing::random_problem(
        c_.system == "maxwell" ? maxwell::system({.alpha = 0.7}) : acoustics::system(), *discretization);
    if (has_terms_) add_terms(problem, *discretization);
    Operator::Options options{.precision = c_.precision, .powers = has_terms_};
    if (!c_.schedule.empty()) {
      options.schedule = Schedule::named(c_.schedule);
    }
    Operator op(maxwell_dg::testing::test_compiler_for(c_.schedule), discretization, std::move(problem), options);
    op.set_state(random_values(op.dofs(), 3));
    op.set_auxiliary(random_values(op.auxiliary_count(), 4));
    return op;
  }

  struct Result {
    std::vector<double> q, u, energies, put_in;
  };
  static Result result(Operator& op) {
    Result r{.q = std::vector<double>(op.dofs()), .u = std::vector<double>(op.auxiliary_count())};
    op.get_state(r.q);
    op.get_auxiliary(r.u);
    r.energies = op.energies();
    r.put_in = op.injected_energies();
    return r;
  }
};

constexpr std::array a{0.0, -0.4, -1.2}, b{0.3, 0.6, 0.2}, c{0.0, 0.3, 0.6};
constexpr double dt = 1e-3;
constexpr std::size_t steps = 3, stages = steps * a.size();

double time_of(std::size_t stage) {
  const std::size_t step = stage / a.size();
  return 0.1 + (static_cast<double>(step) + c[stage % a.size()]) * dt;
}

TEST_P(Ranges, in_any_order_of_turns_give_the_bits_of_the_whole) {
  Operator whole = make_operator(whole_);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    whole.stage(a[stage % 3], b[stage % 3], dt, time_of(stage));
  }
  const Result expected = result(whole);
  std::mt19937 random(7);
  for (const std::vector<std::size_t>& ends : {std::vector<std::size_t>{1, 5, 16, 17, 30, 37}, {20, 37}}) {
    const auto discretization = std::make_shared<Discretization>(testing::random_mesh(cells), c_.N, divided(ends));
    Operator op = make_operator(discretization);
    std::vector<std::size_t> done(ends.size(), 0);
    std::size_t refused = 0;
    for (std::size_t turns = 0; turns < ends.size() * stages;) {
      const std::size_t range = random() % ends.size(), stage = done[range];
      if (stage == stages) continue;
      try {
        op.stage_of_range(range, a[stage % 3], b[stage % 3], dt, time_of(stage));
        ++done[range], ++turns;
      } catch (const std::logic_error& e) {
        ++refused;
        EXPECT_NE(std::string(e.what()).find("it is not its turn"), std::string::npos) << e.what();
      }
    }
    EXPECT_GT(refused, 0U);
    const Result found = result(op);
    EXPECT_EQ(found.q, expected.q);
    EXPECT_EQ(found.u, expected.u);
    EXPECT_EQ(found.energies, expected.energies);
    if (has_terms_) {
      EXPECT_LT(relative_difference(found.put_in, expected.put_in), 1e-12);
    }
  }
}

TEST_P(Ranges, steps_that_repeat_and_fourier_sums_give_the_bits_of_the_whole) {
  const auto divided_elements =
      std::make_shared<Discretization>(testing::random_mesh(cells), c_.N, divided({3, 19, 33, 37}));
  std::vector<std::vector<double>> states;
  std::vector<std::vector<std::complex<double>>> sums;
  for (const auto& discretization : {whole_, std::shared_ptr<const Discretization>(divided_elements)}) {
    Operator op = make_operator(discretization);
    const auto fourier = op.sum_fourier({.frequencies = {0.3, 0.7}, .fields = {0, 2}});
    for (int step = 0; step < 4; ++step) {
      op.step({.a = a, .b = b, .c = c}, dt, step * dt);
      fourier->add(step * dt, 1.0);
    }
    states.push_back(result(op).q);
    sums.push_back(fourier->get(1));
  }
  EXPECT_EQ(states[0], states[1]);
  EXPECT_EQ(sums[0], sums[1]);
}

INSTANTIATE_TEST_SUITE_P(All, Ranges, ::testing::ValuesIn(all_range_cases()), ::testing::PrintToStringParamName());

TEST(Ranges, a_state_of_different_stages_is_not_read) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(cells), 1, divided({20, 37}));
  Operator op(maxwell_dg::testing::test_compiler(), discretization,
              testing::random_problem(maxwell::system(), *discretization), {});
  op.stage_of_range(1, 0.0, 0.3, dt, 0.0);
  std::vector<double> q(op.dofs());
  EXPECT_THROW(op.get_state(q), std::logic_error);
  EXPECT_THROW((void)op.energies(), std::logic_error);
  EXPECT_THROW(op.step({.a = a, .b = b, .c = c}, dt, 0.0), std::logic_error);
  op.stage_of_range(0, 0.0, 0.3, dt, 0.0);
  EXPECT_NO_THROW(op.get_state(q));
}

TEST(Ranges, hold_each_element_once) {
  const auto message = [](const std::vector<ElementRange>& ranges) -> std::string {
    try {
      const Discretization discretization(testing::random_mesh(cells), 1, ranges);
      return "nothing";
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message(divided({20, 37})), "nothing");
  EXPECT_EQ(message(divided({20, 36})), "ElementRanges: ranges hold 36 of 37 elements");
  EXPECT_EQ(message({{.begin = 0, .end = 20}, {.begin = 21, .end = 37}}),
            "ElementRanges: a range from 21 to 37 where one that begins at 20 is needed");
  EXPECT_EQ(message(divided({20, 20, 37})),
            "ElementRanges: a range from 20 to 20 where one that begins at 20 is needed");
  std::vector<ElementRange> ranges = divided({20, 37});
  ranges[1].place = ElementRange::Place::ghost;
  EXPECT_EQ(message(ranges), "nothing");
  ranges[0].place = ElementRange::Place::ghost;
  EXPECT_EQ(message(ranges), "ElementRanges: ghosts are not behind own elements");
  ranges[1].place = ElementRange::Place::interior;
  EXPECT_EQ(message(ranges), "ElementRanges: ghosts are not behind own elements");
}

}  // namespace
}  // namespace maxwell_dg::dg
