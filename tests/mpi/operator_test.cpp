#include "dg/operator/operator.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "dg/acoustics/acoustics.hpp"
#include "dg/checkpoint/archive.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/operator/saved_state.hpp"
#include "dg/operator/state_copy.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/bloch_problem.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/parts.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/support/varying_media.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// An operator whose mesh is divided among the ranks, at random or as it is by default, computes what one rank
/// computes.
namespace maxwell_dg::dg {
namespace {

using maxwell_dg::testing::test_compiler;
using testing::random_values;
using testing::relative_difference;
using Numbers = std::vector<double>;

enum class Division { at_random, by_default };

struct RanksCase {
  std::string
      problem;  ///< a system with terms; "tensors", which vary in curved elements; or "phases" of complex fields
  int N;
  Dtype precision;
  std::string schedule;  ///< "": the default one
  bool has_curved = false;
  Division division = Division::at_random;
};

std::ostream& operator<<(std::ostream& out, const RanksCase& c) {
  return out << c.problem << "_N" << c.N << "_" << name_of(c.precision) << "_"
             << (c.schedule.empty() ? "default" : c.schedule) << (c.has_curved ? "_curved" : "")
             << (c.division == Division::at_random ? "" : "_partitioned");
}

std::vector<RanksCase> all_cases() {
  return {{"maxwell", 2, Dtype::float64, ""},
          {"maxwell", 3, Dtype::float32, ""},
          {"maxwell", 2, Dtype::float64, "", true},
          {"maxwell", 2, Dtype::float64, "nodes_pad1_v3_s2"},
          {"maxwell", 1, Dtype::float32, "tiles_e8_w1_r1_blocked"},
          {"maxwell", 4, Dtype::float32, "tiles_e16_w5_r1_nodemap_blocked_basis"},
          {"acoustics", 2, Dtype::float64, "elements_e32_r1"},
          {"acoustics", 2, Dtype::float64, "", true},
          {"maxwell", 2, Dtype::float64, "", false, Division::by_default},
          {"maxwell", 2, Dtype::float64, "", true, Division::by_default},
          {"tensors", 2, Dtype::float64, "", true},
          {"phases", 1, Dtype::float64, ""}};
}

class OperatorOnRanks : public ::testing::TestWithParam<RanksCase> {
 protected:
  const RanksCase& c_ = GetParam();
  core::Communicator world_ = core::Communicator::world();
  bool in_basis_ = c_.schedule.ends_with("basis");
  std::shared_ptr<const Discretization> discretization_ = make_discretization();
  double bound_ = c_.precision == Dtype::float64 ? 1e-12 : 1e-5;

  void SetUp() override {
    if (static_cast<std::size_t>(world_.size()) > discretization_->K()) GTEST_SKIP() << "more ranks than elements";
  }

  [[nodiscard]] std::shared_ptr<const Discretization> make_discretization() const {
    if (c_.problem == "phases") {
      return std::make_shared<Discretization>(testing::periodic_box(), c_.N, FieldNumbers::complex);
    }
    return std::make_shared<Discretization>(
        c_.has_curved ? testing::half_curved_random_mesh(40, 2) : testing::random_mesh(40), c_.N);
  }

  [[nodiscard]] Problem problem() const {
    if (c_.problem == "phases") return testing::problem_with_phases(*discretization_);
    if (c_.problem == "tensors") {
      Problem problem = testing::random_anisotropic_problem(0.7, *discretization_);
      testing::vary_within(problem, *discretization_, testing::random_smooth_tensors(1, 0.5));
      integrate_losses(problem, *discretization_);
      return problem;
    }
    const bool is_maxwell = c_.problem == "maxwell";
    Problem problem =
        testing::random_problem(is_maxwell ? maxwell::system({.alpha = 0.7}) : acoustics::system(), *discretization_);
    if (!in_basis_) (is_maxwell ? testing::add_all_terms : testing::add_linear_terms)(problem, *discretization_);
    return problem;
  }

