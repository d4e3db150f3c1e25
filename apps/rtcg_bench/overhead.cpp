#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <dlfcn.h>

#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/timing.hpp"
#ifdef MAXWELL_DG_HAVE_CUDA
#include "core/cuda/current_context.hpp"
#endif
#include "core/device/prepared_launch.hpp"
#include "core/error.hpp"

namespace maxwell_dg::bench {

namespace {

// The driver's own call for a launch of one work-item without arguments, by its documented signature: it is what the
// overhead is compared with.
class RawLaunch {
 public:
  RawLaunch(const core::Device& device, const core::Kernel& kernel, const core::Stream& stream)
      : kernel_(pointer(kernel.raw())), stream_(pointer(stream.raw())) {
    const bool is_cuda = device.info().backend == core::Backend::cuda;
    library_ = dlopen(is_cuda ? "libcuda.so.1" : "libOpenCL.so.1", RTLD_NOW);
    if (library_ == nullptr) return;
    if (is_cuda) {
      cuda_ = reinterpret_cast<Cuda>(dlsym(library_, "cuLaunchKernel"));
    } else {
      opencl_ = reinterpret_cast<OpenCl>(dlsym(library_, "clEnqueueNDRangeKernel"));
    }
  }
  RawLaunch(const RawLaunch&) = delete;
  RawLaunch& operator=(const RawLaunch&) = delete;
  ~RawLaunch() {
    if (library_ != nullptr) dlclose(library_);
  }

  [[nodiscard]] explicit operator bool() const { return cuda_ != nullptr || opencl_ != nullptr; }
  void operator()() const {
    constexpr std::size_t one = 1;
    const int code = cuda_ != nullptr ? cuda_(kernel_, 1, 1, 1, 1, 1, 1, 0, stream_, nullptr, nullptr)
                                      : opencl_(stream_, kernel_, 1, nullptr, &one, &one, 0, nullptr, nullptr);
    if (code != 0) throw DeviceError("the driver's own launch failed with code " + std::to_string(code));
  }

 private:
  using Cuda = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                       void**);
  using OpenCl = int (*)(void*, void*, unsigned, const std::size_t*, const std::size_t*, const std::size_t*, unsigned,
                         const void*, void*);
  static void* pointer(std::uintptr_t raw) { return reinterpret_cast<void*>(raw); }

  void* library_ = nullptr;
  void* kernel_;
  void* stream_;
  Cuda cuda_ = nullptr;
  OpenCl opencl_ = nullptr;
};

// Host seconds of one of many calls.
double seconds_of_one(const core::Stream& stream, const std::function<void()>& call) {
  constexpr int calls = 500;
  return median_seconds([&] {
           for (int k = 0; k < calls; ++k) call();
           stream.synchronize();
         }) /
         calls;
}

void time_launches(const Setting& setting, const Report& report) {
  const core::Stream& stream = setting.context.stream();
  const core::Kernel kernel = setting.context.compiler()
                                  .compile({.name = "nothing.kernel", .text = "KERNEL void nothing() {}\n"})
                                  .kernel("nothing");
  const core::PreparedLaunch prepared(kernel, {}, std::initializer_list<core::KernelArgument>{});
  Answer answer{.name = "launch, prepared", .size = 1, .remark = "limit: 1.3 times the driver's call"};
  answer.seconds = seconds_of_one(stream, [&] { prepared.launch(stream); });
#ifdef MAXWELL_DG_HAVE_CUDA
  std::optional<core::cuda::CurrentContext> current;
  if (setting.context.device().info().backend == core::Backend::cuda) current.emplace(setting.context.device());
#endif
  const RawLaunch raw(setting.context.device(), kernel, stream);
  if (raw) answer.limit = 1.3 * seconds_of_one(stream, [&] { raw(); });
  report(answer);
  report({.name = "launch, checked each time", .size = 1, .seconds = seconds_of_one(stream, [&] {
                                                            kernel.launch(
                                                                stream, {},
                                                                std::initializer_list<core::KernelArgument>{});
                                                          })});
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A kernel that no cache has seen, and then the same from the cache of an earlier process.
void time_compilation(const Setting& setting, const Report& report) {
  std::string pattern = (std::filesystem::temp_directory_path() / "rtcg_bench_XXXXXX").string();
  const std::filesystem::path directory = mkdtemp(pattern.data());
  const core::Device& device = setting.context.device();
  std::vector<double> cold, cached;
  for (int k = 0; k < 5; ++k) {
    const auto unique = std::chrono::system_clock::now().time_since_epoch().count();
    const rtcg::KernelSource source{
        .name = "axpy.kernel",
        .text =
            "KERNEL void axpy(int64 n, float32 a, GLOBAL const float32* x, GLOBAL float32* y) {\n"
            "  const int64 i = GLOBAL_ID(0);\n  if (i < n) y[i] += a * x[i] + " +
            std::to_string(unique % 1000000007) + ".0f;\n}\n"};
    for (std::vector<double>* seconds : {&cold, &cached}) {
      rtcg::Compiler compiler(device, directory);
      const auto begin = std::chrono::steady_clock::now();
      (void)compiler.compile(source).kernel("axpy");
      seconds->push_back(seconds_since(begin));
    }
  }
  std::filesystem::remove_all(directory);
  std::ranges::sort(cold);
  std::ranges::sort(cached);
  report({.name = "compile, cold", .size = 1, .seconds = cold[2], .limit = 0.060});
  report({.name = "compile, cached", .size = 1, .seconds = cached[2], .limit = 0.003});
}

}  // namespace

void run_overhead(const Setting& setting, const Report& report) {
  time_launches(setting, report);
  constexpr std::size_t bytes = std::size_t{1} << 20;
  report({.name = "pool allocation",
          .size = bytes,
          .seconds = seconds_of_one(setting.context.stream(), [&] { (void)setting.context.allocate(bytes); }),
          .limit = 1e-6});
  time_compilation(setting, report);
}

}  // namespace maxwell_dg::bench
