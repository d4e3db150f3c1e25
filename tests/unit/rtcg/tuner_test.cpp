#include "rtcg/tune/tuner.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rtcg/source/template.hpp"
#include "tests/support/child_process.hpp"
#include "tests/unit/rtcg/device_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

namespace fs = std::filesystem;

constexpr const char* scale_text =
    "KERNEL void scale(GLOBAL float32* RESTRICT y, GLOBAL const float32* RESTRICT x) {\n"
    "% if defect == 'compile':\n"
    "  broken;\n"
    "% elif defect == 'slow':\n"
    "  float32 sum = 0.0f;\n"
    "  for (int32 i = 0; GLOBAL_ID(0) == 0 && i < 100000000; ++i) sum = sin(sum) + 1.0f;\n"
    "  if (sum == 42.0f) y[0] = sum;\n"
    "% elif defect == 'fault':\n"
    "  y[(int64)1 << 45] = 1.0f;\n"
    "% endif\n"
    "% for i in range(each):\n"
    "  y[GLOBAL_ID(0) * ${each} + ${i}] = ${3 if defect == 'wrong' else 2} * x[GLOBAL_ID(0) * ${each} + ${i}];\n"
    "% endfor\n"
    "}\n";

/// y = 2 x with variants, some of which are broken on purpose.
class TunerTest : public DeviceTest {
 protected:
  static constexpr std::size_t n = 1 << 12;

  void SetUp() override {
    DeviceTest::SetUp();
    if (!IsSkipped()) fill();
  }

  void fill() {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
    x_ = upload(values);
    y_ = device_.allocate(n * sizeof(float));
  }

  TuningProblem problem(const std::vector<Value>& defects = {"none"}, const std::vector<Value>& each = {1, 2, 4, 8}) {
    TuningProblem problem{.question = "scale", .shape = {{"n", n}}, .code = scale_text};
    problem.space.add("each", each).add("defect", defects);
    problem.candidate = [this](const Configuration& c) {
      ++generated_;
      const Template text("scale.kernel", scale_text);
      const auto each_item = static_cast<std::size_t>(c.at("each").integer());
      Candidate candidate{.kernel = "scale",
                          .shape = {.groups = {n / each_item / 16, 1, 1}, .group_size = {16, 1, 1}},
                          .arguments = {y_, x_}};
      candidate.source = {.name = text.name(), .text = text.render(c)};
      if (c.at("defect") == Value("refused")) candidate.refusal = "no such thing";
      if (c.at("defect") == Value("launch")) candidate.arguments.pop_back();
      if (c.at("defect") == Value("bound")) candidate.least_seconds = 1e9;
      if (c.at("defect") == Value("group")) candidate.shape.group_size = {1 << 20, 1, 1};
      return candidate;
    };
    problem.prepare = [this](const core::Stream& stream) { stream.fill_zero(y_); };
    problem.verify = [this](const core::Stream& stream) -> std::string {
      ++verified_;
      std::vector<float> y(n);
      stream.read(y_, 0, std::as_writable_bytes(std::span(y)));
      stream.synchronize();
      for (std::size_t i = 0; i < n; ++i) {
        if (y[i] != 2 * static_cast<float>(i)) return "y[" + std::to_string(i) + "] = " + std::to_string(y[i]);
      }
      return "";
    };
    return problem;
  }

  /// Without what the template does not know.
  static Configuration of_template(const Configuration& c) {
    return {{"each", c.at("each")}, {"defect", c.at("defect")}};
  }

  [[nodiscard]] Tuner tuner() const { return Tuner(compiler(), root_ / "wisdom"); }
  static TuneOptions quick() {
    return {.seconds = 3600, .measure = {.warm_up = 0, .repeats = 1, .seconds_per_repeat = 0}};
  }
  static const CandidateReport& report_of(const TuningResult& result, std::string_view defect) {
    for (const CandidateReport& report : result.table) {
      if (report.configuration.at("defect") == Value(defect)) return report;
    }
    throw std::out_of_range("not in the table");
  }
  [[nodiscard]] fs::path wisdom_file() const { return tuner().wisdom().file_of(device_.info().name); }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  core::Buffer x_;
  core::Buffer y_;
  std::atomic<int> generated_ = 0;
  std::atomic<int> verified_ = 0;
};

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
  EXPECT_FALSE(fs::exists(wisdom_file()));
}

