#include <cstring>

#include "core/cuda/context_settings.hpp"
#include "core/cuda/current_context.hpp"
#include "core/cuda/function.hpp"
#include "core/cuda/graph.hpp"
#include "core/cuda/link.hpp"
#include "core/cuda/profiled_part.hpp"
#include "core/device/host_call.hpp"
#include "core/device/prepared_launch.hpp"
#include "core/device/recording.hpp"
#include "tests/support/child_process.hpp"
#include "tests/unit/core/cuda_fixture.hpp"

namespace maxwell_dg::core::test {
namespace {

class CudaKernels : public CudaTest {};

constexpr const char* kAdd = "KERNEL void add(int* x, int what) { x[ITEM] += what; }";

TEST_F(CudaKernels, variables_and_constants_of_a_module_are_memory) {
  Buffer scale;
  Buffer out;
  {
    const Module module = build_module(device, R"(
extern "C" __constant__ int scale[4];
extern "C" __device__ int out[4];
KERNEL void k() { out[LOCAL_ITEM] = 2 * scale[LOCAL_ITEM]; }
)");
    scale = module.global("scale");
    out = module.global("out");
    EXPECT_EQ(scale.size_bytes(), 16U);
    upload(stream, scale, std::vector{1, 2, 3, 4});
    module.kernel("k").launch(stream, {.group_size = {4, 1, 1}}, {});
    EXPECT_NE(message_of<DeviceError>([&] {
                (void)module.global("missing");
              }).find("module 'test' has no variable 'missing'"),
              std::string::npos);
  }
  EXPECT_EQ(download<int>(stream, out, 4), (std::vector{2, 4, 6, 8})) << "the variable keeps its module";
}

TEST_F(CudaKernels, attributes_are_told_and_set) {
  const Kernel kernel = build_module(device, R"(
KERNEL void k(float* x) {
  __shared__ float all[64];
  all[LOCAL_ITEM] = x[LOCAL_ITEM];
  BARRIER;
  x[LOCAL_ITEM] = all[63 - LOCAL_ITEM];
})")
                            .kernel("k");
  const cuda::FunctionAttributes attributes = cuda::function_attributes(kernel);
  EXPECT_GT(attributes.registers, 0);
  EXPECT_EQ(attributes.shared_bytes, 256U);
  EXPECT_EQ("sm_" + std::to_string(attributes.binary_version), device.info().architecture);
  cuda::set_shared_carveout(kernel, 50);
  EXPECT_EQ(cuda::function_attributes(kernel).shared_carveout_percent, 50);
  cuda::set_max_dynamic_shared(kernel, 64 * 1024);
  EXPECT_EQ(cuda::function_attributes(kernel).max_dynamic_shared_bytes, 64U * 1024);
  EXPECT_NE(message_of<DeviceError>([&] {
              cuda::set_max_dynamic_shared(kernel, std::size_t{1} << 32);
            }).find("asks for 4294967296 bytes of shared memory"),
            std::string::npos);
}

TEST_F(CudaKernels, occupancy_falls_with_shared_memory) {
  const Kernel add = build_module(device, kAdd).kernel("add");
  const std::size_t plain = cuda::active_groups(add, 128);
  EXPECT_GE(plain, 4U);
  EXPECT_LT(cuda::active_groups(add, 128, 64 * 1024), plain);
  EXPECT_GT(cuda::occupancy(add, 128), 0.5);
  EXPECT_LE(cuda::occupancy(add, 128), 1.0);
  EXPECT_EQ(cuda::max_cooperative_groups(add, 128), plain * static_cast<std::size_t>(device.info().compute_units));
  EXPECT_NE(message_of<DeviceError>([&] { (void)cuda::active_groups(add, 4096); }).find("a group of 4096 work-items"),
            std::string::npos);
}

TEST_F(CudaKernels, groups_of_a_cooperative_launch_wait_for_each_other) {
  const Kernel kernel = build_module(device, R"(
__device__ unsigned arrived;
KERNEL void k(unsigned* seen) {
  if (LOCAL_ITEM == 0) {
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) {}
    seen[blockIdx.x] = atomicAdd(&arrived, 0u);
  }
})")
                            .kernel("k");
  const std::size_t groups = std::min<std::size_t>(cuda::max_cooperative_groups(kernel, 32), 64);
  const Buffer seen = device.allocate(groups * sizeof(unsigned));
  kernel.launch(stream, {.groups = {groups, 1, 1}, .group_size = {32, 1, 1}, .kind = LaunchKind::cooperative}, {seen});
  EXPECT_EQ(download<unsigned>(stream, seen, groups), std::vector<unsigned>(groups, static_cast<unsigned>(groups)));
  const std::string message = message_of<DriverError>([&] {
    kernel.launch(stream, {.groups = {1 << 20, 1, 1}, .group_size = {32, 1, 1}, .kind = LaunchKind::cooperative},
                  {seen});
  });
  EXPECT_NE(message.find("use fewer groups"), std::string::npos) << message;
}

TEST_F(CudaKernels, ptx_is_loaded_as_cubin_is) {
  BuildRequest as_ptx = request(device, kAdd);
  as_ptx.options = {"--gpu-architecture=compute_" + device.info().architecture.substr(3)};
  const BuildResult built = device.build(as_ptx);
  ASSERT_TRUE(built.ok) << built.log;
  ASSERT_NE(
      std::string_view(reinterpret_cast<const char*>(built.binary.data()), built.binary.size()).find(".entry add"),
      std::string_view::npos);
  const Buffer x = device.allocate(16);
  stream.fill(x, 1);
  device.load(built.binary, "ptx").kernel("add").launch(stream, {.group_size = {4, 1, 1}}, {x, 4});
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 5));
}

