#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rtcg/array/error.hpp"
#include "rtcg/loop/loop_check.hpp"
#include "rtcg/loop/loop_generator.hpp"
#include "rtcg/loop/loop_kernel.hpp"
#include "rtcg/loop/loop_space.hpp"
#include "rtcg/loop/slicing.hpp"
#include "tests/unit/rtcg/device_fixture.hpp"
#include "tests/unit/rtcg/loop_examples.hpp"

namespace maxwell_dg::rtcg {
namespace {

class LoopTest : public DeviceTest {
 protected:
  [[nodiscard]] LoopOptions quick() const {
    LoopOptions options{.wisdom_directory = root_ / "wisdom"};
    options.tuning.seconds = 2;
    options.tuning.most_candidates = 3;
    options.tuning.measure = {.warm_up = 0, .repeats = 1, .seconds_per_repeat = 0};
    return options;
  }
  // Runs it on the oracle's numbers; "" where all is right.
  [[nodiscard]] std::string mistake(const LoopKernel& kernel) const {
    LoopCheck check(kernel.nest());
    const auto buffers = check.allocate(device_);
    check.fill(stream_, buffers);
    kernel(stream_, buffers, check.scalars());
    return check.compare(stream_, buffers);
  }
  [[nodiscard]] std::string mistake(const LoopDescription& description, const Configuration& configuration) const {
    LoopOptions options;
    options.configuration = configuration;
    return mistake(LoopKernel(compiler(), description, options));
  }
};

// Against numbers made here by hand: the oracle itself is on trial.
TEST_F(LoopTest, a_product_of_matrices_is_what_three_loops_make) {
  constexpr int n = 37;
  const LoopKernel product(compiler(), loop_matmul(n, n, n, Dtype::float64), quick());
  std::vector<double> a(n * n);
  std::vector<double> b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = std::sin(i);
    b[i] = std::cos(2 * i);
  }
  const core::Buffer c_buffer = device_.allocate(sizeof(double) * n * n);
  product(stream_, std::vector{c_buffer, upload(a), upload(b)});
  const std::vector<double> c = download<double>(c_buffer);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      ASSERT_NEAR(c[i * n + j], sum, 1e-12) << i << " " << j;
    }
  }
}

TEST_F(LoopTest, every_example_is_right_as_the_machine_slices_it) {
  for (const LoopDescription& description : loop_examples()) {
    const LoopKernel kernel(compiler(), description, quick());
    EXPECT_EQ(mistake(kernel), "") << description.name << "\n" << kernel.text();
    EXPECT_TRUE(kernel.tuning().tuned);
    for (const CandidateReport& report : kernel.tuning().table) {
      EXPECT_EQ(report.rejection.find("wrong"), std::string::npos) << written(report.configuration) << report.rejection;
      EXPECT_EQ(report.rejection.find("compile"), std::string::npos)
          << written(report.configuration) << report.rejection;
    }
  }
}

TEST_F(LoopTest, wisdom_remembers_the_slicing) {
  const LoopDescription description = loop_matmul(32, 32, 32, Dtype::float32);
  const LoopKernel first(compiler(), description, quick());
  const LoopKernel second(compiler(), description, quick());
  EXPECT_TRUE(first.tuning().tuned);
  EXPECT_FALSE(second.tuning().tuned);
  EXPECT_EQ(second.configuration(), first.configuration());
  EXPECT_EQ(second.text(), first.text());
}

