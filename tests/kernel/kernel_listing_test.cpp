// Listings of kernels: the compiled text but for comments, which say where each part comes from.
#include "dg/variants/kernel_listing.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/device/idle_device.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/variants/variants.hpp"
#include "rtcg/source/without_blanks.hpp"
#include "tests/support/all_terms.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

using maxwell_dg::testing::test_compiler;

struct Case {
  std::string schedule;
  std::string template_of_stage;  ///< with the algorithm
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.schedule;
}

class KernelListing : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const core::DeviceInfo& device = test_compiler().device().info();
    const bool needs_cuda = GetParam().schedule.starts_with("tensor"),
               needs_cpu = GetParam().schedule.starts_with("lanes");
    if ((needs_cuda && device.backend != core::Backend::cuda) || (needs_cpu && !device.is_cpu)) {
      GTEST_SKIP() << "no schedule for this device";
    }
  }
  /// Asks a device that does nothing for all that an operator is asked for.
  [[nodiscard]] std::vector<rtcg::KernelSource> sources() const {
    const auto discretization = std::make_shared<Discretization>(testing::random_mesh(29), 2);
    return sources(discretization, testing::random_problem(maxwell::system(), *discretization), false);
  }
  [[nodiscard]] std::vector<rtcg::KernelSource> sources(const std::shared_ptr<const Discretization>& discretization,
                                                        Problem problem, bool powers) const {
    std::vector<rtcg::KernelSource> all;
    const rtcg::Compiler compiler(
        core::idle_device(test_compiler().device()),
        {.instead_of_compiling = [&](const rtcg::KernelSource& source) { all.push_back(source); }});
    Operator op(compiler, discretization, std::move(problem),
                {.precision = Dtype::float32, .schedule = schedule_, .powers = powers});
    (void)op.record_points({{.cell = 3, .rst = {0, 0, 0}}});
    (void)op.sum_fourier({.frequencies = {1.0}, .fields = {0}});
    (void)op.energies();
    return all;
  }
  [[nodiscard]] std::string listing(const rtcg::KernelSource& source) const {
    return kernel_listing(source, {.system = "maxwell",
                                   .N = 2,
                                   .precision = Dtype::float32,
                                   .schedule = schedule_,
                                   .device = test_compiler().device().info()});
  }
  const Schedule schedule_ = Schedule::named(GetParam().schedule);
};

TEST_P(KernelListing, without_its_comments_is_the_text_that_is_compiled) {
  const std::vector<rtcg::KernelSource> all = sources();
  ASSERT_EQ(all.size(), 4U) << "stage, energies, samples, Fourier sums";
  for (const rtcg::KernelSource& source : all) {
    const std::string text = listing(source);
    EXPECT_EQ(text_in_listing(text), source.text);
    EXPECT_NE(text.find("//@ system: maxwell, order 2, single precision\n"), std::string::npos) << text.substr(0, 400);
    EXPECT_NE(text.find("//@ schedule: " + GetParam().schedule + "\n"), std::string::npos);
    EXPECT_NE(text.find("//@ device: " + test_compiler().device().info().name + " ("), std::string::npos);
    EXPECT_FALSE(kernels_in(source).empty()) << source.text;
  }
}

TEST_P(KernelListing, names_the_template_of_every_part) {
  const rtcg::KernelSource source = sources().front();
  const std::string text = listing(source);
  EXPECT_NE(text.find("//@   " + GetParam().template_of_stage + "\n"), std::string::npos) << text.substr(0, 2000);
}

/// The macros that a text defines while they are defined, those that depend on a condition left out.
std::vector<std::string> macros_defined_twice(const std::string& text) {
  std::istringstream lines(text);
  std::set<std::string> defined;
  std::vector<std::string> twice;
  int conditions = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string directive, name;
    words >> directive >> name;
    name = name.substr(0, name.find('('));
    if (directive.starts_with("#if")) ++conditions;
    if (directive == "#endif") --conditions;
    if (directive == "#undef") defined.erase(name);
    if (directive == "#define" && conditions == 0 && !defined.insert(name).second) twice.push_back(name);
  }
  return twice;
}