TEST_F(CudaKernels, units_are_linked_and_a_missing_one_is_named) {
  const auto compiled = [&](const std::string& text) {
    BuildRequest unit = request(device, text);
    unit.options = {"--relocatable-device-code=true"};
    const BuildResult result = device.build(unit);
    EXPECT_TRUE(result.ok) << result.log;
    return result.binary;
  };
  const auto caller =
      compiled("extern __device__ int twice(int);\nKERNEL void k(int* x) { x[ITEM] = twice(x[ITEM]); }");
  const auto callee = compiled("__device__ int twice(int x) { return 2 * x; }");
  const std::array<cuda::LinkUnit, 2> units{cuda::LinkUnit{cuda::LinkInput::cubin, caller, "caller"},
                                            cuda::LinkUnit{cuda::LinkInput::cubin, callee, "callee"}};
  const auto binary = cuda::link(device, units);
  const Buffer x = device.allocate(16);
  stream.fill(x, 21);
  device.load(binary, "linked").kernel("k").launch(stream, {.group_size = {4, 1, 1}}, {x});
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 42));
  const std::string message = message_of<DriverError>([&] { (void)cuda::link(device, std::span(units).first(1)); });
  EXPECT_NE(message.find("twice"), std::string::npos) << message;
}

TEST_F(CudaKernels, a_graph_is_replayed_and_updated) {
  const Kernel add = build_module(device, kAdd).kernel("add");
  const Buffer x = device.allocate(16);
  const auto record = [&](int what) {
    return cuda::Graph::capture(stream, [&] {
      stream.fill_zero(x);
      add.launch(stream, {.group_size = {4, 1, 1}}, {x, what});
      add.launch(stream, {.group_size = {4, 1, 1}}, {x, 100});
    });
  };
  const cuda::Graph graph = record(1);
  EXPECT_EQ(graph.nodes(), 3U);
  cuda::ExecutableGraph replay(graph);
  stream.fill(x, 7);
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 7)) << "recording runs nothing";
  for (int i = 0; i < 3; ++i) replay.launch(stream);
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 101));
  replay.update(record(2));
  replay.launch(stream);
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 102));
  const cuda::Graph other = cuda::Graph::capture(stream, [&] { stream.fill_zero(x); });
  EXPECT_NE(message_of<DriverError>([&] { replay.update(other); }).find("make a new ExecutableGraph"),
            std::string::npos);
}

TEST_F(CudaKernels, a_capture_that_throws_leaves_the_stream_usable) {
  EXPECT_THROW((void)cuda::Graph::capture(stream, [] { throw std::runtime_error("stop"); }), std::runtime_error);
  const Buffer x = device.allocate(16);
  stream.fill(x, 5);
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 5));
}

