#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/opencl/empty_library.hpp"
#include "core/opencl/inline_headers.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

namespace fs = std::filesystem;

std::string inlined(const std::string& text, std::vector<std::pair<std::string, std::string>> headers) {
  return opencl::inline_headers({.name = "main.cl", .text = text, .headers = std::move(headers), .options = {}});
}

TEST(InlineHeaders, a_header_takes_its_includes_place_between_line_directives) {
  EXPECT_EQ(inlined("a\n#include \"h.h\"\nb\n", {{"h.h", "x\ny\n"}}),
            "#line 1 \"main.cl\"\na\n#line 1 \"h.h\"\nx\ny\n#line 3 \"main.cl\"\nb\n");
}

TEST(InlineHeaders, angle_brackets_and_spaces_mean_the_same) {
  EXPECT_EQ(inlined("  #  include <h.h>  \n", {{"h.h", "x\n"}}),
            "#line 1 \"main.cl\"\n#line 1 \"h.h\"\nx\n#line 2 \"main.cl\"\n");
}

TEST(InlineHeaders, pragma_once_lets_a_header_in_once) {
  const std::string text = inlined("#include \"h.h\"\n#include \"h.h\"\n", {{"h.h", "#pragma once\nx\n"}});
  EXPECT_EQ(text, "#line 1 \"main.cl\"\n#line 1 \"h.h\"\n\nx\n#line 2 \"main.cl\"\n#line 3 \"main.cl\"\n");
}

TEST(InlineHeaders, the_authors_own_line_directives_are_followed) {
  EXPECT_EQ(inlined("#line 40 \"k.kernel\"\na\n#include \"h.h\"\n", {{"h.h", "x\n"}}),
            "#line 1 \"main.cl\"\n#line 40 \"k.kernel\"\na\n#line 1 \"h.h\"\nx\n#line 42 \"k.kernel\"\n");
}

TEST(InlineHeaders, an_unknown_include_is_left_to_the_compiler) {
  EXPECT_EQ(inlined("#include \"other.h\"\n", {}), "#line 1 \"main.cl\"\n#include \"other.h\"\n");
}

TEST(InlineHeaders, a_circle_is_an_error) {
  EXPECT_EQ(message_of<DeviceError>([] {
              (void)inlined("#include \"h.h\"\n", {{"h.h", "#include \"h.h\"\n"}});
            }),
            "kernel 'main.cl': header 'h.h' includes itself; give it '#pragma once'");
}

bool has_pocl() {
  return std::ranges::any_of(list_devices(), [](const DeviceInfo& info) {
    return info.driver.find("Portable Computing Language") != std::string::npos;
  });
}

/// A kernel of these statements, built for the CPU; the text says that the long header of functions must not be read.
bool builds_briefly(const std::string& statements) {
  const std::string text =
      "#if _OPENCL_H_ + 0 != 1\n#error the long header is needed\n#endif\n#define is(type, a) _Static_assert("
      "__builtin_types_compatible_p(type, __typeof__(a)), #a)\n__kernel void k(__global int* x) {\n" +
      statements + "\n}";
  return Device::open("cpu").build({.name = "k.cl", .text = text, .headers = {}, .options = {}}).ok;
}

class BriefBuiltins : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_pocl()) GTEST_SKIP() << "no PoCL on this machine";
  }
};

TEST_F(BriefBuiltins, functions_of_numbers_keep_their_types) {
  EXPECT_TRUE(builds_briefly(R"(is(float, sin(1.0f)); is(double, sin(1.0)); is(float, pow(2.0f, 3.0f));
is(double, fma(1.0, 2.0, 3.0)); is(float4, fmax((float4)(1), (float4)(2))); is(int, ilogb(1.0));
is(int, max(1, 2)); is(ulong, min(1ul, 2ul)); is(uint, abs(-1)); is(ushort, abs((short)-1));
is(float, max(1.0f, 2.0f)); is(double, ldexp(1.0, 2)); is(size_t, get_global_id(0));
is(int, any((float4)(1) < 2)); is(float4, select((float4)(1), (float4)(2), (float4)(1) < 2));
is(double8, select((double8)(1), (double8)(2), (double8)(1) < 2));
barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(x); atomic_add((volatile __global uint*)x, 3u);)"));
}

TEST_F(BriefBuiltins, all_others_are_there_as_well) {
  const std::string others =
      "int e; x[0] = (int)frexp(8.0f, &e) + convert_int_rte(dot((float4)(1), vload4(0, (__global float*)x)));";
  EXPECT_FALSE(builds_briefly(others));
  const BuildResult result = Device::open("cpu").build(
      {.name = "k.cl", .text = "__kernel void k(__global int* x) { " + others + " }", .headers = {}, .options = {}});
  EXPECT_TRUE(result.ok) << result.log;
}

TEST_F(BriefBuiltins, an_error_is_told_as_if_they_were_not) {
  const BuildResult result =
      Device::open("cpu").build({.name = "k.cl",
                                 .text = "\n__kernel void k(__global int* x) { x[0] = sinus(1.0f); }",
                                 .headers = {},
                                 .options = {}});
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.log.find("k.cl:2:"), std::string::npos) << result.log;
}

