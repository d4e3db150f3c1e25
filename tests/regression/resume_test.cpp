#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const dg::Archive::Array& array) {
  Bytes bytes(array.row_count() * array.row_bytes());
  array.rows(0, bytes);
  return bytes;
}

/// A copy of a checkpoint in which arrays and texts are replaced by those of another archive.
dg::Archive with_changes(const dg::Archive& original, const dg::Archive& changes) {
  dg::Archive result = changes;
  for (const auto& [name, array] : original.arrays()) {
    if (!changes.has(name)) result.put(name, dg::array_of(array.dtype, array.shape, bytes_of(array)));
  }
  for (const auto& [name, text] : original.texts()) {
    if (!changes.has(name)) result.put_text(name, text);
  }
  return result;
}

/// All that two checkpoints hold is the same to the bit but the names of their runs.
void expect_same_content(const fs::path& one, const fs::path& other) {
  dg::Archive no_name;
  no_name.put_text("run.id", "");
  const dg::Archive a = with_changes(dg::read_checkpoint(one), no_name);
  const dg::Archive b = with_changes(dg::read_checkpoint(other), no_name);
  EXPECT_EQ(a.texts(), b.texts()) << one;
  ASSERT_EQ(a.arrays().size(), b.arrays().size()) << one;
  for (const auto& [name, array] : a.arrays()) {
    EXPECT_TRUE(array.shape == b.array(name).shape && bytes_of(array) == bytes_of(b.array(name))) << one << " " << name;
  }
}

