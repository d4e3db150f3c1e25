#include "rtcg/compile/compiler.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/error.hpp"
#include "core/log.hpp"
#include "rtcg/compile/diagnosis.hpp"
#include "rtcg/source/template.hpp"
#include "tests/unit/rtcg/device_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

namespace fs = std::filesystem;

class CompilerTest : public DeviceTest {
 protected:
  static KernelSource setter(const std::string& name, int value) {
    return {.name = name,
            .text = "KERNEL void set(GLOBAL int32* a) {\n  a[GLOBAL_ID(0)] = " + std::to_string(value) + ";\n}\n"};
  }
  [[nodiscard]] int result_of(const core::Module& module) const {
    const core::Buffer buffer = upload(std::vector<int>(4, 0));
    module.kernel("set").launch(stream_, {.groups = {4, 1, 1}}, {buffer});
    return download<int>(buffer).back();
  }
  std::string error_of(const KernelSource& source) {
    try {
      (void)compiler().compile(source);
    } catch (const CompileError& error) {
      EXPECT_EQ(error.code(), ExitCode::device);
      return error.what();
    }
    return "no error";
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(CompilerTest, compiled_once_then_found) {
  Compiler first = compiler();
  EXPECT_EQ(result_of(first.compile(setter("a.kernel", 7))), 7);
  EXPECT_EQ(first.statistics().kernels, 1u);
  EXPECT_EQ(first.statistics().cache_misses, 1u);
  EXPECT_GT(first.statistics().seconds, 0);

  Compiler second = compiler();
  EXPECT_EQ(result_of(second.compile(setter("a.kernel", 7))), 7);
  EXPECT_EQ(second.statistics().cache_hits, 1u);
  EXPECT_EQ(second.statistics().cache_misses, 0u);
}

TEST_F(CompilerTest, whatever_changes_the_result_changes_the_key) {
  Compiler c = compiler();
  const auto misses_with = [&](const KernelSource& source) {
    const std::size_t before = c.statistics().cache_misses;
    (void)c.compile(source);
    return c.statistics().cache_misses - before;
  };
  KernelSource source = setter("a.kernel", 1);
  EXPECT_EQ(misses_with(source), 1u);
  EXPECT_EQ(misses_with(source), 0u);
  source.name = "b.kernel";
  EXPECT_EQ(misses_with(source), 1u);
  source.headers = {{"one.h", "#define ONE 1\n"}};
  EXPECT_EQ(misses_with(source), 1u);
  source.headers[0].second = "#define ONE 2\n";
  EXPECT_EQ(misses_with(source), 1u);
  source.options = {"-DONE=1"};
  EXPECT_EQ(misses_with(source), 1u);
  source.options = {"-DONE=1", "-DTWO=2"};
  EXPECT_EQ(misses_with(source), 1u);
  source.options = {"-DTWO=2", "-DONE=1"};
  EXPECT_EQ(misses_with(source), 1u);
  EXPECT_EQ(misses_with(source), 0u);
}

TEST_F(CompilerTest, headers_are_found_in_memory) {
  KernelSource source;
  source.name = "with_header.kernel";
  source.headers = {{"value.h", "#define VALUE 42\n"}};
  source.text = "#include \"value.h\"\nKERNEL void set(GLOBAL int32* a) { a[GLOBAL_ID(0)] = VALUE; }\n";
  EXPECT_EQ(result_of(compiler().compile(source)), 42);
}

TEST_F(CompilerTest, options_of_a_compiler_go_with_every_source_and_belong_to_the_key) {
  KernelSource source;
  source.name = "with_option.kernel";
  source.text = "KERNEL void set(GLOBAL int32* a) { a[GLOBAL_ID(0)] = VALUE; }\n";
  for (const int value : {3, 4}) {
    Compiler c(device_, CompilerOptions{.cache_directory = root_, .options = {"-DVALUE=" + std::to_string(value)}});
    EXPECT_EQ(result_of(c.compile(source)), value);
  }
}

TEST_F(CompilerTest, many_at_once_come_in_order) {
  std::vector<KernelSource> sources;
  for (int i = 0; i < 6; ++i) sources.push_back(setter("kernel_" + std::to_string(i % 5), i % 5));
  Compiler c = compiler();
  const auto modules = c.compile(sources);
  ASSERT_EQ(modules.size(), 6u);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(result_of(modules[static_cast<std::size_t>(i)]), i % 5);
  EXPECT_EQ(c.statistics().kernels, 6u);
  EXPECT_EQ(c.statistics().cache_misses, 5u);  // the same text twice is compiled once
}

TEST_F(CompilerTest, a_kept_binary_that_the_driver_refuses_is_compiled_anew) {
  Compiler c = compiler();
  (void)c.compile(setter("a.kernel", 7));
  fs::path entry;
  for (const auto& file : fs::directory_iterator(root_ / "kernels")) {
    if (file.path().extension() == ".kernel") entry = file.path();
  }
  KernelCache(root_ / "kernels").store(entry.stem().string(), "test", std::as_bytes(std::span("no binary", 9)));
  EXPECT_EQ(result_of(c.compile(setter("a.kernel", 7))), 7);
  EXPECT_EQ(c.statistics().cache_misses, 2u);
  (void)c.compile(setter("a.kernel", 7));
  EXPECT_EQ(c.statistics().cache_hits, 1u);
}

TEST_F(CompilerTest, without_a_usable_cache_it_compiles_all_the_same) {
  std::ofstream(root_ / "kernels") << "a file in the way";
  const WarningCollector warnings;
  EXPECT_EQ(result_of(compiler().compile(setter("a.kernel", 7))), 7);
  EXPECT_EQ(warnings.warnings().size(), 1u);
}

TEST_F(CompilerTest, an_error_names_the_kernels_own_line_the_saved_source_and_the_log) {
  KernelSource source;
  source.name = "surface_maxwell_N4.kernel";
  source.text = "KERNEL void f(GLOBAL int32* a) {\n  a[0] = 1;\n  a[1] = unknown_name;\n}\n";
  const std::string what = error_of(source);
  const std::string first_line = what.substr(0, what.find('\n'));
  EXPECT_TRUE(first_line.starts_with("surface_maxwell_N4.kernel:3: kernel does not compile: ")) << what;
  EXPECT_NE(first_line.find("unknown_name"), std::string::npos) << what;
  EXPECT_NE(what.find("\n      a[1] = unknown_name;\n"), std::string::npos) << what;
  EXPECT_NE(what.find("\ncompiler's log:\n"), std::string::npos) << what;
  const std::string mark = "(source saved in ";
  const std::size_t begin = first_line.find(mark) + mark.size();
  const fs::path saved = first_line.substr(begin, first_line.size() - begin - 1);
  EXPECT_EQ(saved.filename(), "surface_maxwell_N4.kernel");
  EXPECT_TRUE(text_of(saved).ends_with(source.text)) << saved;
  EXPECT_EQ(KernelCache(root_ / "kernels").size().entries, 0u);  // failures are not kept
}

TEST_F(CompilerTest, an_error_in_a_header_is_placed_there) {
  KernelSource source;
  source.name = "user.kernel";
  source.headers = {{"flux.h", "\n\nint32 broken = ;\n"}};
  source.text = "#include \"flux.h\"\nKERNEL void f(GLOBAL int32* a) { a[0] = 1; }\n";
  const std::string what = error_of(source);
  EXPECT_TRUE(what.starts_with("flux.h:3: kernel does not compile: ")) << what;
  EXPECT_NE(what.find("\n    int32 broken = ;\nwhile compiling user.kernel\n"), std::string::npos) << what;
}

TEST_F(CompilerTest, of_many_the_first_failure_in_order_is_reported) {
  std::vector<KernelSource> sources{setter("good.kernel", 1), setter("bad_1.kernel", 2), setter("bad_2.kernel", 3)};
  sources[1].text += "broken;";
  sources[2].text += "broken;";
  try {
    (void)compiler().compile(sources);
    FAIL() << "compiled";
  } catch (const CompileError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("bad_1.kernel:4: ")) << error.what();
  }
}

TEST_F(CompilerTest, an_error_in_rendered_code_names_the_templates_line) {
  const Template text("axpy.kernel",
                      "KERNEL void axpy(GLOBAL float32* y) {\n"
                      "% for i in range(3):\n"
                      "  y[${i}] = unknown_${i};\n"
                      "% endfor\n"
                      "}\n");
  const std::string what = error_of({.name = text.name(), .text = text.render({})});
  EXPECT_TRUE(what.starts_with("axpy.kernel:3: kernel does not compile: ")) << what;
  EXPECT_NE(what.find("\n      y[0] = unknown_0;\n"), std::string::npos) << what;
}

TEST_F(CompilerTest, text_of_the_devices_own_language_compiles_without_the_preamble) {
  KernelSource source{.name = "plain.cl", .preamble = KernelSource::Preamble::none};
  source.text = device_.info().backend == core::Backend::cuda
                    ? "extern \"C\" __global__ void set(int* a) { a[blockIdx.x] = 5; }\n"
                    : "__kernel void set(__global int* a) { a[get_group_id(0)] = 5; }\n";
  EXPECT_EQ(result_of(compiler().compile(source)), 5);
  source.text = "KERNEL void set(GLOBAL int32* a) {}\n";
  EXPECT_NE(error_of(source), "no error");
}

TEST_F(CompilerTest, files_are_included_from_directories_and_belong_to_the_key) {
  fs::create_directories(root_ / "include" / "inner");
  std::ofstream(root_ / "include" / "outer.h") << "#include \"inner/value.h\"\n";
  std::ofstream(root_ / "include" / "inner" / "value.h") << "#define VALUE 42\n";
  KernelSource source{.name = "user.kernel", .include_directories = {root_ / "include"}};
  source.text = "#include \"outer.h\"\nKERNEL void set(GLOBAL int32* a) { a[GLOBAL_ID(0)] = VALUE; }\n";
  Compiler c = compiler();
  EXPECT_EQ(result_of(c.compile(source)), 42);
  (void)c.compile(source);
  EXPECT_EQ(c.statistics().cache_hits, 1u);
  std::ofstream(root_ / "include" / "inner" / "value.h") << "#define VALUE 43\n";
  EXPECT_EQ(result_of(c.compile(source)), 43);
}

TEST_F(CompilerTest, where_compiling_is_forbidden_a_miss_is_an_error_and_a_hit_is_not) {
  Compiler forbidden(device_, CompilerOptions{.cache_directory = root_, .on_miss = OnMiss::fail});
  try {
    (void)forbidden.compile(setter("a.kernel", 7));
    FAIL() << "compiled";
  } catch (const CompileError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("a.kernel: not in the kernel cache ")) << error.what();
  }
  (void)compiler().compile(setter("a.kernel", 7));
  EXPECT_EQ(result_of(forbidden.compile(setter("a.kernel", 7))), 7);
}