// Slicings for a GPU run on every device; here each feature by itself.
TEST_F(LoopTest, work_items_registers_stages_and_prefetch_compute_the_same) {
  const LoopDescription product = loop_matmul(64, 96, 32, Dtype::float32);
  const Configuration plain{{"threads_i", 4}, {"threads_j", 8}, {"tile_k", 8}};
  EXPECT_EQ(mistake(product, plain), "");
  Configuration blocked = plain;
  blocked["registers_i"] = 8;
  blocked["registers_j"] = 4;
  EXPECT_EQ(mistake(product, blocked), "");
  for (const char* stage : {"stage_A", "stage_B"}) {
    blocked[stage] = 1;
    EXPECT_EQ(mistake(product, blocked), "") << stage;
  }
  blocked["prefetch"] = 1;
  EXPECT_EQ(mistake(product, blocked), "");
  blocked["order"] = 1;
  EXPECT_EQ(mistake(product, blocked), "");
  for (const int fold : {4, 8}) {
    Configuration folded{{"threads_i", 8}, {"threads_j", 16}, {"registers_i", 2}, {"registers_j", 4},
                         {"tile_k", 4},    {"stage_A", 1},    {"fold", fold}};
    EXPECT_EQ(mistake(product, folded), "") << fold;
  }
}

TEST_F(LoopTest, tiles_that_do_not_fill_a_dimension_are_moved_back) {
  const Configuration configuration{{"threads_i", 4}, {"registers_i", 4}, {"threads_j", 8}, {"registers_j", 4},
                                    {"tile_k", 7},    {"stage_A", 1},     {"stage_B", 1},   {"prefetch", 1}};
  EXPECT_EQ(mistake(loop_matmul(19, 45, 35, Dtype::float32), configuration), "");
  EXPECT_EQ(mistake(loop_matmul(19, 45, 35, Dtype::float64), configuration), "");
}

TEST_F(LoopTest, slicings_of_chance_are_all_right) {
  core::DeviceInfo as_gpu = device_.info();
  as_gpu.is_cpu = false;
  for (const LoopDescription& description : loop_examples()) {
    const LoopNest nest(description);
    Search search(SearchKind::random, loop_space(nest, as_gpu).points(), 7);
    int tried = 0;
    for (const std::size_t point : search.next(40)) {
      const Configuration configuration = search.points()[point];
      const Slicing slicing(nest, configuration);
      constexpr std::size_t quick_to_compile = 12000;
      if (!slicing.refusal.empty() || generate_loop(nest, slicing).size() > quick_to_compile) continue;
      if (++tried > 2) break;
      EXPECT_EQ(mistake(description, configuration), "") << description.name << ": " << written(configuration);
    }
    EXPECT_GT(tried, 0) << description.name;
  }
}

TEST_F(LoopTest, the_oracle_notices_one_wrong_number_and_one_missing) {
  const LoopNest nest(loop_matmul(16, 16, 64, Dtype::float32));
  LoopOptions options;
  options.configuration = Configuration{};
  const LoopKernel kernel(compiler(), loop_matmul(16, 16, 64, Dtype::float32), options);
  LoopCheck check(nest);
  const auto buffers = check.allocate(device_);
  check.fill(stream_, buffers);
  kernel(stream_, buffers);
  EXPECT_EQ(check.compare(stream_, buffers), "");
  std::vector<float> right = download<float>(buffers[0]);
  std::vector<float> wrong = right;
  wrong[3 * 16 + 5] *= 1 + 1e-4f;  // one of the 64 terms is larger than that
  stream_.write(buffers[0], 0, std::as_bytes(std::span(wrong)));
  EXPECT_TRUE(check.compare(stream_, buffers).starts_with("C[3, 5] = ")) << check.compare(stream_, buffers);
  wrong = right;
  wrong.back() = std::nanf("");
  stream_.write(buffers[0], 0, std::as_bytes(std::span(wrong)));
  EXPECT_TRUE(check.compare(stream_, buffers).starts_with("C[15, 15] = nan"));
}

TEST_F(LoopTest, scalars_are_given_in_the_order_of_their_names) {
  LoopOptions options;
  options.configuration = Configuration{};
  const LoopKernel kernel(compiler(),
                          {.name = "axpby",
                           .dimensions = {{"i", 5}},
                           .arrays = {{"y", {5}}, {"x", {5}}},
                           .assignment = "y[i] = b * x[i] - a"},
                          options);
  EXPECT_EQ(kernel.scalar_names(), (std::vector<std::string>{"a", "b"}));
  const core::Buffer y = device_.allocate(5 * sizeof(float));
  kernel(stream_, std::vector{y, upload(std::vector<float>{0, 1, 2, 3, 4})}, std::vector{10.0, 2.0});
  EXPECT_EQ(download<float>(y), (std::vector<float>{-10, -8, -6, -4, -2}));
}