/// The cavity with a checkpoint every ten steps.
class ResumeTest : public ::testing::Test {
 protected:
  Outcome run(const std::string& folder, const Arguments& more = {}) const {
    Arguments arguments{"--output", (directory_ / folder).string(), "--set", "checkpoint={steps: 10}"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_cavity(directory_.path(), arguments);
  }
  void expect_done(const Outcome& outcome) const { ASSERT_EQ(outcome.exit_code, 0) << outcome.err; }
  [[nodiscard]] std::string output(const std::string& folder, const std::string& file) const {
    return content_of(directory_ / (folder + "/" + file));
  }
  [[nodiscard]] Json summary(const std::string& folder) const { return Json::parse(output(folder, "summary.json")); }
  /// All that a run leaves but its log and summary is the same to the byte.
  void expect_same(const std::string& one, const std::string& other) const {
    for (const auto& entry : fs::directory_iterator(directory_ / one)) {
      const std::string name = entry.path().filename().string();
      if (name == "run.log" || name == "summary.json" || name == "config.resolved.yaml") continue;
      if (name.ends_with(".h5")) {
        expect_same_content(entry.path(), directory_ / (other + "/" + name));
      } else {
        EXPECT_TRUE(output(one, name) == output(other, name)) << name;
      }
    }
    EXPECT_EQ(summary(one)["error"], summary(other)["error"]);
    EXPECT_EQ(summary(one)["energy"], summary(other)["energy"]);
    EXPECT_EQ(summary(one)["steps"], summary(other)["steps"]);
  }
  void kill_before_the_first_checkpoint(const std::string& folder, Arguments more) const {
    const Arguments arguments{(directory_ / "cavity.yaml").string(), "--output", (directory_ / folder).string(),
                              "--set", "checkpoint={steps: 1000000}"};
    more.insert(more.begin(), arguments.begin(), arguments.end());
    write_file_atomically(directory_ / "cavity.yaml", cavity_config());
    Program program(more, directory_.path());
    for (int wait = 0; wait < 10000 && output(folder, "probes.csv").size() < 20000; ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    program.send(SIGKILL);
    ASSERT_EQ(program.wait().exit_code, 128 + SIGKILL);
  }
  const TemporaryDirectory directory_;
};

Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(ResumeTest, a_run_that_is_killed_again_and_again_ends_with_the_same_answer) {
  // Dispersion, for auxiliary variables.
  Arguments longer{"--set", "time.end=20", "--set",
                   "materials.0.dispersion=[{model: debye, delta_epsilon: 0.5, tau: 0.3}]"};
  longer = with(longer, with_fields());
  longer = with(longer, {"--set", "outputs.frequency_fields={frequencies: [0.3, 0.5]}"});
  expect_done(run("whole", longer));
  std::mt19937 random(11);
  int killed = 0;
  for (int i = 0; i < 4; ++i) {
    const auto there = dg::checkpoints_in(directory_ / "killed");
    const long from = there.empty() ? 0 : there.back().step;
    Program program(with({(directory_ / "cavity.yaml").string(), "--output", (directory_ / "killed").string(), "--set",
                          "checkpoint={steps: 10}", "--resume"},
                         longer),
                    directory_.path());
    // Some time after the next checkpoint or the one after that, maybe while another is written.
    const long wanted = from + 10 * (1 + static_cast<long>(random() % 2));
    for (int wait = 0; wait < 10000; ++wait) {
      const auto now = dg::checkpoints_in(directory_ / "killed");
      if (!now.empty() && now.back().step >= wanted) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
    program.send(SIGKILL);
    if (program.wait().exit_code == 128 + SIGKILL) ++killed;
  }
  EXPECT_GE(killed, 2) << "the run was too short for this test";
  expect_done(run("killed", with(longer, {"--resume"})));
  expect_same("whole", "killed");
  EXPECT_GT(summary("killed")["resumed_from_step"], 10);
  for (const auto& entry : fs::directory_iterator(directory_ / "killed")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(".tmp")) << entry.path();
  }
}

TEST_F(ResumeTest, an_interrupted_run_leaves_a_checkpoint_of_its_last_step) {
  expect_done(run("whole", {"--set", "time.end=40", "--set", "outputs.energy={every: 1, balance: true}"}));
  Program program(
      {(directory_ / "cavity.yaml").string(), "--output", (directory_ / "out").string(), "--set", "time.end=40",
       "--set", "outputs.energy={every: 1, balance: true}", "--set", "checkpoint={every: 1 h}"},
      directory_.path());
  for (int wait = 0; wait < 10000 && output("out", "energy.csv").size() < 100; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  program.send(SIGTERM);
  const Outcome outcome = program.wait();
  ASSERT_EQ(outcome.exit_code, 143) << outcome.err;
  const auto left = dg::checkpoints_in(directory_ / "out");
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left.front().step, summary("out")["steps"].get<long>());
  EXPECT_LT(left.front().step, summary("whole")["steps"].get<long>());
  expect_done(run("out", {"--set", "time.end=40", "--set", "outputs.energy={every: 1, balance: true}", "--resume"}));
  for (const char* file : {"probes.csv", "energy.csv", "balance.csv"})
    EXPECT_TRUE(output("whole", file) == output("out", file)) << file;
  EXPECT_NE(output("out", "run.log").find("interrupted: "), std::string::npos) << "the log goes on";
}

TEST_F(ResumeTest, damaged_checkpoints_are_skipped_with_a_warning) {
  expect_done(run("whole"));
  expect_done(run("out"));
  const auto files = dg::checkpoints_in(directory_ / "out");
  ASSERT_EQ(files.size(), 2u);
  fs::resize_file(files.back().path, fs::file_size(files.back().path) - 100);
  const Outcome outcome = run("out", {"--resume"});
  expect_done(outcome);
  EXPECT_NE(outcome.err.find("warning: " + files.back().path.string() + ": skipped, it is damaged"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(summary("out")["resumed_from_step"], files.front().step);
  EXPECT_EQ(summary("out")["warnings"].size(), 1u);
  expect_same("whole", "out");
}

TEST_F(ResumeTest, a_run_that_begins_anew_makes_earlier_checkpoints_useless) {
  // Run B begins where A has left its checkpoints, writes other rows, and is killed before its own first checkpoint.
  expect_done(run("out"));
  ASSERT_FALSE(dg::checkpoints_in(directory_ / "out").empty());
  kill_before_the_first_checkpoint("out", {"--set", "time.end=1e5", "--set", "solver.cfl=0.5"});
  const std::string rows = output("out", "probes.csv");
  const Outcome refused = run("out", {"--resume"});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_NE(refused.err.find("no checkpoint to resume from: they are of another config: solver.cfl is 1, it was 0.5"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(output("out", "probes.csv"), rows);
  expect_done(run("out"));
  expect_done(run("whole"));
  expect_same("whole", "out");
}

TEST_F(ResumeTest, a_run_that_was_killed_before_its_first_checkpoint_begins_again) {
  const Arguments longer{"--set", "time.end=300"};
  kill_before_the_first_checkpoint("out", longer);
  const Outcome outcome = run("out", with(longer, {"--resume"}));
  expect_done(outcome);
  EXPECT_NE(outcome.err.find("no checkpoint in " + (directory_ / "out").string() +
                             " to resume from: this run was killed before its first one, and begins again\n"),
            std::string::npos)
      << outcome.err;
  expect_done(run("whole", longer));
  expect_same("whole", "out");
}

TEST_F(ResumeTest, a_finished_run_has_nothing_left_to_do) {
  for (const char* checkpoint : {"{steps: 10}", "null"}) {
    const Arguments same{"--set", std::string("checkpoint=") + checkpoint, "--set",
                         "outputs.frequency_fields={frequencies: [0.3]}"};
    expect_done(run("out", same));
    const auto contents = [&] {
      std::map<std::string, std::string> all;
      for (const auto& entry : fs::directory_iterator(directory_ / "out")) {
        all[entry.path().filename().string()] = content_of(entry.path());
      }
      all.erase("run.log");
      return all;
    };
    const auto before = contents();
    const Outcome outcome = run("out", with(same, {"--resume"}));
    expect_done(outcome);
    EXPECT_NE(outcome.err.find((directory_ / "out").string() + ": this run is finished, there is nothing to do"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(contents(), before) << checkpoint;
  }
}

TEST_F(ResumeTest, the_end_of_a_finished_run_may_be_compared_with_another_solution) {
  expect_done(run("out", {"--set", "reference_solution=null"}));
  EXPECT_FALSE(summary("out").contains("error"));
  expect_done(run("whole"));
  expect_done(run("out", {"--resume"}));
  expect_same("whole", "out");
}

TEST_F(ResumeTest, a_run_whose_end_was_cut_short_is_ended) {
  const Arguments transformed{"--set", "outputs.frequency_fields={frequencies: [0.3]}"};
  expect_done(run("whole", transformed));
  expect_done(run("out", transformed));
  fs::remove(directory_ / "out/summary.json");
  fs::remove(directory_ / "out/frequency_fields_000.vtu");
  expect_done(run("out", with(transformed, {"--resume"})));
  expect_same("whole", "out");
}

TEST_F(ResumeTest, what_was_computed_otherwise_is_said) {
  expect_done(run("out"));
  const Outcome outcome =
      run("out", {"--resume", "--set", "time.end=4", "--set", "solver.order=3", "--set", "solver.precision=single"});
  expect_done(outcome);
  const std::string message =
      "the run was computed otherwise up to step 20: solver.order is 3, it was 2; "
      "solver.precision is single, it was double";
  EXPECT_NE(outcome.err.find("warning: " + message), std::string::npos) << outcome.err;
  EXPECT_EQ(summary("out")["warnings"], Json({message}));
}

TEST_F(ResumeTest, checkpoints_of_another_run_are_not_joined_with_the_files_that_are_there) {
  const Arguments longer{"--set", "time.end=4"};
  expect_done(run("out"));
  expect_done(run("other", {"--set", "solver.cfl=0.5"}));
  const auto file = [&](const std::string& folder) { return dg::checkpoints_in(directory_ / folder).back().path; };
  const fs::path foreign = directory_ / ("out/" + file("other").filename().string());
  ASSERT_GT(dg::checkpoints_in(directory_ / "other").back().step, dg::checkpoints_in(directory_ / "out").back().step);
  fs::copy_file(file("other"), foreign);
  const Outcome outcome = run("out", with(longer, {"--resume"}));
  expect_done(outcome);
  EXPECT_NE(outcome.err.find("warning: " + foreign.string() + ": is of another run than the results in this directory"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("resumed from "), std::string::npos) << "its own one before: " << outcome.err;
  // Without the name of the run, the rows tell.
  fs::remove(directory_ / "other/config.resolved.yaml");
  std::string rows = output("other", "probes.csv");
  rows.at(100) = rows.at(100) == '7' ? '8' : '7';
  write_file_atomically(directory_ / "other/probes.csv", rows);
  const Outcome refused = run("other", with(longer, {"--resume"}));
  EXPECT_EQ(refused.exit_code, 6) << refused.err;
  EXPECT_NE(refused.err.find("probes.csv: does not begin with the rows that it had when the checkpoint was written; "
                             "put the file back, or begin anew without --resume"),
            std::string::npos)
      << refused.err;
}

TEST_F(ResumeTest, rows_that_are_gone_lead_back_to_the_checkpoint_that_they_go_with) {
  expect_done(run("whole"));
  expect_done(run("out"));
  const auto files = dg::checkpoints_in(directory_ / "out");
  ASSERT_EQ(files.size(), 2U);
  const auto kept = dg::read_checkpoint(files.front().path).integer("probes.bytes");
  fs::resize_file(directory_ / "out/probes.csv", static_cast<std::uintmax_t>(kept) + 7);
  const Outcome outcome = run("out", {"--resume"});
  expect_done(outcome);
  EXPECT_NE(outcome.err.find("warning: " + files.back().path.string() + ": does not go with "), std::string::npos)
      << outcome.err;
  EXPECT_EQ(summary("out")["resumed_from_step"], files.front().step);
  expect_same("whole", "out");
  EXPECT_NE(summary("whole")["run"], summary("out")["run"]);
}

TEST_F(ResumeTest, values_that_no_run_has_are_damage_whatever_their_checksum) {
  expect_done(run("out"));
  const fs::path newest = dg::checkpoints_in(directory_ / "out").back().path;
  const dg::Archive whole = dg::read_checkpoint(newest);
  const auto changed = [](auto... puts) {
    dg::Archive archive;
    (puts(archive), ...);
    return archive;
  };
  const auto integer = [](const std::string& name, std::int64_t value) {
    return [=](dg::Archive& archive) { archive.put_integer(name, value); };
  };
  const auto number = [](const std::string& name, double value) {
    return [=](dg::Archive& archive) { archive.put_number(name, value); };
  };
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const dg::Archive& changes :
       {changed(integer("step", least)), changed(integer("step", 11)), changed(integer("run.steps", least)),
        changed(integer("run.steps", std::int64_t{1} << 62)), changed(integer("run.steps", 3)),
        changed(integer("run.origin.step", -5)), changed(number("time", 1e300)), changed(number("time", -1)),
        changed(number("time", std::numeric_limits<double>::quiet_NaN())), changed(number("run.dt", 1e-300)),
        changed(number("run.dt", 10)), changed(number("run.end", -1)), changed(number("run.largest_dt", 0)),
        changed(number("run.origin.time", 1e300))}) {
    dg::write_checkpoint(with_changes(whole, changes), newest);
    const Outcome outcome = run("out", {"--resume"});
    const std::string what =
        changes.arrays().begin()->first + " " + ::testing::PrintToString(bytes_of(changes.arrays().begin()->second));
    EXPECT_EQ(outcome.exit_code, 0) << what << outcome.err;
    EXPECT_NE(outcome.err.find("warning: " + newest.string() + ": skipped, it is damaged"), std::string::npos)
        << what << outcome.err;
    EXPECT_NE(outcome.err.find("resumed from "), std::string::npos) << what << outcome.err;
  }
}

TEST_F(ResumeTest, contents_that_do_not_fit_the_run_are_a_config_error) {
  const Arguments balanced{"--set", "outputs.energy={every: 1, balance: true}", "--set", "time.end=4"};
  expect_done(run("out", balanced));
  const fs::path newest = dg::checkpoints_in(directory_ / "out").back().path;
  const dg::Archive whole = dg::read_checkpoint(newest);
  const auto resumed_with = [&](const std::function<void(dg::Archive&)>& put) {
    dg::Archive changes;
    put(changes);
    dg::write_checkpoint(with_changes(whole, changes), newest);
    return run("out", with(balanced, {"--resume", "--set", "time.end=5"}));
  };
  const auto expect_refused = [&](const std::function<void(dg::Archive&)>& put, const std::string& text) {
    const Outcome outcome = resumed_with(put);
    EXPECT_EQ(outcome.exit_code, 2) << text << outcome.err;
    EXPECT_NE(outcome.err.find("error: " + text), std::string::npos) << outcome.err;
  };
  const auto empty = [](const std::string& name) {
    return [=](dg::Archive& archive) { archive.put(name, std::vector<double>{}); };
  };
  expect_refused(empty("put_in"),
                 "the checkpoint has injected energies ('put_in') of 0 powers, but this run integrates 2");
  expect_refused(
      [](dg::Archive& archive) {
        archive.put("balance.before", {1.0, 2.0, 3.0});
      },
      "the checkpoint's 'balance.before' is of 3 numbers");
  expect_refused(empty("q"), "the checkpoint's state is not one of 24 elements with 6 fields");
  expect_refused(empty("energy.latest"), "the checkpoint does not hold 'energy.latest'");
  expect_refused([](dg::Archive& archive) { archive.put_integer("probes.bytes", -1); },
                 "the checkpoint's 'probes.bytes' is negative");
}

TEST_F(ResumeTest, a_kernel_variant_that_is_not_offered_is_not_compiled) {
  expect_done(run("out"));
  const fs::path newest = dg::checkpoints_in(directory_ / "out").back().path;
  const dg::Archive whole = dg::read_checkpoint(newest);
  for (const char* variant : {"lanes3_n4_apart", "lanes99_n99", "nodes_pad9999_v9999_s9999", "no variant"}) {
    dg::Archive changes;
    changes.put_text("run.variant", variant);
    for (const dg::CheckpointName& name : dg::checkpoints_in(directory_ / "out")) fs::remove(name.path);
    dg::write_checkpoint(with_changes(whole, changes), newest);
    const Outcome outcome = run("out", {"--resume", "--set", "time.end=2.5"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("the kernel variant '" + std::string(variant) + "', which this program does not have"),
              std::string::npos)
        << outcome.err;
  }
}

TEST_F(ResumeTest, running_fourier_sums_need_the_same_steps) {
  const Arguments transformed{"--set", "outputs.frequency_fields={frequencies: [0.3]}"};
  expect_done(run("out", transformed));
  const std::array results{"summary.json", "frequency_fields_000.vtu", "probes.csv", "config.resolved.yaml"};
  std::map<std::string, std::string> before;
  for (const char* name : results) before[name] = content_of(directory_ / "out" / name);
  const Outcome outcome = run("out", with(transformed, {"--resume", "--set", "time.end=3"}));
  EXPECT_EQ(outcome.exit_code, 2);
  for (const char* name : results) {
    ASSERT_TRUE(fs::exists(directory_ / "out" / name)) << name << ": a refusal takes nothing from the results";
    EXPECT_EQ(content_of(directory_ / "out" / name), before[name]) << name;
  }
  EXPECT_NE(
      outcome.err.find("error: the checkpoint's running Fourier sums 'frequency_fields' were made with other time "
                       "steps; resume with the same order, cfl, integrator and end of time"),
      std::string::npos)
      << outcome.err;
}

TEST_F(ResumeTest, begins_a_run_in_an_empty_directory_and_says_so) {
  const Outcome outcome = run("out", {"--resume"});
  expect_done(outcome);
  EXPECT_NE(outcome.err.find("no checkpoint in " + (directory_ / "out").string() +
                             " to resume from, and no results: the run begins"),
            std::string::npos)
      << outcome.err;
  EXPECT_FALSE(summary("out").contains("resumed_from_step"));
}

TEST_F(ResumeTest, a_later_end_continues_a_run_that_was_complete) {
  const Arguments to_four{"--set", "time.end=4"};
  expect_done(run("whole", to_four));
  expect_done(run("out"));
  const Outcome outcome = run("out", with(to_four, {"--resume"}));
  expect_done(outcome);
  EXPECT_EQ(summary("out")["time_end"], 4);
  // The steps are of another length, so the results are close, not the same.
  EXPECT_NEAR(summary("out")["error"]["E"]["l2"].get<double>() / summary("whole")["error"]["E"]["l2"].get<double>(), 1,
              0.02);
  const std::string probes = output("out", "probes.csv");
  EXPECT_EQ(std::count(probes.begin(), probes.end(), '\n'), summary("out")["steps"].get<long>() + 2);
}

TEST_F(ResumeTest, another_precision_and_another_order_go_on_from_the_same_fields) {
  const Arguments to_four{"--set", "time.end=4"};
  const auto l2 = [&](const std::string& folder) { return summary(folder)["error"]["E"]["l2"].get<double>(); };
  expect_done(run("coarse", to_four));
  expect_done(run("fine", with(to_four, {"--set", "solver.order=3"})));
  for (const auto& [name, assignment] :
       {std::pair{"single", "solver.precision=single"}, std::pair{"order", "solver.order=3"}}) {
    expect_done(run(name));
    expect_done(run(name, with(to_four, {"--resume", "--set", assignment})));
  }
  EXPECT_NEAR(l2("single") / l2("coarse"), 1, 0.02);
  EXPECT_NE(l2("single"), l2("coarse"));
  EXPECT_LT(l2("order"), l2("coarse")) << "half of the way was finer";
  EXPECT_GT(l2("order"), l2("fine"));
  EXPECT_EQ(summary("order")["order"], 3);
}

}  // namespace
}  // namespace maxwell_dg::testing
