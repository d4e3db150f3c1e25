// The dialect's CUDA side, compiled for every architecture that this NVRTC knows; no GPU is needed.
#include <cmath>
#include <cstdlib>
#include <string>

#include "rtcg/compile/diagnosis.hpp"
#include "rtcg/loop/loop_generator.hpp"
#include "rtcg/loop/loop_space.hpp"
#include "rtcg/source/dialect.hpp"
#include "rtcg/source/literal.hpp"
#include "rtcg/tune/ceiling_kernels.hpp"
#include "rtcg/tune/search.hpp"
#include "tests/unit/rtcg/dialect_kernels.hpp"
#include "tests/unit/rtcg/loop_examples.hpp"
#include "tests/unit/rtcg/nvrtc_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class NvrtcTest : public NvrtcFixture {
 protected:
  static int number_of(const std::string& architecture) { return std::atoi(architecture.c_str() + 3); }
};

TEST_F(NvrtcTest, the_whole_dialect_compiles_for_every_architecture) {
  for (const std::string& architecture : architectures_) {
    expect_compiles(whole_dialect_text(), architecture);
  }
}

TEST_F(NvrtcTest, functions_and_literals_of_both_precisions_compile) {
  for (const Dtype dtype : {Dtype::float32, Dtype::float64}) {
    expect_compiles(functions_text(dtype), "sm_90");
    expect_compiles("KERNEL void f(GLOBAL " + std::string(name_of(dtype)) +
                        "* a) { a[0] = " + literal(-HUGE_VAL, dtype) + "; a[1] = " + literal(std::nan(""), dtype) +
                        "; a[2] = " + literal(-0.1, dtype) + "; }",
                    "sm_90");
  }
}

TEST_F(NvrtcTest, ceiling_kernels_compile_for_every_architecture) {
  for (const std::string& architecture : architectures_) {
    expect_compiles(copy_kernel(4, 1), architecture);
    for (const Dtype dtype : {Dtype::float32, Dtype::float64}) expect_compiles(fma_kernel(dtype, 1, 256), architecture);
    for (const TensorInstruction& instruction : tensor_instructions(number_of(architecture))) {
      expect_compiles(tensor_kernel(instruction, 128), architecture);
    }
  }
}

TEST_F(NvrtcTest, an_error_is_placed_in_the_kernels_own_lines) {
  const core::BuildResult result =
      compiled({.name = "a.kernel", .text = "KERNEL void f(GLOBAL int32* a) {\n  a[0] = unknown_name;\n}\n"}, "sm_90");
  EXPECT_FALSE(result.ok);
  const auto error = first_error(result.log);
  ASSERT_TRUE(error) << result.log;
  EXPECT_EQ(error->file, "a.kernel");
  EXPECT_EQ(error->line, 2);
  EXPECT_NE(error->message.find("unknown_name"), std::string::npos);
}

TEST_F(NvrtcTest, loop_kernels_compile_as_a_gpu_would_slice_them) {
  core::DeviceInfo gpu{.backend = core::Backend::cuda, .shared_memory_bytes = 48 * 1024, .max_group_size = 1024};
  std::vector<LoopDescription> descriptions = loop_examples();
  descriptions.push_back(loop_matmul(4096, 4096, 4096, Dtype::float32));
  descriptions.push_back(loop_matmul(1 << 16, 1 << 16, 64, Dtype::float32));  // indices of 64 bits
  for (const LoopDescription& description : descriptions) {
    const LoopNest nest(description);
    Search search(SearchKind::random, loop_space(nest, gpu).points(), 3);
    std::vector<Configuration> chosen = loop_beginnings(nest, gpu);
    chosen.resize(1);
    for (const std::size_t point : search.next(8)) chosen.push_back(search.points()[point]);
    for (const Configuration& configuration : chosen) {
      const Slicing slicing(nest, configuration);
      const bool fits = static_cast<std::size_t>(slicing.shared_elements()) * size_of(nest.dtype) <= 48 * 1024;
      if (slicing.refusal.empty() && fits) expect_compiles(generate_loop(nest, slicing), "sm_90");
    }
  }
}

// What makes a product of matrices fast: wide loads in both memories, no spills, room for two groups on a
// multiprocessor.
TEST_F(NvrtcTest, a_large_product_keeps_its_block_in_registers) {
  const LoopNest nest(loop_matmul(4096, 4096, 4096, Dtype::float32));
  const Slicing slicing(nest, loop_beginnings(nest, {.backend = core::Backend::cuda}).front());
  ASSERT_EQ(slicing.refusal, "");
  core::BuildRequest request{.name = "a.kernel", .options = {"--ptxas-options=-v"}};
  request.text = dialect_preamble(core::Backend::cuda) + generate_loop(nest, slicing);
  const core::BuildResult result = core::cuda::compile(request, "sm_90");
  ASSERT_TRUE(result.ok) << result.log;
  EXPECT_NE(result.log.find("0 bytes spill stores"), std::string::npos) << result.log;
  const std::size_t used = result.log.find("Used ");
  ASSERT_NE(used, std::string::npos) << result.log;
  EXPECT_LE(std::atoi(result.log.c_str() + used + 5), 128) << result.log;
  request.options = {"--gpu-architecture=compute_90"};
  const core::BuildResult ptx = core::cuda::compile(request, "sm_90");
  const std::string text(reinterpret_cast<const char*>(ptx.binary.data()), ptx.binary.size());
  for (const char* instruction : {"ld.global.nc.v4.f32", "ld.shared.v4.f32", "st.shared.v4.f32", "st.global.v4.f32"}) {
    EXPECT_NE(text.find(instruction), std::string::npos) << instruction;
  }
}

TEST_F(NvrtcTest, instances_of_templates_get_names) {
  core::BuildRequest request{.name = "a.cu", .text = "template <class T> __global__ void scale(T* a) { *a *= 2; }\n"};
  request.name_expressions = {"scale<float>", "scale<double>"};
  const core::BuildResult result = core::cuda::compile(request, "sm_90");
  ASSERT_TRUE(result.ok) << result.log;
  ASSERT_EQ(result.lowered_names.size(), 2u);
  EXPECT_EQ(result.lowered_names[0].first, "scale<float>");
  EXPECT_EQ(result.lowered_names[0].second, "_Z5scaleIfEvPT_");
}

TEST_F(NvrtcTest, a_virtual_architecture_gives_ptx) {
  const core::BuildResult result =
      core::cuda::compile({.name = "a.cu",
                           .text = "extern \"C\" __global__ void set(int* a) { *a = 7; }\n",
                           .options = {"--gpu-architecture=compute_90"}},
                          "sm_90");
  ASSERT_TRUE(result.ok) << result.log;
  const std::string text(reinterpret_cast<const char*>(result.binary.data()), result.binary.size());
  EXPECT_NE(text.find(".target sm_90"), std::string::npos);
  EXPECT_EQ(text.back(), '\0');
}

}  // namespace
}  // namespace maxwell_dg::rtcg