  [[nodiscard]] Operator make(const core::Communicator& ranks, std::optional<Transport> transport = {}) const {
    Operator::Options options{.precision = c_.precision, .powers = !in_basis_, .ranks = ranks, .transport = transport};
    if (!c_.schedule.empty()) options.schedule = Schedule::named(c_.schedule);
    if (c_.division == Division::at_random && ranks.size() > 1) {
      options.rank_of_element = testing::random_ranks(*discretization_, ranks.size());
    }
    Operator op(test_compiler(), discretization_, problem(), options);
    op.set_state(random_values(op.dofs(), 3));
    op.set_auxiliary(random_values(op.auxiliary_count(), 4));
    return op;
  }

  [[nodiscard]] static Numbers state(const Operator& op) {
    Numbers q(op.dofs());
    op.get_state(q);
    return q;
  }

  /// This rank's sums are those of its elements among all that the first rank has.
  void expect_own_sums(const Operator& op, const FourierSums& sums,
                       const std::vector<std::complex<double>>& at_first) const {
    const std::vector<std::complex<double>> own = sums.get_own(1);
    const std::size_t an_element = 2 * static_cast<std::size_t>(op.part().Np());
    ASSERT_EQ(own.size(), op.part().own() * an_element);
    if (at_first.empty()) return;
    for (std::size_t k = 0; k < op.part().own(); ++k) {
      const std::size_t whole =
          op.part().whole_numbers.empty() ? k : static_cast<std::size_t>(op.part().whole_numbers[k]);
      for (std::size_t i = 0; i < an_element; ++i) EXPECT_EQ(own[k * an_element + i], at_first[whole * an_element + i]);
    }
  }

