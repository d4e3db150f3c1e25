#include <algorithm>
#include <string_view>
#include <utility>

#include "tests/simulation/fixture.hpp"

namespace maxwell_dg::testing {
namespace {

using simulation::Simulation;

TEST_F(SimulationTest, two_in_turn_do_not_know_of_each_other) {
  Simulation alone(load(guide));
  alone.run();
  std::string of_first, of_second;
  Simulation first(load(guide), {.log = [&](LogLevel, std::string_view text) { (of_first += text) += '\n'; }});
  Simulation second(load(box, {"time.end=12", "outputs.resonances=null"}),
                    {.log = [&](LogLevel, std::string_view text) { (of_second += text) += '\n'; }});
  while (!first.has_ended() || !second.has_ended()) {
    first.step(3);
    second.step(5);
  }
  EXPECT_EQ(first.probes().values(), alone.probes().values());
  EXPECT_EQ(first.field("Ey"), alone.field("Ey"));
  EXPECT_EQ(dg::touchstone(first.s_parameters().value()), dg::touchstone(alone.s_parameters().value()));
  EXPECT_EQ(first.summary().warnings, alone.summary().warnings);
  EXPECT_NE(of_first.find("port p1: te10"), std::string::npos) << of_first;
  EXPECT_EQ(of_second.find("port p1: te10"), std::string::npos) << of_second;
  EXPECT_NE(of_second.find("kernel variant: "), std::string::npos) << of_second;
}

TEST_F(SimulationTest, says_nothing_where_its_log_takes_all) {
  ::testing::internal::CaptureStderr();
  std::vector<std::string> warnings;
  const auto listen = [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::warning) warnings.emplace_back(text);
  };
  Simulation simulation(load(box, {"time.end=12", "checkpoint={steps: 3}", "outputs.resonances=null"}),
                        {.log = listen});
  simulation.run();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(simulation.summary().warnings, warnings);
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const std::string& warning) {
    return warning.ends_with("checkpoint: results stay in memory, so there will be no checkpoints");
  }));
  EXPECT_TRUE(nothing_was_written());
}

TEST_F(SimulationTest, moves) {
  Simulation first(load(guide));
  first.step(2);
  Simulation second = std::move(first);
  second.step(2);
  EXPECT_EQ(second.steps(), 4);
  EXPECT_EQ(second.probes().rows(), 5U);
}

}  // namespace
}  // namespace maxwell_dg::testing