TEST_F(CudaKernels, a_graph_takes_no_host_function) {
  EXPECT_EQ(
      message_of<UnsupportedFeature>([&] { (void)cuda::Graph::capture(stream, [&] { call_on_host(stream, [] {}); }); }),
      "a graph, which may be replayed, takes no host function that is called once");
}

TEST_F(CudaKernels, a_recording_runs_nothing_before_it_is_replayed) {
  const Kernel add = build_module(device, kAdd).kernel("add");
  const Buffer x = device.allocate(8 * sizeof(int));
  stream.fill(x, 0);
  ASSERT_TRUE(Recording::is_possible(stream));
  const Recording recording(stream, [&] {
    for (const int what : {1, 10}) add.launch(stream, {.group_size = {8, 1, 1}}, {x, what});
  });
  EXPECT_EQ(download<int>(stream, x, 8), std::vector<int>(8, 0));
  for (int i = 0; i < 3; ++i) recording.replay(stream);
  EXPECT_EQ(download<int>(stream, x, 8), std::vector<int>(8, 33));
}

TEST_F(CudaKernels, a_graph_takes_two_streams) {
  const Kernel add = build_module(device, kAdd).kernel("add");
  const Stream side = device.create_stream();
  const Buffer x = device.allocate(16);
  const Buffer y = device.allocate(16);
  const cuda::Graph graph = cuda::Graph::capture(stream, [&] {
    side.wait(stream.record(EventKind::order));
    stream.fill(x, 1);
    side.fill(y, 2);
    add.launch(side, {.group_size = {4, 1, 1}}, {y, 3});
    stream.wait(side.record(EventKind::order));
    stream.copy(y, 0, x, 0, 8);
  });
  cuda::ExecutableGraph(graph).launch(stream);
  EXPECT_EQ(download<int>(stream, x, 4), (std::vector{5, 5, 1, 1}));
}

TEST_F(CudaKernels, limits_and_cache_preference_of_a_context_are_told_and_set) {
  const Device own = Device::open(infos.front(), ContextKind::own);
  for (const cuda::Limit which : {cuda::Limit::stack, cuda::Limit::print, cuda::Limit::heap}) {
    const std::size_t wanted = 2 * cuda::limit(own, which);
    cuda::set_limit(own, which, wanted);
    EXPECT_GE(cuda::limit(own, which), wanted);
  }
  cuda::set_cache_preference(own, cuda::CachePreference::shared);
  const cuda::CachePreference now = cuda::cache_preference(own);
  EXPECT_TRUE(now == cuda::CachePreference::shared || now == cuda::CachePreference::none) << "which has no such choice";
  // A thread of this kernel needs 4 KB of stack for what it calls.
  const Kernel deep = build_module(own, R"(
__device__ __noinline__ int sum(int n) {
  volatile int all[250];
  for (int i = 0; i < 250; ++i) all[i] = n;
  return n == 0 ? all[249] : all[n] + sum(n - 1);
}
KERNEL void deep(int* x) { x[ITEM] = sum(ITEM % 4); })")
                          .kernel("deep");
  cuda::set_limit(own, cuda::Limit::stack, 8192);
  const Stream its = own.create_stream();
  const Buffer x = own.allocate(64 * sizeof(int));
  deep.launch(its, {.group_size = {64, 1, 1}}, {x});
  EXPECT_EQ(download<int>(its, x, 4), (std::vector{0, 1, 3, 6}));
}

TEST_F(CudaKernels, a_part_is_marked_for_a_profiler_whether_there_is_one_or_not) {
  const Buffer x = device.allocate(64);
  {
    const cuda::ProfiledPart part(device);
    stream.fill(x, 7);
  }
  EXPECT_EQ(download<int>(stream, x, 1)[0], 7);
}

TEST_F(CudaKernels, a_context_is_current_for_other_libraries) {
  const Device own = Device::open(infos.front(), ContextKind::own);
  const cuda::CurrentContext outer(own);
  {
    const cuda::CurrentContext inner(device);
    stream.synchronize();
  }
  EXPECT_NE(own.raw(), device.raw());
}

/// Faults end contexts, often for the whole process: these run in processes of their own.
class CudaFaultChild : public CudaTest {
 protected:
  static constexpr const char* kText = "KERNEL void set(int* x) { x[ITEM] = 1; }";

  void SetUp() override {
    if (!child_process::folder()) GTEST_SKIP() << "a part of the CudaFault tests";
    CudaTest::SetUp();
    stream = Stream();
    device = Device();
  }

