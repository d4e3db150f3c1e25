#include "dg/tuning/stage_tuner.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/tuning/tuning_table.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;
using maxwell_dg::testing::test_compiler;
using rtcg::Candidate;
using rtcg::Configuration;

/// Tunes order 1 on a few elements, with a wisdom directory of its own.
class StageTunerTest : public ::testing::Test {
 protected:
  static constexpr Dtype precision = Dtype::float64;

  [[nodiscard]] StageTuner make(const System& system, int cells = 37) const {
    const auto discretization = std::make_shared<Discretization>(testing::random_mesh(cells), 1);
    return {test_compiler(),
            discretization,
            testing::random_problem(system, *discretization),
            {.precision = precision, .wisdom_directory = wisdom_.path(), .only = only_}};
  }
  /// Maxwell's equations by a name for which nothing ships.
  static System unknown_system() {
    System system = maxwell::system();
    system.name = "own equations";
    return system;
  }
  static rtcg::TuneOptions quick() {
    return {.seconds = 30, .measure = {.warm_up = 0, .repeats = 1, .seconds_per_repeat = 0}};
  }
  [[nodiscard]] fs::path file() const {
    return rtcg::Wisdom(wisdom_.path()).file_of(test_compiler().device().info().name);
  }
  [[nodiscard]] std::string wisdom_text() const { return content_of(file()); }
  /// Tunes with candidates that `change` has had in its hands.
  template <class Change>
  rtcg::TuningResult tune_changed(StageTuner& tuner, const Change& change, const rtcg::TuneOptions& options = quick()) {
    rtcg::TuningProblem problem = tuner.problem();
    problem.candidate = [inner = problem.candidate, change](const Configuration& c) {
      Candidate candidate = inner(c);
      change(schedule_of(c).name(), candidate);
      return candidate;
    };
    return rtcg::Tuner(test_compiler(), wisdom_.path()).tune(problem, options);
  }
  static std::string rejection(const rtcg::TuningResult& result, const std::string& variant) {
    for (const rtcg::CandidateReport& row : result.table) {
      if (schedule_of(row.configuration).name() == variant) return row.rejection;
    }
    return "was not tried";
  }

  const TemporaryDirectory wisdom_;
  /// Two that run on any device, so that a test is quick.
  std::vector<Schedule> only_{Schedule::named("nodes_pad1_v2_s2"), Schedule::named("nodes_pad1_v4_s4")};
};

TEST(StageKernels, of_other_slicings_have_another_layout) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(3), 1);
  const DeviceProblem elements(test_compiler(), test_compiler().device().create_stream(), discretization,
                               testing::random_problem(maxwell::system(), *discretization), Dtype::float32,
                               Schedule::named("elements_e32_r1"));
  const StageSetting& setting = elements.setting();
  EXPECT_TRUE(setting.has_layout_of(Schedule::named("elements_e64_r2_apart")));
  EXPECT_FALSE(setting.has_layout_of(Schedule::named("tiles_e16_w1_r1_tight")));
}

// By face there are fewer of them than by node.
TEST(StageKernels, of_one_layout_have_numbers_of_faces_of_their_own) {
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(37), 1);
  const DeviceProblem by_node(test_compiler(), test_compiler().device().create_stream(), discretization,
                              testing::random_problem(maxwell::system(), *discretization), Dtype::float64,
                              Schedule::named("tiles_e16_w2_r1_tight_basis"));
  const auto by_face = by_node.stages().with(Schedule::named("tiles_e16_w2_r1_faces_tight_basis"));
  const auto compile = [](StageKernels& stages) { stages.load(test_compiler().compile(stages.source())); };
  const auto rate = [&](StageKernels& stages) {
    by_node.set_state(stages, testing::random_values(by_node.dofs()));
    std::vector<double> values(by_node.dofs());
    by_node.read(stages.evaluate(0.0), values);
    return values;
  };
  compile(by_node.stages());
  const std::vector<double> alone = rate(by_node.stages());
  compile(*by_face);
  EXPECT_EQ(rate(by_node.stages()), alone);
  EXPECT_LT(testing::relative_difference(rate(*by_face), alone), 1e-13);
}