TEST_F(CompilerTest, the_environment_can_forbid_compiling) {
  ::setenv("MAXWELL_DG_ON_MISS", "fail", 1);
  EXPECT_EQ(CompilerOptions{}.on_miss, OnMiss::fail);
  ::setenv("MAXWELL_DG_ON_MISS", "never", 1);
  EXPECT_THROW((void)CompilerOptions{}, ConfigError);
  ::unsetenv("MAXWELL_DG_ON_MISS");
  EXPECT_EQ(CompilerOptions{}.on_miss, OnMiss::compile);
}

TEST_F(CompilerTest, sources_are_kept_where_that_is_asked_for) {
  Compiler c(device_, CompilerOptions{.cache_directory = root_, .keep_sources = root_ / "kept"});
  (void)c.compile(setter("a.kernel", 7));
  std::vector<fs::path> kept;
  for (const auto& file : fs::recursive_directory_iterator(root_ / "kept")) {
    if (file.is_regular_file()) kept.push_back(file.path());
  }
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].filename(), "a.kernel");
  EXPECT_TRUE(text_of(kept[0]).ends_with(setter("a.kernel", 7).text));
}

TEST_F(CompilerTest, code_built_in_one_place_is_loaded_in_another_from_its_bytes) {
  const std::vector<std::byte> sent = compiler().build(setter("a.kernel", 7)).to_bytes();
  const auto received = CodeImage::from_bytes(sent);
  ASSERT_TRUE(received);
  Compiler other(device_, root_ / "other");
  EXPECT_EQ(result_of(other.load(*received, "a.kernel")), 7);
  EXPECT_EQ(other.statistics().cache_misses, 0u);
  EXPECT_FALSE(CodeImage::from_bytes(std::span(sent).subspan(1)));
}

