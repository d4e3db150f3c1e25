// How the tuner searches, what it rejects, and what happens where a candidate ends the process.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "rtcg/tune/trial.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/obstacle.hpp"
#include "tests/unit/rtcg/tuner_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

TEST_F(TunerTest, the_fastest_of_all_is_found_and_the_same_question_never_tuned_again) {
  const TuningResult first = tuner().tune(problem(), quick());
  EXPECT_TRUE(first.tuned);
  EXPECT_EQ(first.match, Match::none);
  EXPECT_EQ(first.space_size, 4u);
  ASSERT_EQ(first.table.size(), 4u);
  for (const CandidateReport& report : first.table) {
    EXPECT_EQ(report.rejection, "");
    EXPECT_GE(report.seconds, first.seconds);
  }
  const int before = generated_;
  verified_ = 0;
  const TuningResult second = tuner().tune(problem(), quick());
  EXPECT_FALSE(second.tuned);
  EXPECT_EQ(second.match, Match::exact);
  EXPECT_EQ(second.best, first.best);
  EXPECT_EQ(second.seconds, first.seconds);
  EXPECT_EQ(generated_, before + 1);
  EXPECT_EQ(verified_, 1);  // a known answer is verified like any other
}

TEST_F(TunerTest, what_fails_is_rejected_with_its_reason_and_never_chosen) {
  const TuningResult result =
      tuner().tune(problem({"none", "compile", "wrong", "launch", "refused", "bound", "group"}, {1}), quick());
  EXPECT_EQ(result.best.at("defect"), Value("none"));
  EXPECT_NE(report_of(result, "compile").rejection.find("scale.kernel:3: kernel does not compile"), std::string::npos);
  EXPECT_EQ(report_of(result, "wrong").rejection, "wrong result: y[1] = 3.000000");
  EXPECT_NE(report_of(result, "launch").rejection.find("takes 2 arguments"), std::string::npos);
  EXPECT_EQ(report_of(result, "refused").rejection, "no such thing");
  EXPECT_NE(report_of(result, "bound").rejection.find("cannot take less than 1e+09 s"), std::string::npos);
  EXPECT_NE(report_of(result, "group").rejection.find("a group of 1048576 is larger than"), std::string::npos);
  const std::string table = table_text(result);
  EXPECT_NE(table.find("rejected    defect=refused each=1: no such thing\n"), std::string::npos) << table;
}

TEST(Trial, what_spills_more_than_is_allowed_is_rejected_where_the_backend_tells) {
  core::DeviceInfo device{.backend = core::Backend::cuda, .shared_memory_bytes = 1000};
  const TuneOptions options{.spill_bytes = 64};
  EXPECT_EQ(Trial::objection(device, options, {}, {.registers = 255, .local_bytes = 64}), "");
  EXPECT_EQ(Trial::objection(device, options, {}, {.registers = 255, .local_bytes = 65}),
            "spills 65 bytes a work-item (255 registers)");
  device.backend = core::Backend::opencl;  // where private arrays count as well
  EXPECT_EQ(Trial::objection(device, options, {}, {.registers = 255, .local_bytes = 65}), "");
}

TEST(Trial, what_takes_more_shared_memory_than_a_group_may_have_is_rejected_whichever_kind_it_is) {
  const core::DeviceInfo device{.shared_memory_bytes = 1000};
  const Candidate candidate{.shape = {.dynamic_shared_bytes = 400}};
  EXPECT_EQ(Trial::objection(device, {}, candidate, {.shared_bytes = 600}), "");
  EXPECT_EQ(Trial::objection(device, {}, candidate, {.shared_bytes = 601}),
            "takes 1001 bytes of shared memory, a group may have 1000");
}

TEST_F(TunerTest, an_answer_that_is_not_to_be_kept_is_not_stored) {
  TuneOptions options = quick();
  options.keep = false;
  EXPECT_TRUE(tuner().tune(problem(), options).tuned);
  EXPECT_FALSE(std::filesystem::exists(wisdom_file()));
  EXPECT_TRUE(tuner().tune(problem(), quick()).tuned);
  EXPECT_TRUE(std::filesystem::exists(wisdom_file()));
}