// Two arrays of more than 2^31 elements: for GPUs, which have the memory.
TEST_F(LoopTest, arrays_beyond_32_bits_of_elements_are_indexed_rightly) {
  constexpr std::int64_t n = (std::int64_t{1} << 31) + 1000;
  if (device_.info().is_cpu || device_.info().memory_bytes < std::size_t{24} << 30) {
    GTEST_SKIP() << "needs a GPU with 24 GiB of memory";
  }
  LoopOptions options;
  options.configuration = Configuration{{"threads_i", 256}, {"registers_i", 4}};
  const LoopKernel twice(
      compiler(),
      {.name = "twice", .dimensions = {{"i", n}}, .arrays = {{"y", {n}}, {"x", {n}}}, .assignment = "y[i] = 2 * x[i]"},
      options);
  const core::Buffer x = device_.allocate(static_cast<std::size_t>(n) * sizeof(float));
  const core::Buffer y = device_.allocate(static_cast<std::size_t>(n) * sizeof(float));
  stream_.fill_zero(x);
  const std::vector<float> last{1, 2, 3};
  const std::size_t place = static_cast<std::size_t>(n - 3) * sizeof(float);
  stream_.write(x, place, std::as_bytes(std::span(last)));
  twice(stream_, std::vector{y, x});
  std::vector<float> result(3);
  stream_.read(y, place, std::as_writable_bytes(std::span(result)));
  stream_.synchronize();
  EXPECT_EQ(result, (std::vector<float>{2, 4, 6}));
}

TEST(LoopNest, large_arrays_get_indices_of_64_bits) {
  const LoopNest small(loop_matmul(1 << 14, 1 << 14, 16, Dtype::float32));
  const LoopNest large(loop_matmul(1 << 16, 1 << 16, 16, Dtype::float32));
  EXPECT_NE(generate_loop(small, Slicing(small, {})).find("const int32 i_0"), std::string::npos);
  EXPECT_NE(generate_loop(large, Slicing(large, {})).find("const int64 i_0"), std::string::npos);
}

TEST_F(LoopTest, wrong_buffers_and_slicings_are_refused) {
  LoopOptions options;
  options.configuration = Configuration{{"tile_k", 5}};
  const LoopDescription product = loop_matmul(8, 8, 8, Dtype::float32);
  EXPECT_THROW(LoopKernel(compiler(), product, options), ArrayError);  // 5 does not divide 8
  options.configuration = Configuration{{"lanes", 4}};
  if (device_.info().backend == core::Backend::cuda) {
    EXPECT_THROW(LoopKernel(compiler(), product, options), ArrayError);
  } else {
    EXPECT_NO_THROW(LoopKernel(compiler(), product, options));
  }
  options.configuration = Configuration{};
  const LoopKernel kernel(compiler(), product, options);
  const core::Buffer fits = device_.allocate(8 * 8 * 4);
  const core::Buffer small = device_.allocate(8 * 8 * 4 - 4);
  EXPECT_THROW(kernel(stream_, std::vector{fits, fits}), ArrayError);
  EXPECT_THROW(kernel(stream_, std::vector{fits, small, fits}), ArrayError);
  EXPECT_THROW(kernel(stream_, std::vector{fits, fits, fits}, std::vector{1.0}), ArrayError);
}

