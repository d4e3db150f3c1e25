#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/atomic_file.hpp"
#include "tests/mpi/on_ranks.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

/// Fields for ParaView: each rank writes its own elements, and a file stands for all of them.
namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// The cavity with snapshots of every kind; `more`: assignments.
class FieldFilesOfRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string config = cavity_config();
    const std::string all = "region: \"*\"";
    config.replace(config.find(all), all.size(), "region: [x_min, \"*\"]");
    write_file_atomically(directory_ / "config.yaml", config);
  }

  [[nodiscard]] Outcome run(int ranks, const std::string& out, const Names& assignments = {},
                            const Names& more = {}) const {
    Names arguments{(directory_ / "config.yaml").string(), "--device", "cpu", "--output", (directory_ / out).string()};
    Names all{"mesh.box.cells=[4, 4, 2]", "outputs.fields={count: 4}",
              "outputs.surface_fields={surfaces: [x_min], count: 2}",
              "outputs.frequency_fields={frequencies: [0.3, 0.4]}"};
    all.insert(all.end(), assignments.begin(), assignments.end());
    for (const std::string& word : with_set(all)) arguments.push_back(word);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return ranks == 1 ? run_program(arguments, directory_.path()) : run_on_ranks(ranks, arguments, directory_.path());
  }

  /// The files of these names (a regular expression), sorted.
  [[nodiscard]] Names files(const std::string& out, const std::string& pattern) const {
    Names names;
    for (const auto& entry : fs::directory_iterator(directory_ / out)) {
      const std::string name = entry.path().filename().string();
      if (std::regex_match(name, std::regex(pattern))) names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }
  [[nodiscard]] Names listed(const std::string& out, const std::string& pvd) const {
    const std::string text = content_of(directory_ / out / pvd);
    const std::regex file("file=\"([^\"]*)\"");
    Names names;
    for (std::sregex_iterator at(text.begin(), text.end(), file), end; at != end; ++at) names.push_back((*at)[1]);
    return names;
  }

  /// What VTK reads of these files in `parts` is what it reads of the .vtu files of their stems in `whole`.
  void expect_same_to_vtk(const std::string& parts, const std::string& whole, const Names& names) const {
    std::string pairs;
    for (const std::string& name : names) {
      pairs += " '" + (directory_ / parts / name).string() + "' '" +
               (directory_ / whole / (fs::path(name).stem().string() + ".vtu")).string() + "'";
    }
    const fs::path script = fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/mpi/vtk_compares.py", said = directory_ / "said";
    int code = 77;
    for (const char* python : {"/usr/bin/python3", "python3"}) {  // Debian's packages belong to the first
      if (code != 77) break;
      const std::string command =
          std::string(python) + " -B '" + script.string() + "'" + pairs + " >'" + said.string() + "' 2>&1";
      code = WEXITSTATUS(std::system(command.c_str()));
    }
    if (code == 77) GTEST_SKIP() << "no Python module vtkmodules: install python3-vtk9 or python3-paraview";
    EXPECT_EQ(code, 0) << content_of(said);
  }

  const TemporaryDirectory directory_;
};

TEST_F(FieldFilesOfRanks, are_pieces_that_vtk_reads_as_the_whole) {
  ASSERT_EQ(run(1, "whole").exit_code, 0);
  const Outcome outcome = run(3, "parts");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(files("whole", ".*_r[0-9]+\\.vtu|.*\\.pvtu").empty()) << "one rank writes no pieces";
  EXPECT_EQ(files("parts", "fields_000004.*"), (Names{"fields_000004.pvtu", "fields_000004_r0000.vtu",
                                                      "fields_000004_r0001.vtu", "fields_000004_r0002.vtu"}));
  EXPECT_EQ(listed("parts", "fields.pvd"), files("parts", "fields_[0-9]+\\.pvtu"));
  EXPECT_EQ(listed("parts", "surface_fields.pvd"), files("parts", "surface_fields_[0-9]+\\.pvtu"));
  const Names wholes = files("parts", ".*\\.pvtu");
  EXPECT_EQ(wholes.size(), 5U + 3U + 2U);
  EXPECT_NE(outcome.err.find("frequency_fields_*.pvtu (2)"), std::string::npos) << outcome.err;
  expect_same_to_vtk("parts", "whole", wholes);
}