TEST_F(TunerTest, a_candidate_that_takes_too_long_is_given_up) {
  // The slow one is a chain of sines, each of which waits for the one before: seconds on any device, however many cores
  // it has, and more where it is busy. The good one does next to nothing.
  TuneOptions options = quick();
  options.candidate_seconds = 0.5;
  options.hang_seconds = 300;
  const TuningResult result = tuner().tune(problem({"none", "slow"}, {1}), options);
  EXPECT_EQ(result.best.at("defect"), Value("none"));
  EXPECT_EQ(report_of(result, "slow").rejection, "takes longer than 0.5 s");
}

TEST_F(TunerTest, where_nothing_works_the_error_says_why) {
  try {
    (void)tuner().tune(problem({"wrong"}, {1}), quick());
    FAIL() << "something was chosen";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("none of 1 candidates works"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("wrong result"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(wisdom_file()));
}

TEST_F(TunerTest, of_several_spaces_the_most_promising_is_searched_on_and_a_slow_one_is_left) {
  TuningProblem p = problem({"none"}, {1, 2});
  SearchSpace other;
  other.add("each", {4, 8}).add("defect", {"none"}).add("kind", {"other"});
  std::vector<Value> many;
  for (int i = 0; i < 200; ++i) many.emplace_back(i);
  SearchSpace slow;
  slow.add("each", {1}).add("defect", {"slower"}).add("copy", many);
  p.other_spaces = {other, slow};
  const auto inner = p.candidate;
  p.candidate = [this, inner](const Configuration& c) {
    Candidate candidate = inner(of_template(c));
    candidate.source.text += c.contains("copy") ? "// " + c.at("copy").written() + "\n" : "";
    candidate.run = [this, shape = candidate.shape, milliseconds = c.at("defect") == Value("slower") ? 300 : 1](
                        const core::Module& module, const core::Stream& stream) {
      launch(module, stream, shape, milliseconds);
    };
    return candidate;
  };
  p.first = {{{"defect", "none"}, {"each", 8}, {"kind", "other"}}};
  const TuningResult result = tuner().tune(p, counted());
  EXPECT_EQ(result.space_size, 204u);
  EXPECT_EQ(result.best.at("defect"), Value("none"));
  EXPECT_EQ(result.table.front().configuration, p.first.front());
  for (const CandidateReport& report : result.table) EXPECT_EQ(report.rejection, "");
  EXPECT_LE(result.table.size(), 4 + 32u);
  EXPECT_GT(result.table.size(), 4u);
  EXPECT_EQ(tuner().tune(p, counted()).best, result.best);
}

TEST_F(TunerTest, what_is_slow_only_the_first_time_is_found) {
  TuningProblem p = problem({"none"}, {1, 2});
  const auto inner = p.candidate;
  p.candidate = [this, inner](const Configuration& c) {
    Candidate candidate = rehearsed(inner(c));
    const bool is_fast = c.at("each") == Value(2);
    candidate.run = [this, shape = candidate.shape, is_fast, runs = 0](const core::Module& module,
                                                                       const core::Stream& stream) mutable {
      launch(module, stream, shape, !is_fast ? 30 : runs++ == 0 ? 600 : 1);
    };
    return candidate;
  };
  p.first = {{{"defect", "none"}, {"each", 1}}};
  EXPECT_EQ(tuner().tune(p, counted()).best.at("each"), Value(2));
}

TEST_F(TunerTest, what_is_fastest_for_a_moment_alone_is_not_chosen_for_long_runs) {
  TuningProblem p = problem({"none"}, {1});
  p.space.add("kind", {"tires", "steady", "fails later", "far behind"});
  const auto inner = p.candidate;
  const auto made_ready = std::make_shared<int>(0);
  p.candidate = [this, inner, made_ready](const Configuration& c) {
    const std::string kind = c.at("kind").text();
    Candidate candidate = rehearsed(inner(of_template(c)));
    candidate.make_ready = [kind, made_ready](const core::Module&, const core::Stream&) {
      if (kind == "fails later" && ++*made_ready > 1) throw OutOfDeviceMemory("no memory any more");
    };
    candidate.run = [this, shape = candidate.shape, kind, runs = 0](const core::Module& module,
                                                                    const core::Stream& stream) mutable {
      const bool is_tired = kind == "tires" && ++runs > 20;
      launch(module, stream, shape, kind == "far behind" ? 400 : is_tired ? 40 : kind == "tires" ? 5 : 10);
    };
    return candidate;
  };
  TuneOptions options = counted();
  options.measure.repeats = 5;
  options.slow_factor = 1000;
  options.finalist_factor = 30;
  options.sustained_seconds = 0.5;
  const TuningResult result = tuner().tune(p, options);
  const auto of = [&](const char* kind) {
    return *std::ranges::find_if(result.table,
                                 [&](const CandidateReport& r) { return r.configuration.at("kind") == Value(kind); });
  };
  EXPECT_EQ(result.best.at("kind"), Value("steady"));
  EXPECT_EQ(result.seconds, of("steady").sustained);
  EXPECT_NEAR(of("tires").seconds, 0.005, 1e-9);
  EXPECT_NEAR(of("tires").sustained, 0.04, 1e-9);
  EXPECT_NEAR(of("steady").sustained, 0.01, 1e-9);
  EXPECT_EQ(of("fails later").rejection, "no memory any more");
  EXPECT_EQ(of("fails later").seconds, 0);
  EXPECT_EQ(of("far behind").sustained, 0);
  EXPECT_EQ(of("far behind").rejection, "");
  EXPECT_NE(table_text(result).find("(sustained "), std::string::npos);
  EXPECT_EQ(table_text(result).find("kind=steady"), table_text(result).find("kind="));
  const TuningResult again = tuner().tune(p, counted());
  EXPECT_EQ(again.match, Match::exact);
  EXPECT_EQ(again.best, result.best);
  options.seconds = 4 * 3 * options.sustained_seconds - 0.1;  // a quarter is not enough for two, the first one twice
  options.anew = true;
  for (const CandidateReport& report : tuner().tune(p, options).table) EXPECT_EQ(report.sustained, 0);
}

class TunerLongRuns : public TunerTest {
 protected:
  /// Candidates that take 10 and 11 ms and fail when they are made ready once more, and others.
  TuningProblem failing_later(const std::vector<Value>& others) {
    TuningProblem p = problem({"none"}, {1});
    std::vector<Value> kinds{"fastest", "second"};
    kinds.insert(kinds.end(), others.begin(), others.end());
    p.space.add("kind", kinds);
    p.candidate = [this, inner = p.candidate,
                   ready = std::make_shared<std::map<std::string, int>>()](const Configuration& c) {
      const std::string kind = c.at("kind").text();
      Candidate candidate = rehearsed(inner(of_template(c)));
      candidate.make_ready = [kind, ready](const core::Module&, const core::Stream&) {
        const bool fails = kind == "fastest" || kind == "second" || kind == "also fails";
        if (++(*ready)[kind] > 1 && fails) throw OutOfDeviceMemory(kind + " has no memory");
      };
      const std::map<std::string, int> milliseconds{{"fastest", 10}, {"second", 11}, {"also fails", 15}};
      const auto known = milliseconds.find(kind);
      candidate.run = [this, shape = candidate.shape, taken = known == milliseconds.end() ? 17 : known->second](
                          const core::Module& module, const core::Stream& stream) {
        launch(module, stream, shape, taken);
      };
      return candidate;
    };
    return p;
  }
  [[nodiscard]] TuneOptions sustained() const {
    TuneOptions options = counted();
    options.finalist_factor = 1.2;
    options.sustained_seconds = 0.1;
    return options;
  }
};

TEST_F(TunerLongRuns, where_all_finalists_fail_in_them_the_next_best_that_works_is_kept_with_a_warning) {
  const WarningCollector warnings;
  const TuningResult result = tuner().tune(failing_later({"also fails", "works"}), sustained());
  EXPECT_EQ(result.best.at("kind"), Value("works"));
  EXPECT_NEAR(result.seconds, 0.017, 1e-9);
  EXPECT_EQ(std::ranges::count(result.table, "", &CandidateReport::rejection), 1);
  EXPECT_EQ(warnings_with(warnings,
                          "tuning 'scale': the fastest 2 candidates fail in longer runs, the next best is taken, "
                          "defect=none each=1 kind=works; defect=none each=1 kind=fastest: fastest has no memory; "
                          "defect=none each=1 kind=second: second has no memory"),
            1);
  const auto again = tuner().tune(failing_later({"also fails", "works"}), sustained());
  EXPECT_EQ(again.match, Match::exact);
  EXPECT_EQ(again.best, result.best);
}

TEST_F(TunerLongRuns, where_all_fail_in_them_the_error_has_the_reasons_of_the_fastest) {
  try {
    (void)tuner().tune(failing_later({"also fails"}), sustained());
    FAIL() << "something was chosen";
  } catch (const DeviceError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("none of 3 candidates works"), std::string::npos) << text;
    EXPECT_NE(text.find("kind=fastest: fastest has no memory; "), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("kind=second: second has no memory")) << text;
  }
  EXPECT_FALSE(std::filesystem::exists(wisdom_file()));
}

TEST_F(TunerTest, a_rehearsal_is_verified_in_place_of_the_run) {
  TuningProblem p = problem({"none"}, {1, 2});
  const auto inner = p.candidate;
  p.candidate = [this, inner](const Configuration& c) {
    Candidate candidate = rehearsed(inner(c));
    const auto ready = std::make_shared<bool>(false);
    candidate.make_ready = [ready](const core::Module&, const core::Stream&) { *ready = true; };
    candidate.run = [ready](const core::Module&, const core::Stream&) {  // computes nothing: it would not pass
      if (!*ready) throw DeviceError("runs before it is ready");
    };
    return candidate;
  };
  for (const CandidateReport& report : tuner().tune(p, quick()).table) EXPECT_EQ(report.rejection, "");
}

TEST_F(TunerTest, a_run_that_takes_too_long_after_its_rehearsal_is_given_up) {
  TuningProblem p = problem({"none", "slow"}, {1});
  const auto inner = p.candidate;
  p.candidate = [this, inner](const Configuration& c) {
    Candidate candidate = inner(c);
    const std::string many = "100000000";  // a second is enough here
    if (const auto at = candidate.source.text.find(many); at != std::string::npos) {
      candidate.source.text.replace(at, many.size(), "30000000");
    }
    candidate.rehearsal = [this](const core::Module&, const core::Stream& stream) {
      std::vector<float> right(n);
      for (std::size_t i = 0; i < n; ++i) right[i] = 2 * static_cast<float>(i);
      stream.write(y_, 0, std::as_bytes(std::span(right)));
      stream.synchronize();
    };
    return candidate;
  };
  TuneOptions options = quick();
  options.candidate_seconds = 0.3;
  options.hang_seconds = 300;
  const TuningResult result = tuner().tune(p, options);
  EXPECT_EQ(result.best.at("defect"), Value("none"));
  EXPECT_EQ(report_of(result, "slow").rejection, "takes longer than 0.3 s");
}

TEST_F(TunerTest, what_cannot_be_fast_enough_is_not_even_compiled) {
  TuningProblem p = problem({"none"}, {1, 2});
  SearchSpace hopeless;
  hopeless.add("each", {1}).add("defect", {"bound"}).add("broken", {1});
  p.other_spaces = {hopeless};
  const auto inner = p.candidate;
  p.candidate = [inner](const Configuration& c) {
    Candidate candidate = inner(of_template(c));
    if (c.contains("broken")) candidate.source.text = "would not compile";
    return candidate;
  };
  const TuningResult result = tuner().tune(p, quick());
  EXPECT_TRUE(report_of(result, "bound").rejection.starts_with("cannot take less than")) << table_text(result);
}

/// Candidates that take the process or its device with them: these run in processes of their own, which share a wisdom
/// directory with the test that starts them.
class TunerChild : public TunerTest {
 protected:
  void SetUp() override {
    if (!child_process::folder()) GTEST_SKIP() << "a part of the TunerTest tests";
    TunerTest::SetUp();
  }
  [[nodiscard]] Tuner shared_tuner() const { return Tuner(compiler(), *child_process::folder() / "wisdom"); }
};

TEST_F(TunerChild, ends) {
  TuningProblem p = problem({"none"}, {1, 2, 4});
  p.candidate = [inner = p.candidate](const Configuration& c) {
    Candidate candidate = inner(c);
    if (c.at("each") == Value(1)) candidate.run = [](const core::Module&, const core::Stream&) { std::_Exit(3); };
    return candidate;
  };
  (void)shared_tuner().tune(p, quick());
  FAIL() << "the process outlived its end";
}

TEST_F(TunerChild, faults) {
  try {
    (void)shared_tuner().tune(problem({"fault", "none"}, {1}), quick());
    FAIL() << "a write far outside of memory went well";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("broke the device"), std::string::npos) << error.what();
  }
}