/// How often a number of a kernel's text stands in the machine code of its binary.
int copies_of_a_kernel(const std::string& signature) {
  const std::string text =
      "#if __clang_major__ != 15\n#error one copy is made with clang 15 alone\n#endif\n#define KERNEL __kernel\n"
      "#define GROUP_LIMIT(x, y, z) __attribute__((reqd_work_group_size(x, y, z)))\n" +
      signature + " k(__global long* x) { x[get_global_id(0) + get_group_id(0)] += 0x1122334455667788; }";
  const BuildResult result = Device::open("cpu").build({.name = "k.cl", .text = text, .headers = {}, .options = {}});
  if (!result.ok) return 0;
  constexpr std::array<std::byte, 8> number{std::byte{0x88}, std::byte{0x77}, std::byte{0x66}, std::byte{0x55},
                                            std::byte{0x44}, std::byte{0x33}, std::byte{0x22}, std::byte{0x11}};
  int copies = 0;
  for (auto at = result.binary.begin();; ++at, ++copies) {
    at = std::search(at, result.binary.end(), number.begin(), number.end());
    if (at == result.binary.end()) return copies;
  }
}

// Else the kernel would be as right, only three times as long in compiling.
TEST_F(BriefBuiltins, a_kernel_of_a_given_group_size_is_compiled_once) {
  const int usual = copies_of_a_kernel("KERNEL __attribute__((reqd_work_group_size(1, 1, 1))) void");
  if (usual < 2) GTEST_SKIP() << "a compiler that makes no copies, or for which nothing is done";
  EXPECT_EQ(copies_of_a_kernel("KERNEL void GROUP_LIMIT(1, 1, 1)"), 1);
  EXPECT_GT(copies_of_a_kernel("KERNEL void"), 1) << "for groups of any size that would stay in the code";
}

constexpr const char* kKernel =
    "__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void k(__global int* x) { x[get_global_id(0)] = 3; }";

/// What another process built and left in this file; else builds, and leaves it there.
std::vector<std::byte> build_or_fetch(const Device& device, const fs::path& binary_file) {
  if (fs::exists(binary_file)) {
    std::ifstream file(binary_file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::byte> binary(bytes.size());
    std::ranges::transform(bytes, binary.begin(), [](char c) { return static_cast<std::byte>(c); });
    return binary;
  }
  BuildResult result = device.build({.name = "k.cl", .text = kKernel, .headers = {}, .options = {}});
  EXPECT_TRUE(result.ok) << result.log;
  std::ofstream(binary_file, std::ios::binary)
      .write(reinterpret_cast<const char*>(result.binary.data()), static_cast<std::streamsize>(result.binary.size()));
  return std::move(result.binary);
}

std::vector<fs::path> entries(const fs::path& folder) {
  return {fs::directory_iterator(folder), fs::directory_iterator()};
}

/// PoCL's kernel caches of this process.
std::vector<fs::path> caches() {
  std::vector<fs::path> found = entries(getenv("TMPDIR"));
  std::erase_if(found, [](const fs::path& path) { return !path.filename().string().starts_with("maxwell_dg_pocl_"); });
  return found;
}

/// How often PoCL has compiled, or been given, the kernel for its own group size.
std::size_t specialized_kernels(const fs::path& cache) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.path().filename().string().starts_with("16-1-1-goffs0")) ++count;
  }
  return count;
}

/// How many kernels PoCL has compiled for groups of some size; an empty library in place of one is no code.
std::ptrdiff_t compiled_kernels(const fs::path& cache) {
  return std::ranges::count_if(
      fs::recursive_directory_iterator(cache), fs::recursive_directory_iterator(),
      [](const fs::directory_entry& entry) { return entry.path().extension() == ".so" && entry.file_size() > 1024; });
}

/// The largest file with code for groups of any size.
std::uintmax_t bytes_for_any_size(const fs::path& cache) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.path().parent_path().filename() == "0-0-0") bytes = std::max(bytes, entry.file_size());
  }
  return bytes;
}