  void expect_close(const Numbers& found, const Numbers& expected, const std::string& what) const {
    ASSERT_EQ(found.size(), expected.size()) << what;
    if (expected.empty()) return;
    EXPECT_LT(relative_difference(found, expected), bound_) << what;
  }
};

constexpr std::array a{0.0, -0.4, -1.2}, b{0.3, 0.6, 0.2}, c{0.0, 0.3, 0.6};
constexpr double dt = 1e-3;

TEST_P(OperatorOnRanks, gives_back_the_state_that_it_was_given) {
  Operator op = make(world_);
  EXPECT_EQ(op.dofs(),
            discretization_->K() * static_cast<std::size_t>(op.problem().system.field_count() * discretization_->Np()));
  expect_close(state(op), random_values(op.dofs(), 3), "state");
  Numbers u(op.auxiliary_count());
  op.get_auxiliary(u);
  expect_close(u, random_values(op.auxiliary_count(), 4), "auxiliary variables");
}

/// The names of those that there are on this machine, and the states after some steps by them.
TEST_P(OperatorOnRanks, every_transport_brings_the_same_bits) {
  if (world_.size() == 1) GTEST_SKIP() << "one rank exchanges nothing";
  std::vector<Numbers> states;
  std::string names;
  for (const Transport transport : {Transport::host, Transport::nccl, Transport::peer_memory}) {
    try {
      Operator op = make(world_, transport);
      ASSERT_EQ(op.transport(), transport);
      for (int step = 0; step < 7; ++step) op.step({.a = a, .b = b, .c = c}, dt, 0.1 + step * dt);
      states.push_back(state(op));
      names += std::string(names.empty() ? "" : ", ") + std::string(name_of(transport));
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find("ranks cannot exchange by " + std::string(name_of(transport))),
                std::string::npos)
          << error.what();
    }
  }
  RecordProperty("transports", names);
  ASSERT_FALSE(states.empty());
  for (const Numbers& other : states) EXPECT_EQ(other, states.front()) << names;
}

TEST_P(OperatorOnRanks, has_the_right_hand_side_of_one_rank) {
  Operator op = make(world_), alone = make({});
  Numbers found(op.dofs()), expected(op.dofs()), rates(op.auxiliary_count()), expected_rates(op.auxiliary_count());
  op.evaluate_rhs(0.2, found, rates);
  alone.evaluate_rhs(0.2, expected, expected_rates);
  expect_close(found, expected, "right-hand side");
  expect_close(rates, expected_rates, "rates");
}

TEST_P(OperatorOnRanks, steps_as_one_rank_does) {
  Operator op = make(world_), alone = make({});
  for (Operator* one : {&op, &alone}) {
    for (int step = 0; step < 5; ++step) one->step({.a = a, .b = b, .c = c}, dt, 0.1 + step * dt);
  }
  expect_close(state(op), state(alone), "state");
  Numbers found(op.auxiliary_count()), expected(op.auxiliary_count());
  op.get_auxiliary(found);
  alone.get_auxiliary(expected);
  expect_close(found, expected, "auxiliary variables");
  expect_close(op.energies(), alone.energies(), "energies");
  EXPECT_EQ(op.power_names(), alone.power_names());
  expect_close(op.injected_energies(), alone.injected_energies(), "injected energies");
  expect_close(op.powers(0.3), alone.powers(0.3), "powers");
}

TEST_P(OperatorOnRanks, computes_the_same_bits_again) {
  std::vector<Numbers> states;
  for (int run = 0; run < 2; ++run) {
    Operator op = make(world_);
    for (int step = 0; step < 3; ++step) op.step({.a = a, .b = b, .c = c}, dt, 0.1 + step * dt);
    states.push_back(state(op));
  }
  EXPECT_EQ(states[0], states[1]);
}

TEST_P(OperatorOnRanks, records_a_point_whatever_other_ranks_have) {
  Operator op = make(world_);
  const std::size_t element = discretization_->K() / 2, an_element = op.dofs() / discretization_->K();
  Numbers q(op.dofs(), std::numeric_limits<double>::quiet_NaN());
  std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(element * an_element), an_element, 2.0);
  op.set_state(q);
  const auto recorder = op.record_points({{element, {-0.4, -0.5, -0.3}}}, 1);
  recorder->record();
  const Numbers values = recorder->take();
  ASSERT_EQ(values.size(), static_cast<std::size_t>(op.problem().system.field_count()));
  const double expected = world_.is_first() || op.number_in_part(element) ? 2.0 : 0.0;
  for (const double value : values) EXPECT_NEAR(value, expected, 1e-5);
}

TEST_P(OperatorOnRanks, records_what_one_rank_records) {
  std::vector<PointLocation> points;
  for (std::size_t k = 0; k < discretization_->K(); k += 3) points.push_back({k, {-0.4, -0.5, -0.3}});
  const std::vector<ElementFace> faces{{0, 1}, {7, 0}, {7, 3}, {20, 2}, {33, 1}};
  std::vector<Numbers> of_points, of_energies, of_balance;
  std::vector<std::vector<std::complex<double>>> sums;
  for (const core::Communicator& ranks : {world_, core::Communicator()}) {
    Operator op = make(ranks);
    const auto at_points = op.record_points(points, 2);
    const auto energies = op.record_energies();
    const auto balance = op.record_balance();
    const auto everywhere = op.sum_fourier({.frequencies = {0.3, 0.7}, .fields = {0, 2}});
    const auto on_faces = op.sum_fourier({.frequencies = {0.3, 0.7}, .fields = {1, 2}, .faces = faces});
    Numbers points_so_far, energies_so_far;
    for (int step = 0; step < 5; ++step) {
      op.step({.a = a, .b = b, .c = c}, dt, 0.1 + step * dt);
      at_points->record();
      energies->record();
      balance->record();
      everywhere->add(step * dt, 1.0);
      on_faces->add(step * dt, 0.5);
      for (const double value : at_points->take_arrived()) points_so_far.push_back(value);
      for (const double value : energies->take_arrived()) energies_so_far.push_back(value);
    }
    for (const double value : at_points->take()) points_so_far.push_back(value);
    for (const double value : energies->take()) energies_so_far.push_back(value);
    of_points.push_back(points_so_far);
    of_energies.push_back(energies_so_far);
    of_balance.push_back(balance->take());
    for (const FourierSums* of : {everywhere.get(), on_faces.get()}) sums.push_back(of->get(1));
    expect_own_sums(op, *everywhere, everywhere->get(1));
  }
  expect_close(of_energies[0], of_energies[1], "energies");
  EXPECT_EQ(of_points[0].size(), of_points[1].size());
  if (world_.is_first()) {  // the others have what is their own
    expect_close(of_points[0], of_points[1], "points");
    expect_close(of_balance[0], of_balance[1], "balance");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (!world_.is_first()) {
      EXPECT_TRUE(sums[i].empty()) << "the first rank alone has them";
      continue;
    }
    ASSERT_EQ(sums[i].size(), sums[2 + i].size());
    for (std::size_t n = 0; n < sums[i].size(); ++n) EXPECT_LT(std::abs(sums[i][n] - sums[2 + i][n]), 10 * bound_);
  }
}

