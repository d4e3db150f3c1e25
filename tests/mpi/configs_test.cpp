#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "rtcg/compile/cache.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/regression/shipped_config.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Runs of the program on several ranks have the results of one rank.
namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;

class OnRanks : public ::testing::TestWithParam<std::string> {};

TEST_P(OnRanks, a_shipped_config_has_the_tables_of_one_rank) {
  const TemporaryDirectory directory;
  std::vector<std::string> arguments = ten_steps_of(GetParam(), directory.path());
  if (arguments.empty()) GTEST_SKIP() << "this build has no Gmsh to make the mesh";
  arguments.insert(arguments.end(), {"--device", "cpu", "--set", "solver.precision=double", "--set",
                                     "outputs.energy={every: 1}", "--output"});
  const auto run = [&](int ranks) {
    std::vector<std::string> all = arguments;
    all.push_back((directory / std::to_string(ranks)).string());
    const Outcome outcome =
        ranks == 1 ? run_program(all, directory.path()) : run_on_ranks(ranks, all, directory.path());
    ASSERT_EQ(outcome.exit_code, 0) << ranks << " ranks: " << outcome.err;
    const auto summary = nlohmann::json::parse(content_of(directory / std::to_string(ranks) / "summary.json"));
    if (ranks == 1) {
      EXPECT_FALSE(summary.contains("ranks"));
      return;
    }
    ASSERT_EQ(summary["ranks"].size(), static_cast<std::size_t>(ranks));
    std::size_t elements = 0, faces_cut = 0;
    double most = 0;
    for (const auto& rank : summary["ranks"]) {
      elements += rank["elements"].get<std::size_t>();
      faces_cut += rank["faces_cut"].get<std::size_t>();
      most = std::max(most, rank["cost"].get<double>());
      EXPECT_GT(rank["device_bytes"]["allocated"].get<std::size_t>(), 0U);
    }
    EXPECT_EQ(elements, summary["elements"].get<std::size_t>());
    EXPECT_EQ(faces_cut % (2 * summary["partition"]["faces_cut"].get<std::size_t>()), 0U);  // complex fields: twice
    EXPECT_DOUBLE_EQ(most, summary["partition"]["imbalance"].get<double>());
    expect_same_tables(directory / std::to_string(ranks), directory / "1", 1e-12);
  };
  for (const int ranks : {1, 3, 7}) run(ranks);  // two and four are taken by other tests
}

INSTANTIATE_TEST_SUITE_P(configs, OnRanks, ::testing::ValuesIn(shipped_configs()),
                         [](const auto& config) { return config.param; });

/// Steps that each have an output of every kind.
std::vector<std::string> cavity(const fs::path& directory, const std::string& out) {
  return {(directory / "config.yaml").string(), "--device", "cpu", "--output", (directory / out).string()};
}

TEST(OnRanks, a_run_goes_on_from_a_checkpoint_on_another_number_of_ranks) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  const std::vector<std::string> checkpoints = with_set({"checkpoint={steps: 4}"});
  const auto run = [&](int ranks, const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = cavity(directory.path(), out);
    for (const auto* list : {&checkpoints, &more}) arguments.insert(arguments.end(), list->begin(), list->end());
    const Outcome outcome =
        ranks == 1 ? run_program(arguments, directory.path()) : run_on_ranks(ranks, arguments, directory.path());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  run(1, "whole", {});
  run(3, "parts", {"--set", "time.end=1"});
  run(2, "parts", {"--resume"});
  expect_same_tables(directory / "parts", directory / "whole", 1e-12);
}