/// Of the libraries made of kernels, how many ask for the library of C, and how many do not.
std::map<bool, int> kernels_by_need_of_libc(const fs::path& cache) {
  std::map<bool, int> counts;
  for (const auto& entry : fs::recursive_directory_iterator(cache)) {
    if (entry.path().extension() != ".so" || entry.path().parent_path().filename() == "0-0-0") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ++counts[bytes.find("libc.so") != std::string::npos];
  }
  return counts;
}

/// Started as PoclProcess.child is: of two kernels the second calls `memcpy`.
TEST(PoclProcess, linking_child) {
  if (getenv("MAXWELL_DG_TEST_CHILD") == nullptr) GTEST_SKIP() << "a part of the other PoclProcess tests";
  const Device device = Device::open("cpu");
  const Stream stream = device.create_stream();
  const Buffer x = device.allocate(2 * sizeof(int) << 12);
  stream.fill(x, 5);
  for (const char* statement : {"x[0].n[7] = 3", "x[1] = x[0]"}) {
    build_module(device,
                 "typedef struct { int n[1 << 12]; } Block;\n__attribute__((reqd_work_group_size(1, 1, 1)))\n"
                 "KERNEL void k(GLOBAL Block* x) { " +
                     std::string(statement) + "; }")
        .kernel("k")
        .launch(stream, {}, {x});
  }
  EXPECT_EQ(download<int>(stream, x, 2 << 12)[(1 << 12) + 7], 3);
  EXPECT_EQ(kernels_by_need_of_libc(caches().front()), (std::map<bool, int>{{false, 1}, {true, 1}}));
}

/// Started as PoclProcess.child is: kernels of other sizes, in one program and in several.
TEST(PoclProcess, sizes_child) {
  if (getenv("MAXWELL_DG_TEST_CHILD") == nullptr) GTEST_SKIP() << "a part of the other PoclProcess tests";
  const Device device = Device::open("cpu");
  const Stream stream = device.create_stream();
  const Buffer x = device.allocate(64 * sizeof(int));
  const Module of_any_size =
      build_module(device, "__kernel void of_any_size(__global int* x) { x[get_global_id(0)] = 1; }");
  std::ptrdiff_t kernels = compiled_kernels(caches().front());
  for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{64}, {16, 32}, {8, 8}, {4, 2}}) {
    std::string text;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      text += "__kernel __attribute__((reqd_work_group_size(" + std::to_string(sizes[i]) + ", 1, 1))) void k" +
              std::to_string(i) + "(__global int* x) { x[get_global_id(0)] = " + std::to_string(++kernels) + "; }\n";
    }
    const Module module = build_module(device, text);
    EXPECT_EQ(compiled_kernels(caches().front()), kernels) << "sizes of others, or a launch that would have to compile";
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      module.kernel("k" + std::to_string(i)).launch(stream, {.group_size = {sizes[i], 1, 1}}, {x});
      EXPECT_EQ(download<int>(stream, x, sizes[i]).back(), kernels + static_cast<int>(i + 1 - sizes.size()));
    }
    EXPECT_EQ(compiled_kernels(caches().front()), kernels) << "a launch compiled again";
  }
}

/// Runs in a process of its own, started by the tests below: what PoCL writes, where and when.
TEST(PoclProcess, child) {
  const char* folder = getenv("MAXWELL_DG_TEST_CHILD");
  if (folder == nullptr) GTEST_SKIP() << "a part of the other PoclProcess tests";
  const Device device = Device::open("cpu");
  EXPECT_EQ(getenv("POCL_CACHE_DIR"), nullptr) << "a child process would share the directory";
  const Kernel kernel = device.load(build_or_fetch(device, fs::path(folder) / "binary"), "k").kernel("k");
  ASSERT_EQ(caches().size(), 1U);
  EXPECT_EQ(specialized_kernels(caches().front()), 1U) << "the first launch would have to compile";
  const Stream stream = device.create_stream();
  const Buffer x = device.allocate(16 * sizeof(int));
  kernel.launch(stream, {.group_size = {16, 1, 1}}, {x});
  EXPECT_EQ(download<int>(stream, x, 16), std::vector<int>(16, 3));
  EXPECT_EQ(specialized_kernels(caches().front()), 1U) << "the launch compiled for another kind of grid";
  constexpr unsigned many_groups = 70000 / 16;  // beyond 65536 work-items PoCL takes other code
  const Buffer y = device.allocate(many_groups * 16 * sizeof(int));
  kernel.launch(stream, {.groups = {many_groups, 1, 1}, .group_size = {16, 1, 1}}, {y});
  EXPECT_EQ(download<int>(stream, y, many_groups * 16), std::vector<int>(many_groups * 16, 3));
  EXPECT_EQ(specialized_kernels(caches().front()), 2U) << "there is but one kind of grid";
  EXPECT_LT(bytes_for_any_size(caches().front()), 1024U) << "code was compiled that is never run";
}