TEST_F(TunerChild, leaves_out_the_fault) {
  const TuningResult result = shared_tuner().tune(problem({"fault", "none"}, {1}), quick());
  EXPECT_EQ(report_of(result, "fault").rejection, "an earlier process ended while it ran");
  EXPECT_EQ(result.best.at("defect"), Value("none"));
}

TEST_F(TunerChild, does_not_end) {
  TuneOptions options = quick();
  options.candidate_seconds = 0.2;
  options.hang_seconds = 0.3;
  try {
    (void)shared_tuner().tune(problem({"none", "endless"}, {1}), options);
    FAIL() << "a kernel without an end came to one";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("a candidate still runs after 0.5 s and blocks the device"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(device_.synchronize(), DeviceError);
}

TEST_F(TunerChild, leaves_out_what_did_not_end) {
  const TuningResult result = shared_tuner().tune(problem({"none", "endless"}, {1}), quick());
  EXPECT_EQ(report_of(result, "endless").rejection, "an earlier process ended while it ran");
  EXPECT_EQ(result.best.at("defect"), Value("none"));
}

void end_a_process(const std::filesystem::path& root) {
  EXPECT_EQ(WEXITSTATUS(child_process::run("TunerChild.ends", root).status), 3);
}

TEST_F(TunerTest, what_never_ends_is_told_and_left_out_the_next_time) {
  expect_passes_and_leaves_wisdom_alone("TunerChild.does_not_end");
  child_process::expect_passes("TunerChild.leaves_out_what_did_not_end", root_);
}

// Perhaps it was Ctrl-C that ended it.
TEST_F(TunerTest, what_ran_when_one_process_ended_is_tried_last_and_may_be_chosen) {
  end_a_process(root_);
  TuningProblem p = problem({"none"}, {1, 2, 4});
  p.first = {{{"defect", "none"}, {"each", 1}}};
  p.candidate = [this, inner = p.candidate](const Configuration& c) {
    Candidate candidate = inner(c);
    candidate.run = [this, shape = candidate.shape, milliseconds = c.at("each") == Value(1) ? 1 : 5](
                        const core::Module& module, const core::Stream& stream) {
      launch(module, stream, shape, milliseconds);
    };
    return candidate;
  };
  TuneOptions options = counted();
  options.most_candidates = 2;  // it comes on top of these
  const TuningResult result = tuner().tune(p, options);
  ASSERT_EQ(result.table.size(), 3u);
  EXPECT_EQ(result.table.back().configuration, p.first.front());
  EXPECT_EQ(result.table.back().rejection, "");
  EXPECT_EQ(result.best, p.first.front());
  EXPECT_TRUE(files_like(".trying").empty());
}

TEST_F(TunerTest, what_took_two_earlier_processes_with_it_is_left_out) {
  end_a_process(root_);
  end_a_process(root_);
  const TuningResult result = tuner().tune(problem({"none"}, {1, 2, 4}), quick());
  ASSERT_EQ(result.table.size(), 3u);
  EXPECT_EQ(result.table[0].configuration.at("each"), Value(1));
  EXPECT_EQ(result.table[0].rejection, "an earlier process ended while it ran");
  EXPECT_NE(result.best.at("each"), Value(1));
  EXPECT_TRUE(files_like(".trying").empty());
}

TEST_F(TunerTest, what_another_process_tries_at_this_moment_is_not_left_out_where_there_is_no_lock) {
  (void)tuner().tune(problem({"none"}, {1}), quick());
  const std::filesystem::path lock = files_like(".question").at(0);
  std::string name = lock.stem().string();
  const std::filesystem::path journal = lock.parent_path() / name.replace(0, 9, ".trying");
  const std::string tried = "{\"defect\":\"none\",\"each\":1}\n";
  std::ofstream(journal) << tried << tried;
  TuneOptions options = quick();
  options.anew = true;
  {
    const Obstacle obstacle(lock);
    if (!obstacle.stands()) GTEST_SKIP() << "needs the right to mount a small tmpfs";
    const WarningCollector warnings;
    EXPECT_EQ(tuner().tune(problem({"none"}, {1}), options).table.at(0).rejection, "");
    EXPECT_EQ(warnings_with(warnings, "tuning 'scale': " + lock.string() + " cannot be locked"), 1);
    EXPECT_EQ(text_of(journal), tried + tried);  // the other's
  }
  EXPECT_THROW((void)tuner().tune(problem({"none"}, {1}), options), DeviceError);  // with the lock it is believed
}

TEST_F(TunerTest, a_fault_on_the_device_is_told_and_left_out_the_next_time) {
  if (device_.info().is_cpu) GTEST_SKIP() << "needs a GPU, whose context a fault breaks";
  expect_passes_and_leaves_wisdom_alone("TunerChild.faults");
  child_process::expect_passes("TunerChild.leaves_out_the_fault", root_);
}

TEST_F(TunerTest, who_asks_the_same_at_the_same_time_waits_for_the_answer) {
  std::vector<TuningResult> results(3);
  {
    std::vector<std::jthread> threads;
    for (TuningResult& result : results) threads.emplace_back([&] { result = tuner().tune(problem(), quick()); });
  }
  EXPECT_EQ(std::ranges::count(results, true, &TuningResult::tuned), 1);
  for (const TuningResult& result : results) EXPECT_EQ(result.best, results[0].best);
}

TEST_F(TunerTest, the_time_budget_ends_the_search) {
  std::vector<Value> many;
  for (int i = 0; i < 200; ++i) many.emplace_back("variant" + std::to_string(i));
  TuneOptions options = quick();
  options.seconds = 0;
  options.search = SearchKind::random;
  const TuningResult result = tuner().tune(problem(many, {1}), options);
  EXPECT_LE(result.table.size(), 32u);
  EXPECT_EQ(result.space_size, 200u);
}

TEST_F(TunerTest, what_is_proposed_is_tried_even_without_time_whichever_space_it_is_of) {
  TuningProblem p = problem({"none"}, {1, 2});
  SearchSpace other;
  other.add("each", {4, 8}).add("defect", {"none"}).add("kind", {"other"});
  p.other_spaces = {other};
  const auto inner = p.candidate;
  p.candidate = [this, inner](const Configuration& c) { return inner(of_template(c)); };
  p.first = {{{"defect", "none"}, {"each", 8}, {"kind", "other"}}};
  TuneOptions options = quick();
  options.seconds = 0;
  EXPECT_EQ(tuner().tune(p, options).best, p.first.front());
}

TEST_F(TunerTest, no_more_candidates_than_allowed_are_tried_proposals_included) {
  TuningProblem p = problem({"none"}, {1, 2, 4, 8});
  for (const int each : {4, 8, 2}) p.first.push_back({{"each", each}, {"defect", "none"}});
  TuneOptions options = quick();
  options.most_candidates = 2;
  const TuningResult result = tuner().tune(p, options);
  ASSERT_EQ(result.table.size(), 2u);
  EXPECT_EQ(result.table[0].configuration.at("each"), Value(4));
  EXPECT_EQ(result.table[1].configuration.at("each"), Value(8));
}

TEST_F(TunerTest, candidates_may_bring_their_own_code_and_launches) {
  TuningProblem p{.question = "own code", .shape = {}};
  p.space.add("copies", {1, 2});
  p.candidate = [this](const Configuration& c) {
    return Candidate{.run = [this, copies = c.at("copies").integer()](const core::Module&, const core::Stream& stream) {
      for (std::int64_t i = 0; i < copies; ++i) stream.copy(x_, 0, y_, 0, n * sizeof(float));
    }};
  };
  p.verify = [](const core::Stream&) { return std::string(); };
  EXPECT_EQ(tuner().tune(p, quick()).table.size(), 2u);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
