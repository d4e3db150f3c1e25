#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "core/error.hpp"

/// CUB inside of a kernel that is compiled at run time: NVRTC takes the toolkit's headers, so that a block's sum is one
/// line. Our buffers and streams carry the rest.
namespace {

using maxwell_dg::core::Buffer;
using maxwell_dg::core::Device;
using maxwell_dg::core::Stream;

constexpr int kSkipped = 77;  // what CTest takes for a skipped test
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
  const std::filesystem::path header = include_folders().front() / "cub/block/block_reduce.cuh";
  for (const std::filesystem::path& needed : {header, include_folders().back() / "cuda.h"}) {
    if (!std::filesystem::exists(needed)) {
      return "there is no " + needed.string() +
             ", which was there when this was built; install the CUDA toolkit's headers or build on this machine";
    }
  }
  return "";
}

int run() {
  const Device device = Device::open("cuda");
  std::vector<std::string> options;
  for (const auto& folder : include_folders()) options.push_back("--include-path=" + folder.string());
  const auto built = device.build({.name = "sum_of_block.cu", .text = kText, .headers = {}, .options = options});
  if (!built.ok) {
    std::fprintf(stderr, "error: the kernel does not compile:\n%s\n", built.log.c_str());
    return 1;
  }

  constexpr std::size_t groups = 1000;
  std::vector<float> x(groups * kGroup);
  std::iota(x.begin(), x.end(), 0.0F);
  for (float& value : x) value = static_cast<float>(static_cast<int>(value) % 7);
  std::vector<float> sums(groups);

  const Stream stream = device.create_stream();
  const Buffer on_device = device.allocate(x.size() * sizeof(float));
  const Buffer sums_on_device = device.allocate(sums.size() * sizeof(float));
  stream.write(on_device, 0, std::as_bytes(std::span(x)));
  device.load(built.binary, "sum_of_block")
      .kernel("sum_of_block")
      .launch(stream, {.groups = {groups, 1, 1}, .group_size = {kGroup, 1, 1}}, {on_device, sums_on_device});
  stream.read(sums_on_device, 0, std::as_writable_bytes(std::span(sums)));
  stream.synchronize();

  for (std::size_t group = 0; group < groups; ++group) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(group * kGroup);
    const float expected = std::accumulate(first, first + kGroup, 0.0F);  // small integers: exact in any order
    if (sums[group] != expected) {
      std::fprintf(stderr, "error: block %zu sums to %g, expected %g\n", group, static_cast<double>(sums[group]),
                   static_cast<double>(expected));
      return 1;
    }
  }
  std::printf("%zu blocks of %zu floats summed by cub::BlockReduce on %s\n", groups, kGroup,
              device.info().name.c_str());
  return 0;
}

}  // namespace

int main() {
  try {
    if (const std::string missing = missing_headers(); !missing.empty()) {
      std::printf("skipped: %s\n", missing.c_str());
      return kSkipped;
    }
    if (maxwell_dg::core::list_devices().empty() ||
        maxwell_dg::core::list_devices().front().backend != maxwell_dg::core::Backend::cuda) {
      std::puts("skipped: no CUDA device on this machine");
      return kSkipped;
    }
    return run();
  } catch (const maxwell_dg::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
  }
}