TEST_F(TunerTest, an_answer_for_another_shape_is_tried_first_or_taken_where_that_is_accepted) {
  (void)tuner().tune(problem(), quick());
  TuningProblem larger = problem();
  larger.shape["n"] = 2 * n;
  TuneOptions accepting = quick();
  accepting.accept = Match::other_shape;
  const TuningResult taken = tuner().tune(larger, accepting);
  EXPECT_FALSE(taken.tuned);
  EXPECT_EQ(taken.match, Match::other_shape);
  const TuningResult tuned = tuner().tune(larger, quick());
  EXPECT_TRUE(tuned.tuned);
  EXPECT_EQ(tuned.match, Match::other_shape);
  EXPECT_EQ(tuned.table.front().configuration, taken.best);
}

TEST_F(TunerTest, of_answers_for_other_shapes_the_nearest_is_taken) {
  (void)tuner().tune(problem(), quick());
  WisdomEntry entry = tuner().wisdom().find("scale").front();
  for (const auto& [size, each] : {std::pair{10, 1}, std::pair{100000, 2}, std::pair{1000, 4}}) {
    entry.shape["n"] = size;
    entry.configuration["each"] = each;
    tuner().wisdom().store(entry);
  }
  TuningProblem p = problem();
  TuneOptions accepting = quick();
  accepting.accept = Match::other_shape;
  p.shape["n"] = 50000;
  EXPECT_EQ(tuner().tune(p, accepting).best.at("each"), Value(2));
  p.shape["n"] = 20;
  EXPECT_EQ(tuner().tune(p, accepting).best.at("each"), Value(1));
}

TEST_F(TunerTest, find_looks_up_what_is_right_and_tunes_nothing) {
  EXPECT_FALSE(tuner().find(problem(), {.accept = Match::elsewhere}));
  const Configuration theirs{{"defect", "none"}, {"each", 8}};
  tuner().wisdom().store({.question = "scale", .shape = {{"n", n}}, .device = "Other", .configuration = theirs});
  EXPECT_FALSE(tuner().find(problem()));
  const auto found = tuner().find(problem(), {.accept = Match::elsewhere});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->best, theirs);
  EXPECT_EQ(found->match, Match::elsewhere);
  EXPECT_EQ(found->known_device, "Other");
  const Configuration wrong{{"defect", "wrong"}, {"each", 8}};
  tuner().wisdom().store({.question = "scale", .shape = {{"n", n}}, .device = "Other", .configuration = wrong});
  EXPECT_FALSE(tuner().find(problem({"none", "wrong"}), {.accept = Match::elsewhere}));
  EXPECT_FALSE(fs::exists(wisdom_file()));
}

TEST_F(TunerTest, what_ships_for_this_device_is_verified_and_taken_and_own_wisdom_goes_before_it) {
  const auto line = [&](const std::string& device, int each, const std::string& defect = "none") {
    const WisdomEntry entry{.question = "scale",
                            .device = device,
                            .kind = device_kind(device_.info()),
                            .configuration = {{"defect", defect}, {"each", each}}};
    Wisdom(root_ / "ships").store(entry);
    return text_of(Wisdom(root_ / "ships").file_of(device));
  };
  TuneOptions accepting = quick();
  accepting.accept = Match::shipped;
  TuningProblem p = problem();
  const std::string shipped = line(device_.info().name, 8) + "no line of ours\n";
  p.shipped = shipped;
  const TuningResult taken = tuner().tune(p, accepting);
  EXPECT_FALSE(taken.tuned);
  EXPECT_EQ(taken.match, Match::shipped);
  EXPECT_EQ(taken.best.at("each"), Value(8));
  EXPECT_FALSE(fs::exists(wisdom_file()));  // what ships later is not hidden by a copy
  EXPECT_EQ(tuner().tune(p, quick()).table.front().configuration, taken.best);  // not accepted, but tried first
  EXPECT_EQ(tuner().tune(p, accepting).match, Match::exact);

  TuningProblem verified = problem({"none", "wrong"});
  const std::string wrong = line(device_.info().name, 4, "wrong");
  verified.shipped = wrong;
  const TuningResult tuned = tuner().tune(verified, accepting);
  EXPECT_TRUE(tuned.tuned);
  EXPECT_EQ(tuned.best.at("defect"), Value("none"));

  TuningProblem relative = problem({"none"});
  relative.question = "scale, otherwise";
  EXPECT_FALSE(tuner().find(relative, accepting));
  const std::string of_a_relative = line("Other CPU", 2);
  p.shipped = of_a_relative;
  EXPECT_EQ(tuner().find(p, accepting)->match, Match::exact);
  fs::remove(wisdom_file());
  EXPECT_EQ(tuner().find(p, accepting).has_value(), device_.info().is_cpu);  // a CPU with vectors of the same size
}

