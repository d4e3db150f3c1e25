// Operations that are tuned each by itself (SearchSpace::operation), and what they come to together.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/support/child_process.hpp"
#include "tests/unit/rtcg/tuner_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

constexpr const char* two_kernels_text =
    "KERNEL void first(GLOBAL float32* RESTRICT t, GLOBAL const float32* RESTRICT x) {\n"
    "  t[GLOBAL_ID(0)] = ${factor} * x[GLOBAL_ID(0)];\n"
    "}\n"
    "KERNEL void second(GLOBAL float32* RESTRICT y, GLOBAL const float32* RESTRICT t) {\n"
    "  y[GLOBAL_ID(0)] = 2.0f * t[GLOBAL_ID(0)];\n"
    "}\n";

std::vector<Value> up_to(int count) {
  std::vector<Value> values;
  for (int i = 0; i < count; ++i) values.emplace_back(i);
  return values;
}

int at(const Configuration& configuration, const char* name) {
  return static_cast<int>(configuration.at(name).integer());
}

/// y = 2 x by two kernels, which take as many milliseconds by the clock of `counted` as is said here.
class TunerOperations : public TunerTest {
 protected:
  using Milliseconds = std::function<int(const Configuration&)>;

  void SetUp() override {
    TunerTest::SetUp();
    if (!IsSkipped()) t_ = device_.allocate(n * sizeof(float));
  }

  TuningProblem two_kernels(SearchSpace space, const Milliseconds& first, const Milliseconds& second) {
    TuningProblem p = problem();
    p.space = std::move(space);
    p.candidate = [this, first, second](const Configuration& c) {
      const int of_first = first(c);
      const int of_second = second(c);
      Candidate candidate{.source = {.name = "two.kernel", .text = text(1)}};
      candidate.operations["first"] = [this, of_first](const core::Module& module, const core::Stream& stream) {
        enqueue("first", {t_, x_}, of_first, module, stream);
      };
      candidate.operations["second"] = [this, of_second](const core::Module& module, const core::Stream& stream) {
        enqueue("second", {y_, t_}, of_second, module, stream);
      };
      candidate.run = [both = candidate.operations](const core::Module& module, const core::Stream& stream) {
        for (const auto& [name, run] : both) run(module, stream);
      };
      candidate.least_seconds = 1e-3 * (of_first + of_second);  // as long as all of it takes, no single operation does
      return candidate;
    };
    return p;
  }

  static std::string text(int factor) { return Template("two.kernel", two_kernels_text).render({{"factor", factor}}); }

  void enqueue(const char* kernel, const std::vector<core::KernelArgument>& arguments, int milliseconds,
               const core::Module& module, const core::Stream& stream) {
    module.kernel(kernel).launch(stream, {.groups = {n / 16, 1, 1}, .group_size = {16, 1, 1}}, arguments);
    counted_seconds_ += 1e-3 * milliseconds;
  }

  /// Parameters p of the first and q of the second, and one that only works with 0: what is proposed is then the best
  /// before operations are tuned, as a look at a few points of chance finds nothing that works.
  static SearchSpace space_of_p_and_q(int count) {
    SearchSpace space;
    space.add("p", up_to(count)).add("q", up_to(count)).add("luck", up_to(1000));
    return space.operation("first", {"p"}).operation("second", {"q"});
  }
  TuningProblem from_proposal(SearchSpace space, const Configuration& proposed, const Milliseconds& first,
                              const Milliseconds& second) {
    TuningProblem p = two_kernels(std::move(space), first, second);
    p.first = {proposed};
    p.candidate = [inner = p.candidate](const Configuration& c) {
      Candidate candidate = inner(c);
      if (at(c, "luck") != 0) candidate.refusal = "out of luck";
      return candidate;
    };
    return p;
  }

  static std::size_t tried(const TuningResult& result) {
    std::size_t count = result.table.size();
    for (const OperationReport& operation : result.operations) count += operation.tried();
    return count;
  }
  static const CandidateReport* row_of(const std::vector<CandidateReport>& table, const Configuration& configuration) {
    const auto row = std::ranges::find(table, configuration, &CandidateReport::configuration);
    return row == table.end() ? nullptr : &*row;
  }