TEST_F(CompilerTest, one_failure_leaves_the_others_usable) {
  std::vector<KernelSource> sources{setter("good.kernel", 1), setter("bad.kernel", 2), setter("fine.kernel", 3)};
  sources[1].text += "broken;";
  const auto outcomes = compiler().compile_each(sources);
  EXPECT_EQ(result_of(outcomes[0].module), 1);
  EXPECT_THROW(std::rethrow_exception(outcomes[1].failure), CompileError);
  EXPECT_EQ(result_of(outcomes[2].module), 3);
}

TEST_F(CompilerTest, instances_of_templates_are_found_by_their_expression) {
  KernelSource source{.name = "scale.cu", .preamble = KernelSource::Preamble::none, .name_expressions = {"set<7>"}};
  source.text = "template <int n> __global__ void set(int* a) { a[blockIdx.x] = n; }\n";
  Compiler c = compiler();
  if (device_.info().backend != core::Backend::cuda) {
    EXPECT_NE(error_of(source).find("name expressions are instances of C++ templates"), std::string::npos);
    GTEST_SKIP() << "C++ templates need a CUDA device";
  }
  const CodeImage image = c.build(source);
  const core::Buffer buffer = upload(std::vector<int>(4, 0));
  c.load(image, source.name)
      .kernel(image.lowered_name("set<7>"))
      .launch(stream_, core::LaunchShape{.groups = {4, 1, 1}}, {buffer});
  EXPECT_EQ(download<int>(buffer).back(), 7);
  EXPECT_THROW((void)image.lowered_name("set<8>"), DeviceError);
}