TEST(OnRanks, a_run_goes_on_with_another_order_as_on_one_rank) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  const std::vector<std::string> half = with_set({"checkpoint={steps: 4}", "time.end=1"});
  std::vector<std::string> arguments = cavity(directory.path(), "2");
  arguments.insert(arguments.end(), half.begin(), half.end());
  const Outcome begun = run_on_ranks(3, arguments, directory.path());
  ASSERT_EQ(begun.exit_code, 0) << begun.err;
  fs::copy(directory / "2", directory / "1", fs::copy_options::recursive);
  for (const int ranks : {1, 2}) {
    arguments = cavity(directory.path(), std::to_string(ranks));
    for (const std::string& more : with_set({"checkpoint={steps: 4}", "solver.order=3"})) arguments.push_back(more);
    arguments.emplace_back("--resume");
    const Outcome rest =
        ranks == 1 ? run_program(arguments, directory.path()) : run_on_ranks(ranks, arguments, directory.path());
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_NE(rest.err.find("solver.order is 3, it was 2"), std::string::npos) << rest.err;
  }
  expect_same_tables(directory / "2", directory / "1", 1e-12);
}

TEST(OnRanks, a_finished_run_without_checkpoints_that_is_resumed_ends_at_once) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  ASSERT_EQ(run_on_ranks(2, cavity(directory.path(), "out"), directory.path()).exit_code, 0);
  const std::string before = content_of(directory / "out/probes.csv");
  std::vector<std::string> arguments = cavity(directory.path(), "out");
  arguments.emplace_back("--resume");
  const Outcome again = run_on_ranks(2, arguments, directory.path());
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(content_of(directory / "out/probes.csv"), before);
}

TEST(OnRanks, a_check_says_how_the_mesh_is_divided_and_what_each_rank_takes) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  const std::vector<std::string> finer{"--set", "mesh.box.cells=[8, 8, 8]"};
  std::vector<std::string> check = cavity(directory.path(), "out"), run = check;
  check.emplace_back("--check");
  for (auto* arguments : {&check, &run}) arguments->insert(arguments->end(), finer.begin(), finer.end());
  const Outcome checked = run_on_ranks(3, check, directory.path());
  ASSERT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_FALSE(fs::exists(directory / "out"));
  ASSERT_EQ(run_on_ranks(3, run, directory.path()).exit_code, 0);
  const auto summary = nlohmann::json::parse(content_of(directory / "out/summary.json"));
  const std::string log = content_of(directory / "out/run.log");
  const std::string faces = std::to_string(summary["partition"]["faces_cut"].get<int>()) + " faces cut";
  for (const std::string* text : {&checked.out, &log}) EXPECT_NE(text->find(faces), std::string::npos) << *text;
  for (const auto& rank : summary["ranks"]) {
    const std::string row = "  " + std::to_string(rank["elements"].get<int>()) + "  ";
    EXPECT_NE(checked.out.find(row), std::string::npos) << row << checked.out;
    EXPECT_EQ(rank["bytes_sent_per_stage"].get<int>(), rank["faces_cut"].get<int>() * 6 * 6 * 8);  // order 2, double
    const double ratio =
        rank["device_bytes"]["allocated"].get<double>() / rank["device_bytes"]["forecast"].get<double>();
    EXPECT_GT(ratio, 0.95);
    EXPECT_LT(ratio, 1.15);
  }
  EXPECT_EQ(checked.out.find("# forecast"), checked.out.rfind("# forecast")) << "said by more than one rank";
}

/// Kernels that ranks compiled in a run with an empty cache: how many in all, and how many different ones.
std::pair<std::size_t, std::size_t> compiled_on(int ranks, const fs::path& directory,
                                                const std::vector<std::string>& more) {
  const fs::path cache = directory / ("cache" + std::to_string(ranks));
  std::vector<std::string> arguments = cavity(directory, "out");
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments = mpirun_arguments(ranks, arguments, {"-x", "MAXWELL_DG_CACHE=" + cache.string()});
  const Outcome run = run_program(arguments, directory, {.program = MAXWELL_DG_MPIEXEC});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto summary = nlohmann::json::parse(content_of(directory / "out/summary.json"));
  std::size_t all = 0, different = 0;
  if (ranks == 1) {
    all = summary["compile"]["cache_misses"].get<std::size_t>();
  } else {
    for (const auto& rank : summary.at("ranks")) all += rank["kernels_compiled"].get<std::size_t>();
  }
  for (const auto& entry : fs::recursive_directory_iterator(cache / "kernels")) {
    different += entry.is_regular_file() && fs::file_size(entry) > 0 && entry.path().extension() != ".lock" ? 1 : 0;
  }
  return {all, different};
}