  core::Buffer t_;
};

TEST_F(TunerOperations, each_is_tuned_by_itself_for_a_layout_and_the_best_of_all_are_found_together) {
  const auto space_with_layout = [](const char* layout) {
    SearchSpace space;
    space.add("layout", {layout}).add("a", up_to(8)).add("b", up_to(8)).add("c", up_to(8)).add("d", up_to(8));
    return space.operation("first", {"a", "b"}).operation("second", {"c", "d"});
  };
  // Neighbours say nothing of each other, so that of the 8192 only luck would find the best as a whole.
  const auto scattered = [](int i, int j) { return 1 + (8 * i + j) * 29 % 64; };
  TuningProblem p = two_kernels(
      space_with_layout("near"),
      [&](const Configuration& c) {
        return scattered(at(c, "a"), (at(c, "b") + 3) % 8) + (c.at("layout") == Value("far") ? 1000 : 0);
      },
      [&](const Configuration& c) { return scattered((at(c, "c") + 5) % 8, at(c, "d")); });
  p.other_spaces = {space_with_layout("far")};
  p.candidate = [inner = p.candidate](const Configuration& c) {
    Candidate candidate = inner(c);
    if (c.at("layout") == Value("far")) candidate.least_seconds = 0;  // so that it is timed
    return candidate;
  };
  TuneOptions options = counted();
  options.patience = 128;
  options.most_candidates = 256;
  const TuningResult result = tuner().tune(p, options);
  EXPECT_EQ(result.space_size, 8192u);
  EXPECT_EQ(result.best, (Configuration{{"layout", "near"}, {"a", 0}, {"b", 5}, {"c", 3}, {"d", 0}}));
  EXPECT_NEAR(result.seconds, 0.002, 1e-9);
  ASSERT_EQ(result.operations.size(), 2u);  // the other layout is far slower
  EXPECT_EQ(result.operations[0].name, "first");
  EXPECT_EQ(result.operations[0].best, (Configuration{{"a", 0}, {"b", 5}}));
  EXPECT_EQ(result.operations[1].name, "second");
  EXPECT_EQ(result.operations[1].best, (Configuration{{"c", 3}, {"d", 0}}));
  for (const OperationReport& operation : result.operations) {
    EXPECT_EQ(operation.tried(), 64u);
    EXPECT_NEAR(operation.seconds, 0.001, 1e-9);
    EXPECT_EQ(operation.table.front().configuration, operation.base);
    for (const CandidateReport& row : operation.table) EXPECT_EQ(row.rejection, "");
  }
  const std::string table = table_text(result);
  EXPECT_NE(table.find("\nfirst alone, with c="), std::string::npos) << table;
  EXPECT_NE(table.find("layout=near:\n        1000 us  a=0 b=5\n"), std::string::npos) << table;
  EXPECT_NE(table.find("    and 61 slower\nsecond alone, with a="), std::string::npos) << table;
}

TEST_F(TunerOperations, a_wrong_result_is_rejected_with_its_reason_and_never_chosen) {
  TuningProblem p = from_proposal(
      space_of_p_and_q(16), {{"p", 9}, {"q", 9}, {"luck", 0}}, [](const Configuration& c) { return 1 + at(c, "p"); },
      [](const Configuration& c) { return 1 + at(c, "q"); });
  p.candidate = [inner = p.candidate](const Configuration& c) {
    Candidate candidate = inner(c);
    if (at(c, "p") == 0) candidate.source.text = text(3);
    return candidate;
  };
  const TuningResult result = tuner().tune(p, counted());
  EXPECT_EQ(result.best, (Configuration{{"p", 1}, {"q", 0}, {"luck", 0}}));
  ASSERT_EQ(result.operations.size(), 2u);
  EXPECT_EQ(result.operations[0].best, (Configuration{{"p", 1}}));
  const CandidateReport* wrong = row_of(result.operations[0].table, {{"p", 0}, {"q", 9}, {"luck", 0}});
  ASSERT_NE(wrong, nullptr);
  EXPECT_EQ(wrong->rejection, "wrong result: y[1] = 6.000000");
  EXPECT_NE(table_text(result).find("    rejected    p=0: wrong result: y[1] = 6.000000\nsecond alone"),
            std::string::npos)
      << table_text(result);
}

