#include <filesystem>

#include "apps/examples/example.hpp"
#include "rtcg/array/device_array.hpp"

/// CUB inside of a kernel that is compiled at run time: NVRTC takes the toolkit's headers, so that a block's sum is one
/// line. Our buffers and streams carry the rest.
namespace {

using namespace maxwell_dg;

constexpr std::size_t kGroup = 128;

constexpr const char* kText = R"(
#include <cub/block/block_reduce.cuh>

extern "C" __global__ void sum_of_block(const float* x, float* sums) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage scratch;
  const float sum = Reduce(scratch).Sum(x[blockIdx.x * 128 + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
)";

/// Folders with CUB's headers and CUDA's own, as CMake found them; the first is CUB's.
std::vector<std::filesystem::path> include_folders() {
  return {MAXWELL_DG_CUB_INCLUDES};
}

/// What of the headers is not on this machine, which need not be the one that built this program; empty when all is.
std::string missing_headers() {
  if (include_folders().front().empty()) {
    return "CMake found no CUB (cub/block/block_reduce.cuh in the CUDA toolkit) when this was built";
  }
  for (const auto& needed :
       {include_folders().front() / "cub/block/block_reduce.cuh", include_folders().back() / "cuda.h"}) {
    if (std::filesystem::exists(needed)) continue;
    return "there is no " + needed.string() +
           ", which was there when this was built; install the CUDA toolkit's headers or build on this machine";
  }
  return "";
}

void cub_interop(const rtcg::Context& context) {
  std::vector<std::string> options;
  for (const auto& folder : include_folders()) options.push_back("--include-path=" + folder.string());
  const core::BuildResult built =
      context.device().build({.name = "sum_of_block.cu", .text = kText, .headers = {}, .options = options});
  if (!built.ok) throw CompileError("the kernel does not compile:\n" + built.log);

  const std::size_t groups = 1000;
  std::vector<float> x(groups * kGroup), expected(groups);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 7);  // sums of small integers are exact in any order
    expected[i / kGroup] += x[i];
  }
  const rtcg::DeviceArray x_device = to_device(context, x), sums = zeros(context, {1000}, Dtype::float32);
  context.device()
      .load(built.binary, "sum_of_block")
      .kernel("sum_of_block")
      .launch(context.stream(), {.groups = {groups, 1, 1}, .group_size = {kGroup, 1, 1}},
              {x_device.buffer(), sums.buffer()});
  examples::require(sums.to_vector<float>() == expected, "the sums are not the host's");
  std::printf("%zu blocks of %zu floats summed by cub::BlockReduce\n", groups, kGroup);
}

}  // namespace

int main() {
  return examples::run_on_cuda(missing_headers(), cub_interop);
}