// A compiler warns of that, and PoCL tells the user.
TEST_P(KernelListing, defines_no_macro_twice) {
  const std::string& schedule = GetParam().schedule;
  if (schedule.starts_with("nodes") || schedule.ends_with("basis")) GTEST_SKIP() << "no terms in curved elements";
  const auto straight = std::make_shared<Discretization>(testing::random_mesh(29), 2);
  const auto curved = std::make_shared<Discretization>(testing::half_curved_random_mesh(40, 2), 2);
  for (const auto& discretization : {straight, curved}) {
    Problem problem = testing::random_problem(maxwell::system(), *discretization);
    testing::add_all_terms(problem, *discretization);
    const std::vector<rtcg::KernelSource> all = sources(discretization, std::move(problem), true);
    EXPECT_GT(all.size(), 8U);
    for (const rtcg::KernelSource& source : all) {
      for (const std::string& name : macros_defined_twice(source.text)) ADD_FAILURE() << source.name << ": " << name;
    }
  }
}

TEST_P(KernelListing, maps_every_rendered_line_to_the_one_of_its_template) {
  for (const rtcg::KernelSource& source : sources()) {
    std::istringstream text(source.text);
    std::string line;
    for (const auto& [file, number] : source.lines.lines) {
      ASSERT_TRUE(std::getline(text, line)) << source.name;
      const std::string& name = source.lines.files.at(static_cast<std::size_t>(file));
      const auto from = std::ranges::find(kernel_texts(), name, &KernelText::path);
      ASSERT_NE(from, kernel_texts().end()) << name;
      std::istringstream lines{std::string(from->text)};
      std::string expected;
      for (int i = 0; i < number; ++i) std::getline(lines, expected);
      if (expected.find('$') != std::string::npos) continue;  // with a value
      EXPECT_EQ(rtcg::without_blanks(line), rtcg::without_blanks(expected)) << name << ":" << number;
    }
    EXPECT_FALSE(source.lines.lines.empty()) << source.name;
    EXPECT_FALSE(std::getline(text, line)) << source.name;
  }
}

TEST_P(KernelListing, is_of_the_texts_that_a_real_device_gets) {
  const Schedule usual =
      default_schedule(test_compiler().device().info(), {lower(maxwell::system()), "maxwell", 2, Dtype::float32});
  if (schedule_.slicing.index() != usual.slicing.index()) GTEST_SKIP() << "a schedule for other devices";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("maxwell_dg_listing_" + std::to_string(::getpid()));
  rtcg::Compiler compiler(test_compiler().device(), {.keep_sources = folder});
  const auto discretization = std::make_shared<Discretization>(testing::random_mesh(29), 2);
  const Operator op(compiler, discretization, testing::random_problem(maxwell::system(), *discretization),
                    {.precision = Dtype::float32, .schedule = schedule_});
  (void)op.record_points({{.cell = 3, .rst = {0, 0, 0}}});
  (void)op.sum_fourier({.frequencies = {1.0}, .fields = {0}});
  std::multiset<std::string> compiled, listed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t begin = text.rfind("#line 1 \"");
    ASSERT_NE(begin, std::string::npos);
    compiled.insert(text.substr(text.find('\n', begin) + 1));
  }
  std::filesystem::remove_all(folder);
  for (const rtcg::KernelSource& source : sources()) listed.insert(text_in_listing(listing(source)));
  EXPECT_EQ(listed, compiled);
}

INSTANTIATE_TEST_SUITE_P(All, KernelListing,
                         ::testing::Values(Case{"nodes_pad1_v4_s4", "dg/codegen/nodes/stage_nodes.kernel"},
                                           Case{"elements_e64_r4_basis", "dg/codegen/elements/stage_elements.kernel"},
                                           Case{"tiles_e32_w4_r1_apart_group", "dg/codegen/tiles/stage_tiles.kernel"},
                                           Case{"tensor_e8_w6_r4_mirrorfirst", "dg/codegen/tiles/stage_tiles.kernel"},
                                           Case{"lanes8_n2", "dg/codegen/lanes/stage_lanes.kernel"}));

}  // namespace
}  // namespace maxwell_dg::dg