TEST_F(StageTunerTest, both_systems_are_tuned_and_the_answer_is_known_on_every_mesh) {
  only_.clear();
  for (const System& system : {maxwell::system(), acoustics::system()}) {
    StageTuner tuner = make(system);
    rtcg::TuneOptions options = quick();
    options.most_candidates = 3;
    const rtcg::TuningResult result = tuner.tune(options);
    EXPECT_TRUE(result.tuned);
    const std::vector<VariantReport> reports = variant_reports(tuner, result);
    EXPECT_EQ(reports.front().variant, schedule_of(result.best).name());
    EXPECT_GT(reports.front().gdof_per_second, 0);
    for (const int cells : {37, 20}) {
      const Variant variant = make(system, cells).choose(1, quick());
      EXPECT_EQ(variant.schedule, schedule_of(result.best));
      EXPECT_EQ(variant.origin, "found on this device before");
    }
  }
  EXPECT_EQ(rtcg::parse_wisdom(wisdom_text()).size(), 2U);
}

TEST_F(StageTunerTest, what_fails_in_any_way_is_rejected_with_its_reason_and_never_chosen) {
  const std::string bad = only_[0].name(), good = only_[1].name();
  struct Fault {
    std::string reason;
    std::function<void(Candidate&)> make;
  };
  const std::vector<Fault> faults{
      {"kernel does not compile", [](Candidate& c) { c.source.text += "broken"; }},
      {"wrong result: relative error ",
       [](Candidate& c) {
         const std::string update = "dt * RHS[i]";
         c.source.text.replace(c.source.text.find(update), update.size(), "dt * RHS[i] * (real)1.0001");
       }},
      {"no group can be that large",
       [](Candidate& c) {
         c.rehearsal = [](const core::Module&, const core::Stream&) {
           throw DeviceError("no group can be that large");
         };
       }},
      {"out of device memory, says the test",
       [](Candidate& c) {
         c.run = [](const core::Module&, const core::Stream&) {
           throw OutOfDeviceMemory("out of device memory, says the test");
         };
       }},
      {"cannot take less than", [](Candidate& c) { c.least_seconds = 1e9; }},
  };
  for (const Fault& fault : faults) {
    fs::remove(file());
    std::swap(only_[0], only_[1]);  // the good one first: a bound needs something to compare with
    StageTuner tuner = make(unknown_system());
    std::swap(only_[0], only_[1]);
    const rtcg::TuningResult result = tune_changed(tuner, [&](const std::string& name, Candidate& candidate) {
      if (name == bad) fault.make(candidate);
    });
    EXPECT_NE(rejection(result, bad).find(fault.reason), std::string::npos) << rejection(result, bad);
    EXPECT_EQ(schedule_of(result.best).name(), good) << fault.reason;
    const std::string table = variant_table(variant_reports(tuner, result));
    EXPECT_NE(table.find("rejected  " + bad + ": "), std::string::npos) << table;
  }
}

// The space that GPUs have, on any device.
TEST_F(StageTunerTest, a_stage_in_three_kernels_is_tuned_kernel_by_kernel) {
  const System system = unknown_system();
  const LoweredSystem lowered = lower(system);
  core::DeviceInfo gpu = test_compiler().device().info();
  gpu.is_cpu = false;
  only_.resize(1);
  StageTuner tuner = make(system);
  rtcg::TuningProblem problem = tuner.problem();
  const std::vector<rtcg::SearchSpace> spaces =
      variant_spaces(gpu, {.lowered = lowered, .system = system.name, .N = 1, .precision = precision});
  const auto in_blocks = std::ranges::find_if(spaces, [](const auto& space) {
    return space.contains(configuration_of(Schedule::named("nodes_pad4_b4_v16_s16")));
  });
  ASSERT_NE(in_blocks, spaces.end());
  problem.space = *in_blocks;
  problem.other_spaces.clear();
  rtcg::TuneOptions options = quick();
  options.most_candidates = 48;  // beyond a first look, which is the larger the more cores there are
  options.patience = 4;
  const rtcg::TuningResult result = rtcg::Tuner(test_compiler(), wisdom_.path()).tune(problem, options);
  ASSERT_FALSE(result.operations.empty());
  EXPECT_EQ(result.operations.front().name, "volume");
  for (const rtcg::OperationReport& operation : result.operations) {
    EXPECT_GT(operation.seconds, 0) << operation.name;
    for (const rtcg::CandidateReport& trial : operation.table) {
      EXPECT_EQ(trial.rejection, "");
      for (const auto& [name, value] : trial.configuration) {
        EXPECT_TRUE(operation.best.contains(name) || value == operation.base.at(name)) << operation.name << " " << name;
      }
    }
  }
}