TEST(OnRanks, kernels_are_compiled_once) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  const std::vector<std::string> finer{"--set", "mesh.box.cells=[4, 4, 4]"};
  for (const int ranks : {1, 4}) {
    const auto [all, different] = compiled_on(ranks, directory.path(), finer);
    EXPECT_GT(all, 3U);
    EXPECT_EQ(all, different) << ranks << " ranks";
  }
}

TEST(OnRanks, each_holds_its_share_of_what_one_device_would_and_its_ghosts) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  const auto bytes_of = [](const nlohmann::json& rank) { return rank["device_bytes"]["allocated"].get<double>(); };
  const auto run = [&](int ranks) {
    std::vector<std::string> arguments = cavity(directory.path(), std::to_string(ranks));
    for (const std::string& more : with_set({"mesh.box.cells=[12, 12, 12]", "solver.order=3", "time.end=0.02"})) {
      arguments.push_back(more);
    }
    const Outcome outcome =
        ranks == 1 ? run_program(arguments, directory.path()) : run_on_ranks(ranks, arguments, directory.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(content_of(directory / std::to_string(ranks) / "summary.json"));
  };
  const nlohmann::json alone = run(1);
  const double of_element = bytes_of(alone) / alone["elements"].get<double>();
  for (const int ranks : {2, 4}) {
    for (const auto& rank : run(ranks)["ranks"]) {
      const double own = rank["elements"].get<double>(), most_ghosts = rank["faces_cut"].get<double>();
      EXPECT_LE(bytes_of(rank), of_element * (1.05 * own + most_ghosts)) << ranks << " ranks: " << rank;
      EXPECT_GE(bytes_of(rank), of_element * own) << ranks << " ranks: " << rank;
    }
  }
}

/// Of curved elements, too: those whose medium varies are computed like them.
TEST(OnRanks, kernels_are_handed_to_ranks_that_have_other_caches) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  std::vector<std::string> arguments = cavity(directory.path(), "out");
  for (const std::string& more : with_set({"mesh.box.cells=[4, 4, 4]", "outputs.energy={every: 1}",
                                           "materials=[{region: '*', epsilon_r: '1 + 0.1 * x', profile: smooth}]"})) {
    arguments.push_back(more);
  }
  std::vector<std::string> words;
  for (const char* cache : {"first", "second", "third"}) {
    if (!words.empty()) words.emplace_back(":");
    const std::vector<std::string> of_rank =
        mpirun_arguments(1, arguments, {"-x", "MAXWELL_DG_CACHE=" + (directory / cache).string()});
    words.insert(words.end(), of_rank.begin(), of_rank.end());
  }
  const Outcome run = run_program(words, directory.path(), {.program = MAXWELL_DG_MPIEXEC});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::map<std::string, int> caches_with;  // by the kernel's name
  for (const char* cache : {"first", "second", "third"}) {
    for (const auto& entry : rtcg::KernelCache(directory / cache / "kernels").entries()) {
      ++caches_with[entry.description.substr(0, entry.description.find("_maxwell"))];
    }
  }
  for (const char* name : {"stage", "energy", "curved_energy", "exchange", "sample"}) {
    EXPECT_EQ(caches_with[name], 1) << name;
  }
  EXPECT_GE(caches_with["curved_stage"], 1);
  EXPECT_LE(caches_with["curved_stage"], 2) << "of three: the first rank may have compiled it to choose its variant";
}