TEST_F(TunerTest, what_is_known_is_tuned_anew_where_that_is_asked_for) {
  const TuningResult first = tuner().tune(problem(), quick());
  TuneOptions options = quick();
  options.anew = true;
  const TuningResult again = tuner().tune(problem(), options);
  EXPECT_TRUE(again.tuned);
  EXPECT_EQ(again.table.front().configuration, first.best);
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
    if (c.at("defect") != Value("slower")) return candidate;
    candidate.run = [this](const core::Module& module, const core::Stream& stream) {
      for (int i = 0; i < 300; ++i) {
        module.kernel("scale").launch(stream, {.groups = {n / 16, 1, 1}, .group_size = {16, 1, 1}}, {y_, x_});
      }
    };
    return candidate;
  };
  p.first = {{{"defect", "none"}, {"each", 8}, {"kind", "other"}}};
  const TuningResult result = tuner().tune(p, quick());
  EXPECT_EQ(result.space_size, 204u);
  EXPECT_EQ(result.best.at("defect"), Value("none"));
  EXPECT_EQ(result.table.at(2).configuration, p.first.front());  // first in its own space
  for (const CandidateReport& report : result.table) EXPECT_EQ(report.rejection, "");
  EXPECT_LE(result.table.size(), 4 + 32u);
  EXPECT_GT(result.table.size(), 4u);
  EXPECT_EQ(tuner().tune(p, quick()).best, result.best);
}