TEST_F(FieldFilesOfRanks, hold_mirror_images_where_there_are_planes_of_symmetry) {
  const Names half{"symmetry=[{plane: z, kind: electric}]"};
  const Outcome whole = run(1, "whole", half), parts = run(2, "parts", half);
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  ASSERT_EQ(parts.exit_code, 0) << parts.err;
  expect_same_to_vtk("parts", "whole", files("parts", ".*\\.pvtu"));
}

TEST_F(FieldFilesOfRanks, are_continued_by_another_number_of_ranks) {
  const Names checkpoints{"checkpoint={steps: 4}", "outputs.frequency_fields=null"};
  const Names half{"checkpoint={steps: 4}", "outputs.frequency_fields=null", "time.end=1"};
  ASSERT_EQ(run(1, "whole", checkpoints).exit_code, 0);
  for (const int ranks : {1, 2}) {
    const std::string out = "parts" + std::to_string(ranks);
    Names until_half = half;
    until_half.push_back("outputs.fields={count: 2}");
    until_half.push_back("outputs.surface_fields={surfaces: [x_min], count: 1}");
    ASSERT_EQ(run(3, out, until_half).exit_code, 0);
    // What the three ranks left of a snapshot behind the checkpoint, before they were killed.
    for (const char* name :
         {"fields_000003.pvtu", "fields_000003_r0000.vtu", "fields_000003_r0001.vtu", "fields_000003_r0002.vtu"}) {
      write_file_atomically(directory_ / out / name, std::string_view("of another number of ranks"));
    }
    const Outcome rest = run(ranks, out, checkpoints, {"--resume"});
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    const std::string last = ranks == 1 ? ".vtu" : ".pvtu";
    EXPECT_EQ(listed(out, "fields.pvd"), (Names{"fields_000000.pvtu", "fields_000001.pvtu", "fields_000002.pvtu",
                                                "fields_000003" + last, "fields_000004" + last}));
    EXPECT_EQ(listed(out, "surface_fields.pvd"),
              (Names{"surface_fields_000000.pvtu", "surface_fields_000001.pvtu", "surface_fields_000002" + last}));
    EXPECT_EQ(files(out, "fields_000003.*").size(), ranks == 1 ? 1U : 3U) << "files of three ranks are left";
    expect_same_to_vtk(out, "whole", listed(out, "fields.pvd"));
    expect_same_to_vtk(out, "whole", listed(out, "surface_fields.pvd"));
  }
}

TEST_F(FieldFilesOfRanks, are_removed_by_the_next_run) {
  ASSERT_EQ(run(3, "out").exit_code, 0);
  const Outcome outcome = run(1, "out");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(files("out", ".*_r[0-9]+\\.vtu|.*\\.pvtu").empty());
  EXPECT_NE(outcome.err.find("fields_*_r*.vtu (15)"), std::string::npos) << outcome.err;
}

TEST_F(FieldFilesOfRanks, tell_where_a_run_diverged_as_one_rank_does) {
  // Without symmetry one element has the largest field.
  const Names unstable{"solver.cfl=2", "time.end=400", "outputs.frequency_fields=null", "reference_solution=null",
                       "initial_fields.E=[\"y^2*z\", \"0\", \"exp(-9*((x-0.3)^2+(y+0.2)^2+(z+0.4)^2))\"]"};
  const Outcome whole = run(1, "whole", unstable), parts = run(3, "parts", unstable);
  EXPECT_EQ(whole.exit_code, 5) << whole.err;
  EXPECT_EQ(parts.exit_code, 5) << parts.err;
  const auto line = [](const std::string& text) {
    const std::size_t begin = text.find("error: the solution diverged");
    return begin == std::string::npos ? text : text.substr(begin, text.find("; the fields are in ", begin) - begin);
  };
  EXPECT_NE(whole.err.find("; the largest field is in element "), std::string::npos) << whole.err;
  EXPECT_EQ(line(parts.err), line(whole.err));
  EXPECT_EQ(parts.err.find("error: "), parts.err.rfind("error: ")) << "said once: " << parts.err;
  EXPECT_NE(parts.err.find("diverged.pvtu"), std::string::npos) << parts.err;
  EXPECT_EQ(files("parts", "diverged.*"),
            (Names{"diverged.pvtu", "diverged_r0000.vtu", "diverged_r0001.vtu", "diverged_r0002.vtu"}));
}

}  // namespace
}  // namespace maxwell_dg::testing