TEST_F(CompilerTest, ptx_comes_out_and_goes_in) {
  Compiler c = compiler();
  if (device_.info().backend != core::Backend::cuda) {
    EXPECT_THROW((void)c.ptx(setter("a.kernel", 7)), DeviceError);
    GTEST_SKIP() << "PTX needs a CUDA device";
  }
  const std::string text = c.ptx(setter("a.kernel", 7));
  EXPECT_NE(text.find(".visible .entry set("), std::string::npos);
  EXPECT_EQ(result_of(device_.load(std::as_bytes(std::span(text)), "a.ptx")), 7);
}

TEST(CodeImage, names_and_binary_survive_as_bytes) {
  const CodeImage image{.binary = {std::byte{0}, std::byte{10}, std::byte{255}}, .lowered_names = {{"f<int>", "_Z1f"}}};
  const auto again = CodeImage::from_bytes(image.to_bytes());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->binary, image.binary);
  EXPECT_EQ(again->lowered_name("f<int>"), "_Z1f");
  EXPECT_FALSE(CodeImage::from_bytes({}));
  EXPECT_FALSE(CodeImage::from_bytes(std::as_bytes(std::span("maxwell_dg code 1 2\nf\n"))));
}

TEST(Diagnosis, the_first_error_of_each_compilers_log_is_found) {
  const auto nvrtc =
      first_error("a.kernel(2): warning #177-D: unused\na (1).kernel(12): error: expected a \";\"\n1 error");
  ASSERT_TRUE(nvrtc);
  EXPECT_EQ(nvrtc->file, "a (1).kernel");
  EXPECT_EQ(nvrtc->line, 12);
  EXPECT_EQ(nvrtc->message, "expected a \";\"");
  const auto clang = first_error("a.kernel:2:3: warning: w\na.kernel:12:5: error: bad\nx = y;\n    ^\n");
  ASSERT_TRUE(clang);
  EXPECT_EQ(clang->file, "a.kernel");
  EXPECT_EQ(clang->line, 12);
  EXPECT_EQ(clang->message, "bad");
  const auto pocl = first_error("warning: a.kernel:1:1: w\nerror: a.kernel:12:5: bad\n");
  ASSERT_TRUE(pocl);
  EXPECT_EQ(pocl->line, 12);
  EXPECT_EQ(pocl->message, "bad");
  EXPECT_FALSE(first_error("all is well"));
}

TEST(Diagnosis, lines_are_counted_from_one) {
  EXPECT_EQ(line_of("a\nb\n", 1), "a");
  EXPECT_EQ(line_of("a\nb\n", 2), "b");
  EXPECT_EQ(line_of("a\nb\n", 3), "");
  EXPECT_EQ(line_of("a\nb", 9), "");
}

}  // namespace
}  // namespace maxwell_dg::rtcg