TEST_F(TunerTest, a_rehearsal_is_verified_in_place_of_the_run) {
  TuningProblem p = problem({"none"}, {1, 2});
  const auto inner = p.candidate;
  p.candidate = [this, inner](const Configuration& c) {
    Candidate candidate = inner(c);
    const core::LaunchShape shape = candidate.shape;
    candidate.rehearsal = [this, shape](const core::Module& module, const core::Stream& stream) {
      module.kernel("scale").launch(stream, shape, {y_, x_});
    };
    const auto ready = std::make_shared<bool>(false);
    candidate.make_ready = [ready] { *ready = true; };
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

TEST_F(TunerTest, an_answer_of_another_device_is_tried_first_and_tuned_anew) {
  const Configuration theirs{{"defect", "none"}, {"each", 8}};
  tuner().wisdom().store({.question = "scale", .shape = {{"n", n}}, .device = "Other", .configuration = theirs});
  TuneOptions accepting = quick();
  accepting.accept = Match::elsewhere;
  const TuningResult result = tuner().tune(problem(), accepting);
  EXPECT_TRUE(result.tuned);
  EXPECT_EQ(result.match, Match::elsewhere);
  EXPECT_EQ(result.table.front().configuration, theirs);
  EXPECT_TRUE(fs::exists(root_ / "wisdom" / "Other.jsonl"));
}

TEST_F(TunerTest, a_known_answer_whose_code_changed_is_tuned_anew) {
  (void)tuner().tune(problem(), quick());
  EXPECT_FALSE(tuner().tune(problem(), quick()).tuned);
  TuningProblem changed = problem();
  changed.code = "another generator";
  EXPECT_TRUE(tuner().tune(changed, quick()).tuned);
  TuningProblem same_code_other_text = problem();
  const auto inner = same_code_other_text.candidate;
  same_code_other_text.candidate = [inner](const Configuration& c) {
    Candidate candidate = inner(c);
    candidate.source.text += "// changed\n";
    return candidate;
  };
  EXPECT_TRUE(tuner().tune(same_code_other_text, quick()).tuned);
}

TEST_F(TunerTest, a_known_answer_that_turns_out_wrong_is_tuned_anew) {
  TuningProblem p = problem({"none"}, {1, 2});
  const TuningResult first = tuner().tune(p, quick());
  const auto inner = p.verify;
  p.verify = [inner, failures = 1](const core::Stream& stream) mutable -> std::string {
    return failures-- > 0 ? "no longer right" : inner(stream);
  };
  // Asked before and after waiting for the lock: the first look refuses it, the second finds it in order again.
  EXPECT_EQ(tuner().tune(p, quick()).best, first.best);
  p.verify = [inner, failures = 2](const core::Stream& stream) mutable -> std::string {
    return failures-- > 0 ? "no longer right" : inner(stream);
  };
  EXPECT_TRUE(tuner().tune(p, quick()).tuned);
}

TEST_F(TunerTest, corrupt_wisdom_is_a_miss) {
  const TuningResult first = tuner().tune(problem(), quick());
  const std::string good = text_of(wisdom_file());
  for (const std::string& bad : {std::string("garbage\n"), good.substr(0, good.size() / 2), std::string("{}\n[1]\n"),
                                 std::string("{\"version\": 99}\n"), std::string("\0\xff\n", 3)}) {
    std::ofstream(wisdom_file()) << bad;
    EXPECT_TRUE(tuner().tune(problem(), quick()).tuned) << bad;
    EXPECT_FALSE(tuner().tune(problem(), quick()).tuned) << bad;
  }
  std::ofstream(wisdom_file()) << "garbage\n" << good << "more garbage";
  EXPECT_FALSE(tuner().tune(problem(), quick()).tuned);  // one bad line does not hide the others
}

TEST_F(TunerTest, wisdom_that_names_a_variant_that_no_longer_exists_is_a_miss) {
  (void)tuner().tune(problem({"none"}, {1, 2}), quick());
  const TuningResult result = tuner().tune(problem({"none"}, {4, 8}), quick());
  EXPECT_TRUE(result.tuned);
  EXPECT_EQ(result.match, Match::none);
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
  TuningProblem p = problem({"none"}, {1, 2});
  p.verify = [](const core::Stream&) -> std::string { std::_Exit(3); };
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

TEST_F(TunerTest, what_took_an_earlier_process_with_it_is_left_out) {
  EXPECT_EQ(WEXITSTATUS(child_process::run("TunerChild.ends", root_).status), 3);
  const TuningResult result = tuner().tune(problem({"none"}, {1, 2}), quick());
  ASSERT_EQ(result.table.size(), 2u);
  EXPECT_EQ(result.table[0].rejection, "an earlier process ended while it ran");
  EXPECT_EQ(result.best.at("each"), Value(2));
  for (const auto& file : fs::directory_iterator(root_ / "wisdom")) {
    EXPECT_FALSE(file.path().filename().string().starts_with(".trying")) << file.path();
  }
}

TEST_F(TunerTest, a_fault_on_the_device_is_told_and_left_out_the_next_time) {
  if (device_.info().is_cpu) GTEST_SKIP() << "needs a GPU, whose context a fault breaks";
  child_process::expect_passes("TunerChild.faults", root_);
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

TEST_F(TunerTest, a_directory_that_cannot_be_written_is_a_warning) {
  std::ofstream(root_ / "wisdom") << "a file in the way";
  EXPECT_TRUE(tuner().tune(problem({"none"}, {1}), quick()).tuned);
}

// No device: what matters is the file.
TEST(Wisdom, processes_that_write_at_once_lose_nothing_of_each_other) {
  std::string pattern = (fs::temp_directory_path() / "wisdom_test_XXXXXX").string();
  const fs::path root = mkdtemp(pattern.data());
  constexpr int writers = 4;
  constexpr int each = 10;
  for (int writer = 0; writer < writers; ++writer) {
    if (fork() != 0) continue;
    for (int i = 0; i < each; ++i) {
      Wisdom(root).store({.question = "q", .shape = {{"n", writer * each + i}}, .device = "D", .seconds = 0.1});
    }
    _exit(0);
  }
  for (int writer = 0; writer < writers; ++writer) {
    int status = -1;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  const auto entries = Wisdom(root).find("q");
  EXPECT_EQ(entries.size(), static_cast<std::size_t>(writers * each));
  Wisdom(root).store({.question = "q", .shape = {{"n", 3}}, .device = "D", .seconds = 0.2});
  EXPECT_EQ(Wisdom(root).find("q").size(), entries.size());  // takes the place of the earlier one
  EXPECT_EQ(Wisdom(root).find("q").back().seconds, 0.2);
  fs::remove_all(root);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
