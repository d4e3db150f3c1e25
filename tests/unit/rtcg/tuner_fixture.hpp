#pragma once

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/log.hpp"
#include "rtcg/source/template.hpp"
#include "rtcg/tune/tuner.hpp"
#include "tests/support/child_process.hpp"
#include "tests/unit/rtcg/device_fixture.hpp"

namespace maxwell_dg::rtcg {

inline constexpr const char* scale_text =
    "KERNEL void scale(GLOBAL float32* RESTRICT y, GLOBAL const float32* RESTRICT x) {\n"
    "% if defect == 'compile':\n"
    "  broken;\n"
    "% elif defect == 'slow':\n"
    "  float32 sum = 0.0f;\n"
    "  for (int32 i = 0; GLOBAL_ID(0) == 0 && i < 100000000; ++i) sum = sin(sum) + 1.0f;\n"
    "  if (sum == 42.0f) y[0] = sum;\n"
    "% elif defect == 'endless':\n"
    "  GLOBAL volatile float32* const never = (GLOBAL volatile float32*)y;\n"
    "  while (never[0] != -1.0f) never[0] = 0.0f;\n"
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

  /// What it would run, as the rehearsal of another run.
  [[nodiscard]] Candidate rehearsed(Candidate candidate) const {
    candidate.rehearsal = [this, shape = candidate.shape](const core::Module& module, const core::Stream& stream) {
      module.kernel("scale").launch(stream, shape, {y_, x_});
    };
    return candidate;
  }

  /// Enqueues the kernel once, which takes so many milliseconds by the clock of `counted`.
  void launch(const core::Module& module, const core::Stream& stream, const core::LaunchShape& shape,
              int milliseconds) {
    module.kernel("scale").launch(stream, shape, {y_, x_});
    counted_seconds_ += 1e-3 * milliseconds;
  }

  /// Without what the template does not know.
  static Configuration of_template(const Configuration& c) {
    return {{"each", c.at("each")}, {"defect", c.at("defect")}};
  }

  [[nodiscard]] Tuner tuner() const { return Tuner(compiler(), root_ / "wisdom"); }
  static TuneOptions quick() {
    return {.seconds = 3600, .measure = {.warm_up = 0, .repeats = 1, .seconds_per_repeat = 0}};
  }
  /// By a clock that `launch` alone moves on.
  [[nodiscard]] TuneOptions counted() const {
    TuneOptions options = quick();
    options.measure.clock = [this] { return counted_seconds_; };
    return options;
  }
  static const CandidateReport& report_of(const TuningResult& result, std::string_view defect) {
    for (const CandidateReport& report : result.table) {
      if (report.configuration.at("defect") == Value(defect)) return report;
    }
    throw std::out_of_range("not in the table");
  }
  static int warnings_with(const WarningCollector& warnings, std::string_view part) {
    return static_cast<int>(std::ranges::count_if(
        warnings.warnings(), [&](const std::string& warning) { return warning.find(part) != std::string::npos; }));
  }
  /// Runs this test in a process of its own: it passes, and wisdom of before is as it was.
  void expect_passes_and_leaves_wisdom_alone(const std::string& test) const {
    tuner().wisdom().store({.question = "another", .device = device_.info().name, .configuration = {{"each", 1}}});
    const std::string before = text_of(wisdom_file());
    EXPECT_NE(before, "");
    child_process::expect_passes(test, root_);
    EXPECT_EQ(text_of(wisdom_file()), before);
  }
  [[nodiscard]] std::vector<std::filesystem::path> files_like(std::string_view beginning) const {
    std::vector<std::filesystem::path> found;
    for (const auto& file : std::filesystem::directory_iterator(root_ / "wisdom")) {
      if (file.path().filename().string().starts_with(beginning)) found.push_back(file.path());
    }
    return found;
  }
  [[nodiscard]] std::filesystem::path wisdom_file() const { return tuner().wisdom().file_of(device_.info().name); }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  core::Buffer x_;
  core::Buffer y_;
  double counted_seconds_ = 0;
  std::atomic<int> generated_ = 0;
  std::atomic<int> verified_ = 0;
};

}  // namespace maxwell_dg::rtcg