TEST_F(TunerOperations, an_operation_that_a_candidate_does_not_have_is_left_alone) {
  TuningProblem p = from_proposal(
      space_of_p_and_q(16), {{"p", 9}, {"q", 9}, {"luck", 0}}, [](const Configuration& c) { return 1 + at(c, "p"); },
      [](const Configuration&) { return 1; });
  p.candidate = [inner = p.candidate](const Configuration& c) {
    Candidate candidate = inner(c);
    candidate.operations.erase("second");
    return candidate;
  };
  const TuningResult result = tuner().tune(p, counted());
  EXPECT_EQ(result.best.at("p"), Value(0));
  ASSERT_EQ(result.operations.size(), 2u);
  ASSERT_EQ(result.operations[1].tried(), 1u);
  EXPECT_EQ(result.operations[1].table[0].rejection, "has no operation 'second'");
  EXPECT_EQ(result.operations[1].best, (Configuration{{"q", 9}}));
  EXPECT_EQ(result.operations[1].seconds, 0);
}

TEST_F(TunerOperations, where_their_bests_do_not_fit_together_the_one_that_saves_most_comes_first) {
  SearchSpace space = space_of_p_and_q(30);
  space.require("p + q >= 20");
  const TuningProblem p = from_proposal(
      space, {{"p", 18}, {"q", 18}, {"luck", 0}}, [](const Configuration& c) { return 1 + 10 * at(c, "p"); },
      [](const Configuration& c) { return 1 + at(c, "q"); });
  TuneOptions options = counted();
  options.most_candidates = 120;
  const TuningResult result = tuner().tune(p, options);
  ASSERT_EQ(result.operations.size(), 2u);
  EXPECT_EQ(result.operations[0].best, (Configuration{{"p", 2}}));
  EXPECT_EQ(result.operations[1].best, (Configuration{{"q", 2}}));
  EXPECT_EQ(result.best.at("p"), Value(2));
  EXPECT_EQ(result.best.at("q"), Value(18));
}

TEST_F(TunerOperations, where_one_of_their_bests_is_wrong_with_another_the_others_are_kept) {
  TuningProblem p = from_proposal(
      space_of_p_and_q(16), {{"p", 9}, {"q", 9}, {"luck", 0}},
      [](const Configuration& c) { return 1 + 10 * at(c, "p"); },
      [](const Configuration& c) { return 1 + at(c, "q"); });
  p.candidate = [inner = p.candidate](const Configuration& c) {
    Candidate candidate = inner(c);
    if (at(c, "p") == 0 && at(c, "q") < 4) candidate.source.text = text(3);
    return candidate;
  };
  TuneOptions options = counted();
  options.most_candidates = 72;  // no time to find it as a whole
  const TuningResult result = tuner().tune(p, options);
  const CandidateReport* together = row_of(result.table, {{"p", 0}, {"q", 0}, {"luck", 0}});
  ASSERT_NE(together, nullptr);
  EXPECT_EQ(together->rejection, "wrong result: y[1] = 6.000000");
  EXPECT_EQ(result.best.at("p"), Value(0));
  EXPECT_GE(at(result.best, "q"), 4);
}

TEST_F(TunerOperations, what_is_far_slower_is_looked_at_no_more_than_twice) {
  std::map<int, int> runs;  // of the first operation, by p
  TuningProblem p = from_proposal(
      space_of_p_and_q(16), {{"p", 1}, {"q", 0}, {"luck", 0}},
      [](const Configuration& c) { return 1 + 10 * at(c, "p"); }, [](const Configuration&) { return 1000; });
  p.candidate = [inner = p.candidate, &runs](const Configuration& c) {
    Candidate candidate = inner(c);
    candidate.rehearsal = candidate.run;
    candidate.operations["first"] = [run = candidate.operations["first"], &runs, p = at(c, "p")](
                                        const core::Module& module, const core::Stream& stream) {
      ++runs[p];
      run(module, stream);
    };
    return candidate;
  };
  TuneOptions options = counted();
  options.measure.repeats = 5;
  EXPECT_EQ(tuner().tune(p, options).best.at("p"), Value(0));
  EXPECT_GT(runs[0], 2);
  EXPECT_GT(runs[1], 2);
  for (int slow = 3; slow < 16; ++slow) EXPECT_EQ(runs[slow], 2) << slow;  // of the whole hardly slower
}