TEST_P(OperatorOnRanks, copies_and_goes_on_from_what_another_number_of_ranks_saved) {
  Operator op = make(world_), alone = make({});
  std::vector<Numbers> copies;
  std::vector<std::unique_ptr<StateCopy>> copying;
  const TemporaryDirectory directory;  // the first rank's counts
  const std::filesystem::path folder = world_.broadcast(directory.path().string());
  std::vector<Archive> archives(2);
  const FourierSelection everywhere{.frequencies = {0.3, 0.7}, .fields = {0, 2}};
  const FourierSelection on_faces{
      .frequencies = {0.3}, .fields = {1}, .faces = std::vector<ElementFace>{{0, 1}, {7, 0}, {7, 3}, {20, 2}, {33, 1}}};
  std::vector<std::unique_ptr<FourierSums>> sums;  // [of ranks, alone][everywhere, on faces]
  for (Operator* one : {&op, &alone}) {
    one->step({.a = a, .b = b, .c = c}, dt, 0.1);
    for (const FourierSelection& selection : {everywhere, on_faces}) {
      sums.push_back(one->sum_fourier(selection));
      sums.back()->add(0.1, 0.7);
      sums.back()->save(selection.faces ? "on_faces" : "everywhere", archives[copies.size()]);
    }
    copying.push_back(one->copy_state());
    copying.back()->begin();
    Numbers own(one->part().own() * one->dofs() / discretization_->K());
    copying.back()->get(own);
    EXPECT_EQ(own, one->own_state());
    copies.push_back(one->gathered(own, one->dofs() / discretization_->K()));
    copying.back()->save(archives[copies.size() - 1]);
    save_auxiliary(*one, archives[copies.size() - 1]);
  }
  {
    CheckpointWriter of_ranks(archives[0], folder / "ranks.h5", world_);
    of_ranks.write_part();
    double written = 1;
    world_.sum({&written, 1});
    if (world_.is_first()) {
      of_ranks.finish();
      write_checkpoint(archives[1], folder / "alone.h5");
    }
    world_.sum({&written, 1});
  }
  archives = {read_checkpoint(folder / "ranks.h5"), read_checkpoint(folder / "alone.h5")};
  for (std::size_t i = 0; i < 4; ++i) {  // each goes on from what the other saved
    const std::vector<std::complex<double>> mine = sums[i]->get(0);
    sums[i]->load(i % 2 == 0 ? "everywhere" : "on_faces", archives[i < 2 ? 1 : 0]);
    const std::vector<std::complex<double>> loaded = sums[i]->get(0);
    ASSERT_EQ(loaded.size(), mine.size());
    for (std::size_t n = 0; n < mine.size(); ++n) EXPECT_LT(std::abs(loaded[n] - mine[n]), 10 * bound_);
  }
  EXPECT_EQ(archives[0].arrays().size(), archives[1].arrays().size());
  for (const auto& [name, array] : archives[1].arrays()) EXPECT_EQ(archives[0].array(name).shape, array.shape) << name;
  if (world_.is_first()) {
    expect_close(copies[0], copies[1], "copies");
  } else {
    EXPECT_TRUE(copies[0].empty()) << "the first rank alone has the whole";
  }
  const Numbers expected = state(op);
  load_state(alone, archives[0]);
  expect_close(state(alone), expected, "state of one rank");
  load_state(op, archives[1]);
  expect_close(state(op), expected, "state of the ranks");
  for (Operator* one : {&op, &alone}) one->step({.a = a, .b = b, .c = c}, dt, 0.1 + dt);
  expect_close(state(op), state(alone), "one step later");
  double done = 1;
  world_.sum({&done, 1});  // before the folder goes
}