TEST(OnRanks, sixty_four_on_a_cold_cache_that_they_share_compile_each_kernel_once) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  const std::vector<std::string> few_steps =
      with_set({"mesh.box.cells=[4, 4, 4]", "time.end=0.1", "outputs.energy={every: 1}"});
  const auto arguments = [&](const std::string& out) {
    std::vector<std::string> all = cavity(directory.path(), out);
    all.insert(all.end(), few_steps.begin(), few_steps.end());
    return all;
  };
  const Outcome alone = run_program(arguments("alone"), directory.path());
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const fs::path cold = directory / "cold";
  const Outcome run = run_program(mpirun_arguments(64, arguments("ranks"), {"-x", "MAXWELL_DG_CACHE=" + cold.string()}),
                                  directory.path(), {.program = MAXWELL_DG_MPIEXEC});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto summary = nlohmann::json::parse(content_of(directory / "ranks/summary.json"));
  ASSERT_EQ(summary["ranks"].size(), 64U);
  std::size_t compiled = 0;
  for (const auto& rank : summary["ranks"]) compiled += rank["kernels_compiled"].get<std::size_t>();
  EXPECT_EQ(compiled, rtcg::KernelCache(cold / "kernels").entries().size());
  EXPECT_GT(compiled, 3U);
  expect_same_tables(directory / "ranks", directory / "alone", 1e-12);
}

TEST(OnRanks, tuning_is_done_once_on_the_elements_of_a_rank) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  std::vector<std::string> arguments = cavity(directory.path(), "out");
  for (const std::string& more : with_set({"mesh.box.cells=[8, 8, 8]", "solver.tuning_seconds=3"})) {
    arguments.push_back(more);
  }
  arguments.emplace_back("--tune");
  const std::vector<std::string> own_cache{"-x", "MAXWELL_DG_CACHE=" + (directory / "cache").string()};
  const Outcome run =
      run_program(mpirun_arguments(3, arguments, own_cache), directory.path(), {.program = MAXWELL_DG_MPIEXEC});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("maxwell, order 2, float64, 10")) << run.out;  // of 3072, by three
  EXPECT_NE(run.out.find(" elements of one of 3 ranks, on "), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("variants tried"), run.out.rfind("variants tried")) << run.out;
  arguments.pop_back();
  ASSERT_EQ(run_program(mpirun_arguments(3, arguments, own_cache), directory.path(), {.program = MAXWELL_DG_MPIEXEC})
                .exit_code,
            0);
  EXPECT_NE(content_of(directory / "out/run.log").find("(found on this device before)"), std::string::npos)
      << content_of(directory / "out/run.log");
}

TEST(OnRanks, a_wrong_option_is_said_once) {
  const TemporaryDirectory directory;
  const Outcome run = run_on_ranks(3, {"--no-such-option"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("error: "), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("error: "), run.err.rfind("error: ")) << run.err;
}

TEST(OnRanks, an_error_in_the_config_is_said_once) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  std::vector<std::string> arguments = cavity(directory.path(), "out");
  arguments.insert(arguments.end(), {"--set", "outputs.probes.0.at=[0, 0, 7]"});
  const Outcome run = run_on_ranks(3, arguments, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  const std::size_t first = run.err.find("error: ");
  ASSERT_NE(first, std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("error: ", first + 1), std::string::npos) << run.err;
}

TEST(OnRanks, an_output_that_fails_on_one_rank_ends_all_of_them) {
  const TemporaryDirectory directory;
  write_file_atomically(directory / "config.yaml", cavity_config());
  write_file_atomically(directory / "out", "no directory");
  const Outcome run = run_on_ranks(3, cavity(directory.path(), "out"), directory.path());
  EXPECT_EQ(run.exit_code, 6) << run.err;
  EXPECT_NE(run.err.find("error: "), std::string::npos) << run.err;
}

}  // namespace
}  // namespace maxwell_dg::testing
