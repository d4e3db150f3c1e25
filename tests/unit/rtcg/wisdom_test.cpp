// What the tuner makes of answers that it finds: its own, those for other shapes and devices, those that ship, and
// wrong ones.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/obstacle.hpp"
#include "tests/unit/observe/temporary_directory.hpp"
#include "tests/unit/rtcg/tuner_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

namespace fs = std::filesystem;

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

TEST_F(TunerTest, an_answer_of_another_generation_of_a_processor_of_the_same_name_is_of_another_device) {
  (void)tuner().tune(problem(), quick());
  WisdomEntry entry = tuner().wisdom().find("scale").front();
  EXPECT_EQ(entry.processor, device_.info().processor);
  std::filesystem::remove(wisdom_file());
  entry.processor = "AMD family 99";
  tuner().wisdom().store(entry);
  EXPECT_FALSE(tuner().find(problem()));
  const TuningResult tuned = tuner().tune(problem(), quick());
  EXPECT_TRUE(tuned.tuned);
  EXPECT_EQ(tuned.match, Match::elsewhere);
  EXPECT_EQ(tuned.table.front().configuration, entry.configuration);
  EXPECT_EQ(tuner().wisdom().find("scale").size(), 2u);
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

TEST(DeviceDistance, is_least_for_the_device_itself_then_for_its_kind_its_generation_and_its_maker) {
  const auto cpu = [](const std::string& name, const std::string& processor, int vector_bytes) {
    return core::DeviceInfo{.backend = core::Backend::opencl,
                            .name = name,
                            .processor = processor,
                            .vector_bytes = vector_bytes,
                            .is_cpu = true};
  };
  const core::DeviceInfo asked = cpu("cpu-znver4-AMD Ryzen 9 7950X 16-Core Processor", "AMD family 25", 64);
  const auto distance = [&](const core::DeviceInfo& device) {
    return device_distance({.device = device.name, .kind = device_kind(device), .processor = device.processor}, asked);
  };
  const auto itself = distance(asked),
             of_its_generation = distance(cpu("pthread-skylake-avx512-AMD EPYC", "AMD family 25", 64)),
             like_it = distance(cpu("pthread-skylake-avx512-AMD EPYC", "AMD family 26", 64)),
             of_its_kind =
                 distance(cpu("cpu-skylake-avx512-Intel(R) Xeon(R) Processor", "Intel family 6 model 143", 64)),
             of_another = distance(cpu("pthread-haswell-AMD EPYC", "AMD family 25", 32));
  EXPECT_LT(itself, of_its_generation);
  EXPECT_LT(of_its_generation, like_it);
  EXPECT_LT(like_it, of_its_kind);
  EXPECT_LT(of_its_kind, of_another);
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

TEST_F(TunerTest, neighbours_of_a_known_answer_are_tried_before_others) {
  TuningProblem p = problem();
  std::vector<Value> many;
  for (int i = 0; i < 64; ++i) many.emplace_back(i);
  p.space.add("first", many).add("second", many);  // one in 130 is a neighbour
  const auto inner = p.candidate;
  p.candidate = [inner](const Configuration& c) { return inner(of_template(c)); };
  const Configuration known{{"defect", "none"}, {"each", 4}, {"first", 40}, {"second", 50}};
  TuneOptions options = quick();
  options.most_candidates = 5;  // no more than a batch and the known one
  const auto differences = [&](const Configuration& c) {
    return std::ranges::count_if(known, [&](const auto& value) { return c.at(value.first) != value.second; });
  };
  const auto tried = [&] {
    std::vector<std::ptrdiff_t> all;
    for (const CandidateReport& report : tuner().tune(p, options).table)
      all.push_back(differences(report.configuration));
    return all;
  };
  p.first = {known};
  EXPECT_GT(std::ranges::max(tried()), 1);  // somebody's proposal is no answer
  p.first.clear();
  p.question = "known elsewhere";
  tuner().wisdom().store({.question = p.question, .shape = {{"n", n}}, .device = "Other", .configuration = known});
  EXPECT_EQ(tried(), (std::vector<std::ptrdiff_t>{0, 1, 1, 1, 1}));
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
  const WarningCollector warnings;
  EXPECT_EQ(tuner().tune(p, quick()).best, first.best);
  EXPECT_TRUE(warnings.warnings().empty());
  p.verify = [inner, failures = 2](const core::Stream& stream) mutable -> std::string {
    return failures-- > 0 ? "no longer right" : inner(stream);
  };
  EXPECT_TRUE(tuner().tune(p, quick()).tuned);
  const std::string name = device_.info().name;
  EXPECT_EQ(warnings_with(warnings, "tuning 'scale': on '" + name + "' the answer found earlier on '" + name +
                                        "' is not taken; " + written(first.best) + ": wrong result: no longer right"),
            1);
  EXPECT_EQ(warnings.warnings().size(), 1u);
}

TEST_F(TunerTest, an_answer_of_another_device_or_that_ships_and_is_wrong_is_a_warning_where_it_was_to_be_taken) {
  const Configuration wrong{{"defect", "wrong"}, {"each", 8}};
  tuner().wisdom().store({.question = "scale", .shape = {{"n", n}}, .device = "Other", .configuration = wrong});
  Wisdom(root_ / "ships").store({.question = "scale", .device = device_.info().name, .configuration = wrong});
  const std::string shipped = text_of(Wisdom(root_ / "ships").file_of(device_.info().name));
  TuningProblem p = problem({"none", "wrong"});
  p.shipped = shipped;
  const WarningCollector warnings;
  EXPECT_FALSE(tuner().find(p));
  EXPECT_TRUE(warnings.warnings().empty());
  EXPECT_FALSE(tuner().find(p, {.accept = Match::shipped}));
  const auto told_of = [&](const std::string& device) {
    return warnings_with(warnings, "on '" + device + "' is not taken; defect=wrong each=8: wrong result: y[1] = 3");
  };
  EXPECT_EQ(told_of(device_.info().name), 1);
  EXPECT_EQ(told_of("Other"), 0);
  EXPECT_FALSE(tuner().find(p, {.accept = Match::elsewhere}));
  EXPECT_EQ(told_of("Other"), 1);
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

TEST_F(TunerTest, a_directory_that_cannot_be_written_is_a_warning) {
  std::ofstream(root_ / "wisdom") << "a file in the way";
  EXPECT_TRUE(tuner().tune(problem({"none"}, {1}), quick()).tuned);
}

class WisdomFile : public testing::Test {
 protected:
  [[nodiscard]] fs::path file() const { return Wisdom(root_.path()).file_of("D"); }
  [[nodiscard]] std::string text() const { return content_of(file()); }

  const TemporaryDirectory root_;
};

TEST_F(WisdomFile, that_cannot_be_read_is_an_error_and_is_not_replaced) {
  const Obstacle obstacle(file());
  if (!obstacle.stands()) GTEST_SKIP() << "needs the right to mount a small tmpfs";
  try {
    Wisdom(root_.path()).store({.question = "q", .device = "D"});
    FAIL() << "what is there is lost";
  } catch (const OutputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(file().string() + ": cannot be read")) << error.what();
  }
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(WisdomFile, that_is_a_link_is_replaced_and_not_followed) {
  std::ofstream(root_ / "elsewhere") << "not ours\n";
  fs::create_symlink(root_ / "elsewhere", file());
  Wisdom(root_.path()).store({.question = "q", .device = "D"});
  EXPECT_FALSE(fs::is_symlink(file()));
  EXPECT_EQ(content_of(root_ / "elsewhere"), "not ours\n");
  EXPECT_EQ(Wisdom(root_.path()).find("q").size(), 1U);
}

TEST_F(WisdomFile, keeps_records_of_other_versions_and_loses_garbage_when_an_answer_is_stored) {
  const std::string newer = "{\"version\":99,\"question\":\"q\", \"why\":[1]}\n";
  std::ofstream(file()) << "garbage\n" << newer << "[1]\n\n{\"version\":2,\"quest";
  for (const double seconds : {0.1, 0.2}) {
    Wisdom(root_.path()).store({.question = "q", .device = "D", .seconds = seconds});
    EXPECT_TRUE(text().starts_with(newer + "{")) << text();
    EXPECT_EQ(std::ranges::count(text(), '\n'), 2) << text();
    EXPECT_EQ(Wisdom(root_.path()).find("q").at(0).seconds, seconds);
  }
}

// No device: what matters is the file.
TEST(Wisdom, processes_that_write_at_once_lose_nothing_of_each_other) {
  const TemporaryDirectory folder;
  const fs::path& root = folder.path();
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
}

}  // namespace
}  // namespace maxwell_dg::rtcg
