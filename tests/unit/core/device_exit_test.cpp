#include "core/device/memory_pool.hpp"
#include "core/device/prepared_launch.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

/// Handles that only die with the program, when drivers may have shut down. A crash there is this test's exit code.
struct Survivors {
  std::vector<Device> devices;
  std::vector<Buffer> buffers;
  std::vector<Stream> streams;
  std::vector<Kernel> kernels;
  std::vector<Event> events;
  std::vector<HostBuffer> host_buffers;
  std::vector<PreparedLaunch> launches;
  std::vector<MemoryPool> pools;
  std::vector<HostMemoryPool> host_pools;
};
Survivors survivors;  // made before any driver is loaded, so it dies after them

TEST(DeviceExit, handles_may_die_after_the_driver) {
  for (const DeviceInfo& info : list_devices()) {
    const Device device = Device::open(info);
    survivors.devices.push_back(device);
    survivors.buffers.push_back(device.allocate(64));
    survivors.streams.push_back(device.create_stream());
    survivors.kernels.push_back(build_module(device, "KERNEL void k(GLOBAL int* x) { x[0] = 1; }").kernel("k"));
    survivors.kernels.back().launch(survivors.streams.back(), {}, {survivors.buffers.back()});
    survivors.events.push_back(survivors.streams.back().record());
    EXPECT_EQ(download<int>(survivors.streams.back(), survivors.buffers.back(), 1), (std::vector{1}));
    const Stream& stream = survivors.streams.back();
    survivors.launches.emplace_back(survivors.kernels.back(), LaunchShape{},
                                    std::initializer_list<KernelArgument>{survivors.buffers.back()});
    survivors.host_buffers.push_back(device.allocate_host(64));
    survivors.pools.emplace_back(device);
    survivors.buffers.push_back(survivors.pools.back().allocate(64, stream));
    (void)survivors.pools.back().allocate(1000, stream);
    survivors.host_pools.emplace_back(device);
    survivors.host_buffers.push_back(survivors.host_pools.back().allocate(64, stream));
    (void)survivors.host_pools.back().allocate(1000, stream);
    survivors.devices.push_back(Device::open(info, ContextKind::own));
    survivors.buffers.push_back(survivors.devices.back().allocate(64));
  }
}

}  // namespace
}  // namespace maxwell_dg::core::test