INSTANTIATE_TEST_SUITE_P(All, OperatorOnRanks, ::testing::ValuesIn(all_cases()), ::testing::PrintToStringParamName());

/// A rank that is late at every stage, as one that shares its device or its cores with others: its host sleeps, or its
/// device has other work in front of the stage.
class SlowRank : public ::testing::Test {
 protected:
  enum class Late { nobody, host, device };

  /// Six stages, each a step of its own. Collective.
  Numbers state_after_stages(int slow, Late what) {
    Operator op(test_compiler(), discretization_, problem_, {.ranks = world_});
    op.set_state(random_values(op.dofs(), 3));
    std::mt19937 random(7);
    for (int stage = 0; stage < 6; ++stage) {
      const auto late_by = std::chrono::microseconds(random() % 20'000);
      if (world_.rank() == slow && what == Late::host) std::this_thread::sleep_for(late_by);
      if (world_.rank() == slow && what == Late::device) keep_busy(op.stream());
      op.step({.a = std::array{0.0}, .b = std::array{0.4}, .c = std::array{0.0}}, 1e-2, 0.1);
    }
    Numbers q(op.dofs());
    op.get_state(q);
    return q;
  }

  /// Some milliseconds of work that nobody needs.
  void keep_busy(const core::Stream& stream) {
    work_.launch(stream, {.group_size = {1, 1, 1}}, {numbers_, std::int32_t{2'000'000}});
  }

  const core::Communicator world_ = core::Communicator::world();
  const std::shared_ptr<const Discretization> discretization_ =
      std::make_shared<Discretization>(testing::random_mesh(40), 2);
  const Problem problem_ = testing::random_problem(maxwell::system({.alpha = 0.7}), *discretization_);
  const core::Kernel work_ = test_compiler()
                                 .compile({.name = "work.kernel", .text = R"(
    KERNEL void work(GLOBAL float32* x, int32 turns) {
      float32 y = x[0];
      for (int32 i = 0; i < turns; ++i) y = y * 0.999f + 1.0f;
      x[0] = y;
    })"})
                                 .kernel("work");
  const core::Buffer numbers_ = test_compiler().device().allocate(sizeof(float));
};

TEST_F(SlowRank, changes_no_bit_of_what_any_rank_computes) {
  if (world_.size() == 1) return;
  const Numbers expected = state_after_stages(0, Late::nobody);
  for (int slow = 0; slow < world_.size(); ++slow) {
    for (const Late what : {Late::host, Late::device}) {
      EXPECT_EQ(state_after_stages(slow, what), expected)
          << "rank " << slow << "'s " << (what == Late::host ? "host" : "device");
    }
  }
}

TEST(OperatorOnRanks, has_no_use_for_more_ranks_than_elements) {
  const core::Communicator world = core::Communicator::world();
  if (world.size() < 3) return;
  const auto two = std::make_shared<Discretization>(testing::random_mesh(2), 1);
  EXPECT_THROW(Operator(test_compiler(), two, testing::random_problem(maxwell::system(), *two), {.ranks = world}),
               ConfigError);
}

}  // namespace
}  // namespace maxwell_dg::dg
