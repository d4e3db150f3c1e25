#include <filesystem>
#include <fstream>
#include <numeric>

#include <unistd.h>

#include "core/cuda/async_memory.hpp"
#include "core/cuda/context_settings.hpp"
#include "core/cuda/ipc.hpp"
#include "core/cuda/peer.hpp"
#include "core/cuda/profiled_part.hpp"
#include "core/device/peer_memory.hpp"
#include "tests/support/child_process.hpp"
#include "tests/unit/core/cuda_fixture.hpp"

namespace maxwell_dg::core::test {
namespace {

class CudaMemory : public CudaTest {};

TEST_F(CudaMemory, stream_ordered_memory_is_there_for_later_work_and_freed_in_order) {
  const std::size_t before = device.allocated_bytes();
  {
    const Buffer first = cuda::allocate_async(stream, 4000);
    EXPECT_EQ(device.allocated_bytes(), before + 4000);
    stream.fill(first, 5);
    const Buffer second = cuda::allocate_async(stream, 4000);
    stream.copy(first, 0, second, 0, 4000);
    EXPECT_EQ(download<int>(stream, second, 1000), std::vector<int>(1000, 5));
  }
  EXPECT_EQ(device.allocated_bytes(), before);
  stream.synchronize();
  cuda::trim_async_memory(device);
  EXPECT_EQ(cuda::allocate_async(stream, 0).size_bytes(), 0U);
}

TEST_F(CudaMemory, too_large_a_stream_ordered_request_says_what_was_asked_for) {
  EXPECT_NE(message_of<OutOfDeviceMemory>([&] {
              (void)cuda::allocate_async(stream, std::size_t{1} << 50);
            }).find("1.13e+03 TB"),
            std::string::npos);
}

TEST_F(CudaMemory, managed_memory_moves_ahead_of_its_use) {
  const HostBuffer managed = device.allocate_host(1000 * sizeof(int), HostMemory::managed);
  std::ranges::fill(managed.as<int>(), 3);
  cuda::prefetch(stream, managed, cuda::Place::device);
  const Kernel twice = build_module(device, "KERNEL void twice(int* x) { x[ITEM] *= 2; }").kernel("twice");
  twice.launch(stream, {.groups = {10, 1, 1}, .group_size = {100, 1, 1}}, {managed.device_view()});
  cuda::prefetch(stream, managed, cuda::Place::host);
  stream.synchronize();
  EXPECT_TRUE(std::ranges::all_of(managed.as<int>(), [](int value) { return value == 6; }));
}

TEST_F(CudaMemory, advice_on_managed_memory_changes_no_value) {
  using cuda::Advice;
  const HostBuffer managed = device.allocate_host(1000 * sizeof(int), HostMemory::managed);
  const Kernel twice = build_module(device, "KERNEL void twice(int* x) { x[ITEM] *= 2; }").kernel("twice");
  int expected = 3;
  std::ranges::fill(managed.as<int>(), expected);
  for (const Advice advice : {Advice::read_mostly, Advice::unset_read_mostly, Advice::preferred_location,
                              Advice::unset_preferred_location, Advice::accessed_by, Advice::unset_accessed_by}) {
    cuda::advise(device, managed, advice);
    twice.launch(stream, {.groups = {10, 1, 1}, .group_size = {100, 1, 1}}, {managed.device_view()});
    stream.synchronize();
    expected *= 2;
    EXPECT_TRUE(std::ranges::all_of(managed.as<int>(), [&](int value) { return value == expected; }));
  }
  cuda::advise(device, managed, Advice::preferred_location, cuda::Place::host);
}

TEST_F(CudaMemory, arrays_beyond_four_gigabytes_are_filled_and_copied) {
  const std::size_t count = (std::size_t{1} << 31) + 5;
  if (device.free_bytes() < 5 * count) GTEST_SKIP() << "needs " << 5 * count << " bytes of device memory";
  const Buffer buffer = device.allocate(2 * count);
  stream.fill(buffer, std::uint16_t{7});
  const Buffer tail = buffer.region(2 * (count - 4), 8);
  stream.fill(tail, std::uint16_t{9});
  stream.copy(buffer, 2 * (count - 2), buffer, 0, 4);
  std::vector<std::uint16_t> head(3);
  stream.read(buffer, 0, std::as_writable_bytes(std::span(head)));
  stream.synchronize();
  EXPECT_EQ(head, (std::vector<std::uint16_t>{9, 9, 7}));
}

TEST_F(CudaMemory, a_second_device_is_reached_directly_or_through_the_host) {
  if (infos.size() < 2) GTEST_SKIP() << "needs two CUDA devices";
  const Device other = Device::open(infos[1]);
  const Buffer here = device.allocate(4000);
  const Buffer there = other.allocate(4000);
  stream.fill(here, 11);
  cuda::copy_between_devices(stream, here, 0, there, 0, 4000);
  stream.synchronize();
  EXPECT_EQ(download<int>(other.create_stream(), there, 1000), std::vector<int>(1000, 11));
  if (!cuda::can_access_peer(device, other)) GTEST_SKIP() << "the devices do not reach each other directly";
  cuda::enable_peer_access(device, other);
  cuda::enable_peer_access(device, other);
  const Kernel add = build_module(device, "KERNEL void add(int* x) { x[ITEM] += 1; }").kernel("add");
  add.launch(stream, {.groups = {10, 1, 1}, .group_size = {100, 1, 1}}, {there});
  stream.synchronize();
  EXPECT_EQ(download<int>(other.create_stream(), there, 1000), std::vector<int>(1000, 12));
}

TEST_F(CudaMemory, a_copy_between_contexts_of_one_device_is_checked) {
  const Device own = Device::open(infos.front(), ContextKind::own);
  const Buffer here = device.allocate(16);
  const Buffer there = own.allocate(16);
  stream.fill(here, 4);
  cuda::copy_between_devices(stream, here, 0, there, 0, 16);
  stream.synchronize();
  EXPECT_EQ(download<int>(own.create_stream(), there, 4), std::vector<int>(4, 4));
  EXPECT_EQ(message_of<DeviceError>([&] { cuda::copy_between_devices(stream, here, 8, there, 0, 16); }),
            "copy_between_devices: 16 bytes at 8 do not lie in a buffer of 16 bytes");
}

struct Shared {
  PeerMemory memory;
  cuda::SharedEvent event;
};

TEST_F(CudaMemory, ipc_child) {
  const auto folder = child_process::folder();
  if (!folder) GTEST_SKIP() << "a part of the other IPC test";
  Shared shared;
  ASSERT_TRUE(
      std::ifstream(*folder / "shared", std::ios::binary).read(reinterpret_cast<char*>(&shared), sizeof shared));
  const Event written = cuda::open_shared(device, shared.event);
  const Buffer theirs = open_shared(device, shared.memory);
  stream.wait(written);
  EXPECT_EQ(download<int>(stream, theirs, 4), std::vector<int>(4, 21));
  stream.fill(theirs, 22);
  stream.synchronize();
}

TEST_F(CudaMemory, another_process_reads_and_writes_shared_memory) {
  const Buffer whole = device.allocate(1024);
  const Buffer part = whole.region(256, 16);
  stream.fill_zero(whole);
  stream.fill(part, 21);
  const Event written = cuda::record_shareable(stream);
  const Shared shared{.memory = share(part), .event = cuda::share(written)};
  EXPECT_EQ(shared.memory.bytes, 16U);
  const std::filesystem::path folder = testing::TempDir() + "/ipc_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "shared", std::ios::binary).write(reinterpret_cast<const char*>(&shared), sizeof shared);
  child_process::expect_passes("CudaMemory.ipc_child", folder);
  EXPECT_EQ(download<int>(stream, part, 4), std::vector<int>(4, 22));
  EXPECT_EQ(download<int>(stream, whole, 1)[0], 0);
  std::filesystem::remove_all(folder);
}

TEST(CudaOnly, an_opencl_handle_is_refused_by_name) {
  const auto all = list_devices();
  const auto opencl = std::ranges::find(all, Backend::opencl, &DeviceInfo::backend);
  if (opencl == all.end()) GTEST_SKIP() << "no OpenCL device on this machine";
  const Device device = Device::open(*opencl);
  EXPECT_EQ(message_of<UnsupportedFeature>([&] { (void)cuda::allocate_async(device.create_stream(), 16); }),
            "OpenCL has no memory in the order of a stream; open a CUDA device for it");
  EXPECT_EQ(message_of<UnsupportedFeature>([&] { (void)share(device.allocate(16)); }),
            "OpenCL has no memory shared by processes; open a CUDA device for it");
  EXPECT_EQ(message_of<UnsupportedFeature>([&] { cuda::set_limit(device, cuda::Limit::stack, 4096); }),
            "OpenCL has no limits and cache preferences of a context; open a CUDA device for it");
  EXPECT_EQ(message_of<UnsupportedFeature>([&] { const cuda::ProfiledPart part(device); }),
            "OpenCL has no parts of a program that a profiler records; open a CUDA device for it");
}

}  // namespace
}  // namespace maxwell_dg::core::test