  static void expect_works(const Device& fresh) {
    const Stream stream = fresh.create_stream();
    const Buffer x = fresh.allocate(16);
    build_module(fresh, kText).kernel("set").launch(stream, {.group_size = {4, 1, 1}}, {x});
    EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 1));
  }

  /// A kernel that writes to an address of nobody. Returns what whoever waits for it is told.
  static std::string fault(const Device& device, const Stream& stream) {
    build_module(device, kText).kernel("set").launch(stream, {}, {std::uint64_t{16}});
    return message_of<ContextLost>([&] { stream.synchronize(); });
  }

  /// Which of the two it is depends on the fault and on the driver: a fresh context works, or opening it says that
  /// only a fresh process can. Nothing else will do.
  void expect_a_fresh_context_works_or_is_refused(ContextKind kind) {
    Device fresh;
    try {
      fresh = Device::open(infos.front(), kind);
    } catch (const ContextLost& refusal) {
      const std::string message = refusal.what();
      EXPECT_NE(message.find("the driver lets this process use the device no more: start the program again"),
                std::string::npos)
          << message;
      EXPECT_EQ(message.find("open the device again"), std::string::npos) << "which does not help: " << message;
      EXPECT_THROW((void)Device::open(infos.front(), kind), ContextLost) << "the refusal is for good";
      return;
    }
    expect_works(fresh);
  }

  void expect_fault_is_told(ContextKind kind) {
    {
      const Device faulty = Device::open(infos.front(), kind);
      const Stream lost = faulty.create_stream();
      const Buffer innocent = faulty.allocate(1024);
      const std::string message = fault(faulty, lost);
      EXPECT_NE(message.find("find it with compute-sanitizer"), std::string::npos) << message;
      EXPECT_NE(message.find("the context is lost"), std::string::npos) << message;
      EXPECT_THROW(lost.fill_zero(innocent), ContextLost) << "every later call says so, too";
      EXPECT_THROW((void)faulty.allocate(16), ContextLost);
    }
    expect_a_fresh_context_works_or_is_refused(kind);
  }

  void expect_old_handles_are_harmless(ContextKind kind) {
    const Device old = Device::open(infos.front(), kind);
    const Stream lost = old.create_stream();
    const Buffer kept = old.allocate(1024);
    EXPECT_NE(fault(old, lost), "");
    expect_a_fresh_context_works_or_is_refused(kind);
    EXPECT_THROW(lost.fill_zero(kept), ContextLost) << "handles of the lost context stay useless";
    EXPECT_THROW((void)old.create_stream(), ContextLost);
  }
};

TEST_F(CudaFaultChild, own) {
  expect_fault_is_told(ContextKind::own);
}
TEST_F(CudaFaultChild, shared) {
  expect_fault_is_told(ContextKind::shared);
}
TEST_F(CudaFaultChild, own_old_handles) {
  expect_old_handles_are_harmless(ContextKind::own);
}
TEST_F(CudaFaultChild, shared_old_handles) {
  expect_old_handles_are_harmless(ContextKind::shared);
}
TEST_F(CudaFaultChild, without_fault) {
  expect_works(Device::open(infos.front(), ContextKind::own));
  expect_works(Device::open(infos.front(), ContextKind::shared));
}

class CudaFault : public CudaTest {
 protected:
  static void expect_success(const std::string& test) { child_process::expect_passes("CudaFaultChild." + test); }
};

TEST_F(CudaFault, in_an_own_context_is_told_and_so_is_what_can_be_done) {
  expect_success("own");
}
TEST_F(CudaFault, in_the_shared_context_is_told_and_so_is_what_can_be_done) {
  expect_success("shared");
}
TEST_F(CudaFault, leaves_old_handles_harmless) {
  expect_success("own_old_handles");
  expect_success("shared_old_handles");
}
TEST_F(CudaFault, leaves_other_processes_alone) {
  const Buffer x = device.allocate(16);
  stream.fill(x, 3);
  expect_success("own");
  expect_success("without_fault");  // a fresh process
  EXPECT_EQ(download<int>(stream, x, 4), std::vector<int>(4, 3)) << "this process had the device open all the time";
}

}  // namespace
}  // namespace maxwell_dg::core::test