/// Started as PoclProcess.child is; while it lives, a second one begins and is killed.
TEST(PoclProcess, killed_child) {
  const char* number = getenv("MAXWELL_DG_TEST_CHILD");
  if (number == nullptr) GTEST_SKIP() << "a part of the other PoclProcess tests";
  const Device device = Device::open("cpu");
  if (std::string(number) != "second") {
    const std::string program = fs::read_symlink("/proc/self/exe").string();
    (void)std::system(
        ("MAXWELL_DG_TEST_CHILD=second '" + program + "' --gtest_filter=PoclProcess.killed_child").c_str());
  }
  EXPECT_EQ(caches().size(), 2U);
  (void)raise(SIGKILL);
}

TEST(EmptyLibrary, is_loaded_and_has_its_name_and_no_other) {
  const std::vector<std::byte> library = opencl::empty_library("nothing");
  if (library.empty()) GTEST_SKIP() << "not for this machine's processor";
  const fs::path file = fs::temp_directory_path() / ("maxwell_dg_empty_" + std::to_string(getpid()) + ".so");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(library.data()), static_cast<std::streamsize>(library.size()));
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  fs::remove(file);
  ASSERT_NE(handle, nullptr) << dlerror();
  EXPECT_NE(dlsym(handle, "nothing"), nullptr) << dlerror();
  EXPECT_EQ(dlsym(handle, "something"), nullptr);
  dlclose(handle);
}

class PoclProcesses : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_pocl()) GTEST_SKIP() << "no PoCL on this machine";
    std::string pattern = (fs::temp_directory_path() / "maxwell_dg_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  /// A shell command that runs PoclProcess.child with temporary files under `folder`/NAME.
  [[nodiscard]] std::string child(const std::string& name, const char* test = "child") const {
    fs::create_directories(folder / name);
    return "env -u POCL_CACHE_DIR TMPDIR='" + (folder / name).string() + "' MAXWELL_DG_TEST_CHILD='" + folder.string() +
           "' '" + fs::read_symlink("/proc/self/exe").string() + "' --gtest_filter=PoclProcess." + test + " >'" +
           (folder / (name + ".log")).string() + "' 2>&1";
  }
  [[nodiscard]] std::string log(const std::string& name) const {
    std::ifstream file(folder / (name + ".log"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder;
};

TEST_F(PoclProcesses, the_kernel_cache_is_private_and_removed_at_the_end) {
  ASSERT_EQ(std::system(child("a").c_str()), 0) << log("a");
  EXPECT_TRUE(entries(folder / "a").empty());
}

TEST_F(PoclProcesses, what_a_killed_process_leaves_the_next_one_removes_but_nothing_of_a_living_one) {
  EXPECT_NE(std::system(child("a", "killed_child").c_str()), 0);
  EXPECT_EQ(entries(folder / "a").size(), 2U) << log("a");
  EXPECT_EQ(std::system(child("a").c_str()), 0) << log("a");
  EXPECT_TRUE(entries(folder / "a").empty());
}

TEST_F(PoclProcesses, kernels_are_linked_with_what_they_need_alone) {
  ASSERT_EQ(std::system(("env -u COMPILER_PATH " + child("with a blank", "linking_child")).c_str()), 0)
      << log("with a blank");
  EXPECT_TRUE(entries(folder / "with a blank").empty());
  EXPECT_EQ(std::system(("COMPILER_PATH=/nowhere " + child("b")).c_str()), 0) << log("b");
}

TEST_F(PoclProcesses, each_kernel_is_compiled_once_for_the_size_that_it_requires) {
  ASSERT_EQ(std::system(child("a", "sizes_child").c_str()), 0) << log("a");
}

TEST_F(PoclProcesses, a_binary_runs_in_another_process) {
  ASSERT_EQ(std::system(child("a").c_str()), 0) << log("a");
  ASSERT_TRUE(fs::exists(folder / "binary"));
  EXPECT_EQ(std::system(child("b").c_str()), 0) << log("b");
}

TEST_F(PoclProcesses, four_processes_compile_at_once) {
  std::string command;
  for (const char* name : {"a", "b", "c", "d"}) command += "( " + child(name) + " ) & p" + name + "=$!\n";
  command += "wait $pa && wait $pb && wait $pc && wait $pd";
  EXPECT_EQ(std::system(command.c_str()), 0) << log("a") << log("b") << log("c") << log("d");
}

}  // namespace
}  // namespace maxwell_dg::core::test
