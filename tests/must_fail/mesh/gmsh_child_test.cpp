// Whatever Gmsh does to the process that it runs in is an error of the mesh here.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/gmsh/child.hpp"
#include "dg/mesh/mesh.hpp"
#include "tests/must_fail/mesh/msh_text.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

const fs::path damaged = fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/must_fail/mesh/data";

class GmshChild : public testing::Test {
 protected:
  void SetUp() override {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
    fs::create_directories(directory);
  }
  ~GmshChild() override {
    ::unsetenv("MAXWELL_DG_GMSH_PROGRAM");
    fs::remove_all(directory);
  }
  fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(directory / name, std::ios::binary) << content;
    return directory / name;
  }
  /// From here on, this script stands for the program that uses Gmsh.
  void replace_gmsh(const std::string& script) const {
    const fs::path program = write("gmsh", "#!/bin/sh\n" + script + "\n");
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("MAXWELL_DG_GMSH_PROGRAM", program.c_str(), 1);
  }
  static std::string refusal(const fs::path& file, const MeshReading& how = {}) {
    try {
      (void)read_mesh(file, how);
    } catch (const MeshError& error) {
      std::string message = error.what();
      EXPECT_TRUE(message.starts_with(file.string() + ": ")) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      return message;
    }
    ADD_FAILURE() << "no MeshError for " << file;
    return {};
  }
  void expect_refused(const fs::path& file, const std::vector<std::string>& words) const {
    const std::string message = refusal(file);
    for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  }
  [[nodiscard]] fs::path good_mesh() const {
    return write("good.msh", msh_text({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}));
  }

  const fs::path directory = fs::temp_directory_path() / ("maxwell_dg_child_" + std::to_string(::getpid()));
};

constexpr const char* box = "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nMesh.MeshSizeMin = 1;\n";

TEST_F(GmshChild, one_changed_bit_is_an_error_and_nothing_worse) {
  for (const char* name : {"bit_crashes.msh", "bit_aborts.msh", "bit_takes_memory.msh"}) (void)refusal(damaged / name);
}

TEST_F(GmshChild, every_end_without_a_mesh_has_its_cause_and_remedy) {
  const fs::path file = good_mesh();
  replace_gmsh("echo reading nodes; kill -SEGV $$");
  expect_refused(file, {"Gmsh crashed while reading it (Segmentation fault; its last words were: reading nodes)",
                        "the file is damaged, or Gmsh has a fault: write it anew"});
  replace_gmsh("kill -KILL $$");
  expect_refused(file, {"was killed (SIGKILL)", "memory"});
  replace_gmsh("kill -XCPU $$");
  expect_refused(file, {"not done after 10 s of computing"});
  replace_gmsh("kill -SYS $$");
  expect_refused(file, {"it starts another program", "--trust-geometry"});
  replace_gmsh("exit 91");
  expect_refused(file, {"more than 1024 MiB of memory, far more than a file of this size needs"});
  const std::string loader = "echo 'gmsh: error while loading shared libraries: ";
  const std::string not_there = ": cannot open shared object file: No such file or directory' >&2; exit 127";
  replace_gmsh(loader + "libgmsh.so.4.15" + not_there);
  expect_refused(file, {"Gmsh does not start, for lack of libgmsh.so.4.15: ", "pip install 'maxwell_dg[gmsh]'"});
  replace_gmsh(loader + "libGLU.so.1" + not_there);
  expect_refused(file, {"Gmsh does not start, for lack of libGLU.so.1: ", "libglu1-mesa", "maxwell_dg --convert"});
  replace_gmsh("exit 0");
  expect_refused(file, {"ended before there was a mesh", "the file is damaged, or Gmsh has a fault"});
}

#if MAXWELL_DG_HAVE_GMSH
TEST_F(GmshChild, silence_without_end_is_ended) {
  const fs::path file = good_mesh();
  replace_gmsh("echo reading nodes; exec sleep 600");
  try {
    (void)read_by_gmsh({.file = file}, std::chrono::seconds{1});
    ADD_FAILURE() << "no MeshError";
  } catch (const MeshError& error) {
    EXPECT_EQ(error.what(), file.string() +
                                ": Gmsh has been silent for 1 s, so it was ended; its last words were: reading nodes: "
                                "the file is damaged, or Gmsh has a fault: write it anew, as another version of MSH "
                                "where that does not help");
  }
}