TEST_F(StageTunerTest, one_that_hangs_is_bounded_in_time) {
  StageTuner tuner = make(unknown_system());
  (void)tuner.tune(quick());  // so that compiling takes no time below
  rtcg::TuneOptions options = quick();
  options.anew = true;
  options.candidate_seconds = 0.3;
  options.hang_seconds = 300;
  const rtcg::TuningResult result = tune_changed(
      tuner,
      [&](const std::string& name, Candidate& candidate) {
        if (name != only_[0].name()) return;
        const std::string update = "const real res = a";
        const std::string at_length =
            "real s = a; for (int32 j = 0; GLOBAL_ID(0) == 0 && j < 10000000; ++j) s = sin(s) + 1; if (s == 42) "
            "return; ";
        candidate.source.text.insert(candidate.source.text.find(update), at_length);
      },
      options);
  EXPECT_EQ(rejection(result, only_[0].name()), "takes longer than 0.3 s");
  EXPECT_EQ(schedule_of(result.best), only_[1]);
}

TEST_F(StageTunerTest, tuning_that_ends_badly_leaves_wisdom_as_it_was) {
  StageTuner tuner = make(unknown_system());
  (void)tuner.tune(quick());
  const std::string before = wisdom_text();
  EXPECT_FALSE(before.empty());
  rtcg::TuneOptions anew = quick();
  anew.anew = true;
  const auto lose_the_device = [](const std::string&, Candidate& candidate) {
    candidate.rehearsal = [](const core::Module&, const core::Stream&) {
      throw std::runtime_error("the device is gone");
    };
  };
  EXPECT_THROW((void)tune_changed(tuner, lose_the_device, anew), std::runtime_error);
  EXPECT_EQ(wisdom_text(), before);
  const auto no_memory = [](const std::string&, Candidate& candidate) {
    candidate.rehearsal = [](const core::Module&, const core::Stream&) {
      throw OutOfDeviceMemory("no memory is left");
    };
  };
  EXPECT_THROW((void)tune_changed(tuner, no_memory, anew), DeviceError);
  EXPECT_EQ(wisdom_text(), before);
}

TEST_F(StageTunerTest, wisdom_that_is_corrupt_of_another_version_or_of_a_vanished_variant_is_a_miss) {
  only_.clear();
  StageTuner tuner = make(unknown_system());
  const Variant standard = tuner.choose(1, quick());
  EXPECT_EQ(standard.origin, "the default");
  rtcg::WisdomEntry entry{.question = tuner.problem().question,
                          .device = test_compiler().device().info().name,
                          .configuration = configuration_of(Schedule::named("tiles_e17_w5_r9"))};
  rtcg::Wisdom(wisdom_.path()).store(entry);
  EXPECT_EQ(tuner.choose(1, quick()).origin, "the default");
  entry.configuration = configuration_of(standard.schedule);
  entry.question = "stage 0 own equations N1 float64";
  rtcg::Wisdom(wisdom_.path()).store(entry);
  EXPECT_EQ(tuner.choose(1, quick()).origin, "the default");
  for (const char* text : {"garbage\n", "{\"version\": 1}\n", "{\"version\":2,\"question\":3}\n", "[", ""}) {
    std::ofstream(file()) << text;
    EXPECT_EQ(tuner.choose(1, quick()).origin, "the default") << text;
  }
}

TEST_F(StageTunerTest, a_run_tunes_by_itself_only_where_that_is_worth_its_time) {
  rtcg::TuneOptions options = quick();
  StageTuner tuner = make(unknown_system());
  EXPECT_EQ(tuner.choose(1e6, options).origin, "the default");  // would take minutes, but not five times as long
  EXPECT_FALSE(fs::exists(file()));
  options.seconds = 0;
  EXPECT_EQ(tuner.choose(0, options).origin, "the default");
  options.seconds = 1e-3;
  const Variant variant = tuner.choose(1e9, options);
  EXPECT_TRUE(variant.origin.starts_with("found now, the fastest of ")) << variant.origin;
  EXPECT_EQ(tuner.choose(1e9, options).origin, "found on this device before");
}

TEST_F(StageTunerTest, who_asks_at_the_same_time_ends_with_one_answer) {
  std::vector<rtcg::TuningResult> results(2);
  {
    std::vector<std::jthread> threads;
    for (rtcg::TuningResult& result : results) {
      threads.emplace_back([&] { result = make(unknown_system()).tune(quick()); });
    }
  }
  EXPECT_NE(results[0].tuned, results[1].tuned);
  EXPECT_EQ(results[0].best, results[1].best);
  EXPECT_EQ(rtcg::parse_wisdom(wisdom_text()).size(), 1U);
}

}  // namespace
}  // namespace maxwell_dg::dg