TEST_F(TunerOperations, no_more_candidates_than_allowed_are_tried_and_the_last_of_them_is_what_they_come_to) {
  const TuningProblem p = from_proposal(
      space_of_p_and_q(30), {{"p", 25}, {"q", 25}, {"luck", 0}}, [](const Configuration& c) { return 1 + at(c, "p"); },
      [](const Configuration& c) { return 1 + at(c, "q"); });
  for (const std::size_t most : {1u, 2u, 3u, 10u}) {
    TuneOptions options = counted();
    options.anew = true;
    options.keep = false;
    options.most_candidates = most;
    EXPECT_EQ(tried(tuner().tune(p, options)), most);
  }
  TuneOptions options = counted();
  options.most_candidates = 40;  // the proposal, up to 32 of chance, the base, at least 5 values of p, and then
  const TuningResult result = tuner().tune(p, options);
  EXPECT_EQ(tried(result), 40u);
  EXPECT_EQ(result.table.back().configuration, result.best);
  EXPECT_EQ(result.best.at("p"), Value(0));
}

TEST_F(TunerOperations, without_time_they_are_not_tuned) {
  const TuningProblem p = from_proposal(
      space_of_p_and_q(16), {{"p", 9}, {"q", 9}, {"luck", 0}}, [](const Configuration& c) { return 1 + at(c, "p"); },
      [](const Configuration& c) { return 1 + at(c, "q"); });
  TuneOptions options = counted();
  options.seconds = 0;
  EXPECT_TRUE(tuner().tune(p, options).operations.empty());
}

TEST_F(TunerOperations, where_all_is_tried_as_a_whole_they_are_not_tuned) {
  SearchSpace space;
  space.add("p", {1, 2}).add("q", {1, 2}).operation("first", {"p"}).operation("second", {"q"});
  const TuningResult result = tuner().tune(
      two_kernels(
          space, [](const Configuration& c) { return at(c, "p"); }, [](const Configuration& c) { return at(c, "q"); }),
      counted());
  EXPECT_EQ(result.table.size(), 4u);
  EXPECT_TRUE(result.operations.empty());
}

/// p = 0 ends the process in the first operation alone.
class TunerOperationsChild : public TunerOperations {
 protected:
  TuningProblem that_ends(bool ends) {
    TuningProblem p = from_proposal(
        space_of_p_and_q(16), {{"p", 9}, {"q", 0}, {"luck", 0}}, [](const Configuration& c) { return 1 + at(c, "p"); },
        [](const Configuration&) { return 1; });
    p.candidate = [inner = p.candidate, ends](const Configuration& c) {
      Candidate candidate = inner(c);
      if (!ends || at(c, "p") != 0) return candidate;
      candidate.operations["first"] = [](const core::Module&, const core::Stream&) { std::_Exit(3); };
      return candidate;
    };
    return p;
  }
};

TEST_F(TunerOperationsChild, ends) {
  if (!child_process::folder()) GTEST_SKIP() << "a part of the next test";
  (void)Tuner(compiler(), *child_process::folder() / "wisdom").tune(that_ends(true), counted());
  FAIL() << "the process outlived its end";
}

TEST_F(TunerOperationsChild, what_ran_when_a_process_ended_is_not_run_alone_again_but_tried_last) {
  EXPECT_EQ(WEXITSTATUS(child_process::run("TunerOperationsChild.ends", root_).status), 3);
  const TuningResult result = tuner().tune(that_ends(false), counted());
  const Configuration suspected{{"p", 0}, {"q", 0}, {"luck", 0}};
  ASSERT_FALSE(result.operations.empty());
  EXPECT_EQ(row_of(result.operations[0].table, suspected), nullptr);
  EXPECT_EQ(result.operations[0].best, (Configuration{{"p", 1}}));
  EXPECT_EQ(result.table.back().configuration, suspected);
  EXPECT_EQ(result.best, suspected);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