TEST_F(GmshChild, what_it_notes_is_told_while_it_works_on) {
  const fs::path file = good_mesh(), mark = directory / "told";
  replace_gmsh("printf '\\015\\0\\0\\0\\0\\0\\0\\0\\005\\0\\0\\0\\0\\0\\0\\0hello' >&3\nwhile [ ! -e " + mark.string() +
               " ]; do sleep 0.05; done");
  const LogScope scope([&](LogLevel, std::string_view message) {
    if (message == file.string() + ": hello") std::ofstream(mark) << "yes";
  });
  try {
    (void)read_by_gmsh({.file = file}, std::chrono::seconds{5});
    ADD_FAILURE() << "no MeshError";
  } catch (const MeshError& error) {
    EXPECT_NE(std::string(error.what()).find("ended before there was a mesh"), std::string::npos) << error.what();
  }
}
#endif

TEST_F(GmshChild, answers_that_are_none_are_refused) {
  const fs::path file = good_mesh();
  replace_gmsh("printf '\\007\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\0\\0\\0\\0x' >&3");  // a byte is no named face
  expect_refused(file, {"half a row"});
  replace_gmsh("printf '\\077\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0' >&3");
  expect_refused(file, {"an unknown record"});
  replace_gmsh(
      "printf '\\005\\0\\0\\0\\0\\0\\0\\0\\004\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0"
      "\\011\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0' >&3");  // a region, of no cell
  expect_refused(file, {"regions or surfaces that do not fit"});
  replace_gmsh("printf '\\003\\0\\0\\0\\0\\0\\0\\0\\377\\377\\377\\377\\377\\377\\0\\0x' >&3");  // more than follows
  expect_refused(file, {"ended before there was a mesh"});
}

TEST_F(GmshChild, missing_program_is_said_to_be) {
  ::setenv("MAXWELL_DG_GMSH_PROGRAM", "/nowhere/maxwell_dg_gmsh", 1);
  expect_refused(good_mesh(), {"cannot be started", "/nowhere/maxwell_dg_gmsh", "No such file"});
}

TEST_F(GmshChild, geometry_that_says_exit_is_an_error) {
  expect_refused(write("exit.geo", std::string(box) + "Exit;\n"), {"ended before there was a mesh", "`Exit;`"});
}

TEST_F(GmshChild, geometry_starts_no_program) {
  const std::string mark = (directory / "mark").string();
  expect_refused(write("call.geo", std::string(box) + "SystemCall \"touch " + mark + "\";\n"),
                 {"it starts another program", "--trust-geometry"});
  EXPECT_FALSE(fs::exists(mark));
}

TEST_F(GmshChild, geometry_writes_and_empties_no_file) {
  const std::string mark = (directory / "mark.msh").string();
  for (const std::string& line :
       std::vector<std::string>{"Printf(\"x\") > \"" + mark + "\";", "Printf(\"x\") >> \"" + mark + "\";",
                                "Mesh 3; Save \"" + mark + "\";", "Print \"" + mark + "\";"}) {
    for (const bool exists : {false, true}) {
      SCOPED_TRACE(line);
      if (exists) write("mark.msh", "mine");
      const std::string message = refusal(write("write.geo", std::string(box) + line + "\n"));
      EXPECT_NE(message.find("it writes the file '" + mark + "'"), std::string::npos) << message;
      EXPECT_NE(message.find("--trust-geometry"), std::string::npos) << message;
      EXPECT_EQ(fs::exists(mark), exists);
      EXPECT_EQ(exists ? fs::file_size(mark) : 4U, 4U);
      fs::remove(mark);
    }
  }
}

TEST_F(GmshChild, trusted_geometry_does_both) {
  const std::string called = (directory / "called").string(), printed = (directory / "printed").string();
  const fs::path file = write(
      "trusted.geo", std::string(box) + "SystemCall \"touch " + called + "\";\nPrintf(\"x\") > \"" + printed + "\";\n");
  EXPECT_GT(read_mesh(file, {.trust_geometry = true}).cells.size(), 1U);
  EXPECT_TRUE(fs::exists(called));
  EXPECT_TRUE(fs::exists(printed));
}

TEST_F(GmshChild, geometry_reads_other_files) {
  write("part.geo", "Box(1) = {0, 0, 0, 1, 1, 1};\n");
  const fs::path file =
      write("whole.geo", "SetFactory(\"OpenCASCADE\");\nInclude \"part.geo\";\nMesh.MeshSizeMin = 1;\n");
  EXPECT_GT(read_mesh(file).cells.size(), 1U);
}

TEST_F(GmshChild, after_a_crash_the_next_file_is_read) {
  (void)refusal(damaged / "bit_crashes.msh");
  EXPECT_EQ(read_mesh(good_mesh()).cells.size(), 1U);
}

}  // namespace
}  // namespace maxwell_dg::dg
