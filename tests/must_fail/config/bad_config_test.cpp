#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "core/error.hpp"
#include "tests/must_fail/config/bad.hpp"
#include "tests/unit/config/config_files.hpp"

namespace maxwell_dg::config {
namespace {

TEST_P(BadConfig, is_refused_with_place_finding_and_remedy) {
  const ConfigFile file(GetParam().text);
  try {
    static_cast<void>(file.load(GetParam().overrides));
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.code(), ExitCode::config);
    std::string message = error.what();
    const std::string name = file.path().string();
    for (std::size_t at = 0; (at = message.find(name)) != std::string::npos;) message.replace(at, name.size(), "FILE");
    std::size_t from = 0;
    for (const std::string& line : GetParam().lines) {
      const std::size_t at = message.find(line, from);
      EXPECT_NE(at, std::string::npos) << "wanted: " << line << "\nfound: " << message;
      if (at != std::string::npos) from = at + line.size();
    }
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n') + 1, static_cast<long>(GetParam().lines.size()))
        << message;
  }
}

TEST(BadConfigFile, aliases_that_multiply_are_refused) {
  std::string text = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string before = std::string("*") + static_cast<char>(c - 1);
    text += std::string(1, c) + ": &" + c + " [" + before;
    for (int i = 0; i < 9; ++i) text += ", " + before;
    text += "]\n";
  }
  try {
    static_cast<void>(ConfigFile(text).load());
    FAIL() << "no ConfigError";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("values after aliases are expanded"), std::string::npos) << error.what();
  }
}

/// What is said of a text that is no config.
std::string refusal_of(const std::string& text) {
  try {
    static_cast<void>(ConfigFile(text).load());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no ConfigError";
}

std::string repeated(const std::string& piece, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(BadConfigFile, a_long_text_is_not_copied_for_each_alias) {
  const std::string text = "a: &a \"" + std::string(1'000'000, 'x') + "\"\nb: [" + repeated("*a, ", 3000) + "*a]\n";
  EXPECT_NE(refusal_of(text).find("2:61: more than 16 MB of text after aliases are expanded"), std::string::npos)
      << refusal_of(text);
}

TEST(BadConfigFile, lists_without_items_count_towards_the_bound) {
  EXPECT_NE(refusal_of("a: [" + repeated("[], ", 300'000) + "[]]\n")
                .find("more than 200000 values after aliases are expanded"),
            std::string::npos);
}

TEST(BadConfigFile, only_so_many_errors_are_told) {
  std::string text = minimal;
  for (int i = 0; i < 20'000; ++i) text += "k" + std::to_string(i) + ": 1\n";
  const std::string refusal = refusal_of(text);
  EXPECT_EQ(std::count(refusal.begin(), refusal.end(), '\n'), 100);
  EXPECT_TRUE(refusal.ends_with("there may be more; only the first 100 errors are shown")) << refusal;
}

// Nothing is measured: where one of these took quadratic time or memory, the test ran into its time limit.
TEST(BadConfigFile, anchors_within_anchors_and_many_constants_take_no_more_than_their_text) {
  std::string nested = "a: ";
  for (int i = 0; i < 400; ++i) nested += "&n" + std::to_string(i) + " [";
  nested += repeated("1, ", 90'000) + "1" + std::string(400, ']') + "\n";
  EXPECT_NE(refusal_of(nested).find("a: unknown key"), std::string::npos);
  std::string constants = minimal + "constants:\n";
  for (int i = 0; i < 49'000; ++i) constants += "  k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(ConfigFile(constants).load().constants.size(), 49'000u);
  EXPECT_NE(refusal_of(constants + "  l: q\n").find("unknown name 'q'; known: k0, k1, k10, "), std::string::npos);
}

TEST(BadConfigFile, deep_nesting_and_bytes_are_refused) {
  for (const std::string& text : {std::string(5000, '['), std::string(5000, '{'), std::string("\0\x01\xff\xfe", 4)}) {
    EXPECT_THROW(static_cast<void>(ConfigFile(text).load()), ConfigError);
  }
}

TEST(BadConfigFile, what_is_no_config_is_said_to_be) {
  const ConfigFile file(minimal), of_run(minimal, "config.resolved.yaml"),
      mesh("SetFactory(\"OpenCASCADE\");\n", "a.geo");
  for (const auto& [path, message] :
       {std::pair{file.folder() / "none.yaml", std::string("none.yaml: no such file; give the path of a YAML config")},
        std::pair{file.folder(), std::string(": is a folder; give the path of a YAML config")},
        std::pair{of_run.folder(), "give the path of a YAML config, such as " + of_run.path().string()},
        std::pair{mesh.path(), std::string("a.geo: is a mesh; give the path of a YAML config, which names its mesh by "
                                           "mesh.file")}}) {
    try {
      static_cast<void>(load_config(path));
      FAIL() << "no ConfigError";
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

TEST(BadConfigFile, the_program_exits_with_2_and_a_line_for_each_finding) {
  const ConfigFile file(minimal + "solver: {ordr: 1, cfl: -1}\n");
  const std::string command = std::string(MAXWELL_DG_PROGRAM) + " --check " + file.path().string() + " 2>&1 >/dev/null";
  FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  const std::string name = "error: " + file.path().string();
  EXPECT_EQ(output, name + ":5:10: solver.ordr: unknown key; did you mean 'order'?\n" + name +
                        ":5:24: solver.cfl: found '-1'; allowed: a number above 0\n");
}

}  // namespace
}  // namespace maxwell_dg::config