std::string error_of(const std::string& assignment) {
  try {
    const LoopNest nest({.name = "loop",
                         .dimensions = {{"i", 4}, {"k", 4}},
                         .arrays = {{"y", {4}}, {"A", {4, 4}}},
                         .assignment = assignment});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

TEST(LoopNest, mistakes_are_found_before_any_code_is_made) {
  EXPECT_EQ(error_of("y[i] = sum(k, A[i, k])"), "no error");
  EXPECT_EQ(error_of("y[i] = sum(k, A[i, j])"), "loop:1:20: no dimension 'j'");
  EXPECT_EQ(error_of("y[i] = sum(k, B[i, k])"), "loop:1:15: no array 'B'");
  EXPECT_EQ(error_of("y[i] = A[i, k]"), "loop:1:1: dimension 'k' is neither summed over nor in the result");
  EXPECT_EQ(error_of("y[i] = sum(k, A[i, k]"), "loop:1:22: expected ')'");
  EXPECT_EQ(error_of("y[i] = sum(k, A[i, 1.5 * k])"), "loop:1:20: an index takes whole numbers");
  EXPECT_EQ(error_of("y[i] = sum(k, A[i, k]) + sum(k, A[k, i])"),
            "loop:1:26: there can be one sum; sum(k, l, ...) runs over several dimensions");
  EXPECT_EQ(error_of("y[i] = A[i, k] + sum(k, A[i, k])"),
            "loop kernel 'loop': dimension 'k' is used outside of the sum over it");
  EXPECT_EQ(error_of("y[i] = sum(k, sinn(A[i, k]))"), "loop:1:15: no function 'sinn'; did you mean 'sin'?");
  EXPECT_EQ(error_of("y[i] = sum(k, A[i, k + 1])"),
            "loop kernel 'loop': array 'A', axis 1: indices from 1 to 4 do not fit an extent of 4");
  EXPECT_EQ(error_of("y[i] = sum(k, A[k])"), "loop kernel 'loop': array 'A' has 2 axes, an index has 1");
  EXPECT_EQ(error_of("y[i] = sum(k, i * A[i, k])"), "loop:1:15: dimension 'i' stands outside of an index");
}

TEST(LoopNest, arrays_and_results_that_cannot_be_are_refused) {
  const auto error_with = [](const std::vector<LoopArray>& arrays) -> std::string {
    try {
      const LoopNest nest(
          {.name = "l", .dimensions = {{"i", 4}, {"j", 3}}, .arrays = arrays, .assignment = "y[i, j] = x[i, j]"});
    } catch (const ArrayError& error) {
      return error.what();
    }
    return "";
  };
  const LoopArray x{"x", {4, 3}};
  EXPECT_EQ(error_with({x, {"y", {4, 3}, {1, 4}}}), "");
  EXPECT_EQ(error_with({x, x, {"y", {4, 3}}}), "loop kernel 'l': array 'x' is there twice");
  const std::int64_t many = std::int64_t{1} << 32;
  EXPECT_EQ(error_with({{"x", {many, many}}, {"y", {4, 3}}}),
            "loop kernel 'l': array 'x' has more than 2^63 - 1 elements");
  EXPECT_EQ(error_with({{"x", {many, 3}, {many, 1}}, {"y", {4, 3}}}),
            "loop kernel 'l': array 'x' has more than 2^63 - 1 elements");
  for (const std::vector<std::int64_t>& strides : {std::vector<std::int64_t>{0, 1}, {1, 1}, {1, 3}}) {
    EXPECT_EQ(error_with({x, {"y", {4, 3}, strides}}),
              "loop kernel 'l': two points of the result may be the same element of 'y'");
  }
}

TEST(LoopNest, operations_are_counted_as_written) {
  EXPECT_EQ(LoopNest(loop_matmul(2, 3, 5, Dtype::float32)).operations(), 2.0 * 2 * 3 * 5);
  EXPECT_EQ(LoopNest({.name = "s",
                      .dimensions = {{"i", 7}},
                      .arrays = {{"y", {7}}, {"x", {9}}},
                      .assignment = "y[i] = x[i] - 2 * x[i + 1] + x[i + 2]"})
                .operations(),
            3.0 * 7);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
