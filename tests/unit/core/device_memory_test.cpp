#include <algorithm>
#include <cstdint>
#include <numeric>
#include <thread>

#include "core/device/memory_pool.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

class DeviceMemory : public EveryDevice {};
MAXWELL_DG_ON_EVERY_DEVICE(DeviceMemory);

std::vector<int> counting(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST_P(DeviceMemory, what_is_written_is_read_back) {
  const Stream stream = device.create_stream();
  const auto values = counting(1001);
  const Buffer buffer = device.allocate(values.size() * sizeof(int));
  EXPECT_EQ(buffer.size_bytes(), 4004U);
  EXPECT_NE(buffer.raw(), 0U);
  upload(stream, buffer, values);
  EXPECT_EQ(download<int>(stream, buffer, values.size()), values);
}

TEST_P(DeviceMemory, offsets_are_in_bytes) {
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(4 * sizeof(int));
  upload(stream, buffer, std::vector{1, 2, 3, 4});
  upload(stream, buffer, std::vector{30}, 2);
  EXPECT_EQ(download<int>(stream, buffer, 4), (std::vector{1, 2, 30, 4}));
}

TEST_P(DeviceMemory, copy_moves_a_range_between_buffers) {
  const Stream stream = device.create_stream();
  const Buffer from = device.allocate(4 * sizeof(int));
  const Buffer to = device.allocate(4 * sizeof(int));
  upload(stream, from, std::vector{1, 2, 3, 4});
  upload(stream, to, std::vector{5, 6, 7, 8});
  stream.copy(from, sizeof(int), to, 2 * sizeof(int), 2 * sizeof(int));
  EXPECT_EQ(download<int>(stream, to, 4), (std::vector{5, 6, 2, 3}));
}

TEST_P(DeviceMemory, fill_zero_clears_all_of_an_odd_sized_buffer) {
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(1001);
  upload(stream, buffer, std::vector<std::uint8_t>(1001, 0xAB));
  stream.fill_zero(buffer);
  EXPECT_EQ(download<std::uint8_t>(stream, buffer, 1001), std::vector<std::uint8_t>(1001, 0));
}

TEST_P(DeviceMemory, large_buffers_keep_what_is_written_to_their_ends) {
  const Stream stream = device.create_stream();
  const auto values = counting((5U << 20) / sizeof(int) + 3);
  const Buffer buffer = device.allocate(values.size() * sizeof(int));
  upload(stream, buffer, values);
  const Buffer copy = device.allocate(buffer.size_bytes());
  stream.copy(buffer, 0, copy, 0, buffer.size_bytes());
  EXPECT_EQ(download<int>(stream, copy, values.size()), values);
}

TEST_P(DeviceMemory, large_buffers_may_go_while_they_are_in_use) {
  const Stream stream = device.create_stream();
  constexpr std::size_t size = std::size_t{5} << 20, count = 20;
  const Buffer last_numbers = device.allocate(count * sizeof(int));
  std::vector<int> expected;
  for (std::size_t i = 0; i < count; ++i) {
    const Buffer buffer = device.allocate(size);
    expected.push_back(static_cast<int>(i) + 1);
    stream.fill(buffer, expected.back());
    stream.copy(buffer, size - sizeof(int), last_numbers, i * sizeof(int), sizeof(int));
  }
  EXPECT_EQ(download<int>(stream, last_numbers, count), expected);
  EXPECT_EQ(device.allocated_bytes(), last_numbers.size_bytes());
}

TEST_P(DeviceMemory, a_buffer_of_no_bytes_takes_no_part_in_anything) {
  const Stream stream = device.create_stream();
  const Buffer empty = device.allocate(0);
  EXPECT_TRUE(empty);
  EXPECT_EQ(empty.size_bytes(), 0U);
  EXPECT_EQ(empty.raw(), 0U);
  stream.fill_zero(empty);
  stream.write(empty, 0, {});
  stream.read(empty, 0, {});
  stream.copy(empty, 0, Buffer(), 0, 0);
  EXPECT_EQ(device.allocated_bytes(), 0U);
}

TEST_P(DeviceMemory, a_range_outside_the_buffer_is_refused) {
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(16);
  const Buffer small = device.allocate(8);
  std::vector<std::byte> host(12);
  EXPECT_EQ(message_of<DeviceError>([&] { stream.write(buffer, 8, host); }),
            "Stream::write: bytes 8 to 20 do not lie in a buffer of 16 bytes");
  EXPECT_EQ(message_of<DeviceError>([&] { stream.read(buffer, 17, {}); }),
            "Stream::read: bytes 17 to 17 do not lie in a buffer of 16 bytes");
  EXPECT_EQ(message_of<DeviceError>([&] { stream.copy(buffer, 0, small, 0, 12); }),
            "Stream::copy, target: bytes 0 to 12 do not lie in a buffer of 8 bytes");
}

TEST_P(DeviceMemory, allocated_and_peak_bytes_follow_the_buffers) {
  EXPECT_EQ(device.allocated_bytes(), 0U);
  Buffer first = device.allocate(1000);
  {
    const Buffer second = device.allocate(500);
    EXPECT_EQ(device.allocated_bytes(), 1500U);
  }
  const Buffer alias = first;
  first = Buffer();
  EXPECT_EQ(device.allocated_bytes(), 1000U);
  EXPECT_EQ(device.peak_allocated_bytes(), 1500U);
  EXPECT_GT(device.free_bytes(), 0U);
}

TEST_P(DeviceMemory, too_large_a_request_says_what_was_asked_for) {
  const std::size_t bytes = std::size_t{1} << 50;
  const std::string message = message_of<OutOfDeviceMemory>([&] { (void)device.allocate(bytes); });
  EXPECT_NE(message.find("out of device memory"), std::string::npos) << message;
  EXPECT_NE(message.find("1.13e+03 TB"), std::string::npos) << message;
  EXPECT_NE(message.find(device.info().name), std::string::npos) << message;
  EXPECT_EQ(device.allocated_bytes(), 0U);
}

TEST_P(DeviceMemory, several_requests_cannot_exceed_the_device) {
  // Only where the driver's answer costs nothing: a CPU's memory is not touched by a request.
  if (!device.info().is_cpu) GTEST_SKIP() << "would fill the GPU, which others may be using";
  std::vector<Buffer> buffers;
  const std::size_t piece = device.info().memory_bytes / 8;  // OpenCL promises a quarter in one piece
  const std::string message = message_of<OutOfDeviceMemory>([&] {
    for (int i = 0; i < 9; ++i) buffers.push_back(device.allocate(piece));
  });
  EXPECT_EQ(buffers.size(), 8U);
  EXPECT_NE(message.find("are free on"), std::string::npos) << message;
}

TEST_P(DeviceMemory, pool_reuses_a_block_for_about_the_same_size) {
  MemoryPool pool(device);
  std::uintptr_t address = 0;
  {
    const Buffer buffer = pool.allocate(100000);
    address = buffer.raw();
    EXPECT_GE(buffer.size_bytes(), 100000U);
    EXPECT_LE(buffer.size_bytes(), 100000U * 17 / 16);
    EXPECT_EQ(pool.statistics().active_blocks, 1U);
    EXPECT_EQ(pool.statistics().held_blocks, 0U);
  }
  EXPECT_EQ(pool.statistics().active_bytes, 0U);
  EXPECT_EQ(pool.statistics().held_blocks, 1U);
  const Buffer again = pool.allocate(99500);
  EXPECT_EQ(again.raw(), address);
  EXPECT_EQ(pool.statistics().held_bytes, 0U);
  const Buffer other = pool.allocate(99500);
  EXPECT_NE(other.raw(), address);
}

TEST_P(DeviceMemory, pool_gives_held_blocks_back_when_trimmed) {
  MemoryPool pool(device);
  const Buffer kept = pool.allocate(256);
  { const Buffer freed = pool.allocate(1 << 20); }
  EXPECT_EQ(device.allocated_bytes(), 256U + (1U << 20));
  pool.trim();
  EXPECT_EQ(pool.statistics().held_blocks, 0U);
  EXPECT_EQ(device.allocated_bytes(), 256U);
}

TEST_P(DeviceMemory, pool_trims_and_tries_again_when_memory_is_short) {
  if (!device.info().is_cpu) GTEST_SKIP() << "would fill the GPU, which others may be using";
  MemoryPool pool(device);
  const std::size_t piece = device.info().memory_bytes / 9;
  {
    std::vector<Buffer> buffers;
    for (int i = 0; i < 8; ++i) buffers.push_back(pool.allocate(piece));
  }
  EXPECT_EQ(pool.statistics().held_blocks, 8U);
  const Buffer larger = pool.allocate(piece + piece / 4);  // fits no held block, nor beside them all
  EXPECT_EQ(pool.statistics().held_blocks, 0U);
  EXPECT_EQ(pool.statistics().active_blocks, 1U);
}

TEST_P(DeviceMemory, pool_gives_a_stream_only_its_own_blocks_while_others_live) {
  MemoryPool pool(device);
  const Stream first = device.create_stream();
  const Stream second = device.create_stream();
  std::uintptr_t address = 0;
  {
    const Buffer buffer = pool.allocate(1000, first);
    EXPECT_EQ(buffer.size_bytes(), 1000U);
    address = buffer.raw();
  }
  const Buffer of_second = pool.allocate(1000, second);
  EXPECT_NE(of_second.raw(), address) << "the first stream may still work on it";
  const Buffer of_first = pool.allocate(1000, first);
  EXPECT_EQ(of_first.raw(), address);
  EXPECT_EQ(pool.statistics().requests, 3U);
  EXPECT_EQ(pool.statistics().reused, 1U);
}

TEST_P(DeviceMemory, pool_hands_on_the_blocks_of_a_stream_that_is_gone) {
  MemoryPool pool(device);
  std::uintptr_t address = 0;
  {
    const Stream gone = device.create_stream();
    const Buffer buffer = pool.allocate(1000, gone);
    address = buffer.raw();
    gone.fill_zero(buffer);
  }
  const Stream stream = device.create_stream();
  const Buffer buffer = pool.allocate(1000, stream);
  EXPECT_EQ(buffer.raw(), address);
  stream.fill(buffer, 5);
  EXPECT_EQ(download<int>(stream, buffer, 250), std::vector<int>(250, 5));
}

TEST_P(DeviceMemory, pool_takes_back_what_is_released_early) {
  MemoryPool pool(device);
  const Buffer buffer = pool.allocate(1000);
  const std::uintptr_t address = buffer.raw();
  buffer.release();
  EXPECT_EQ(pool.statistics().held_blocks, 1U);
  const Buffer again = pool.allocate(1000);
  EXPECT_EQ(again.raw(), address);
  const Stream stream = device.create_stream();
  stream.fill_zero(again);
  EXPECT_NE(message_of<DeviceError>([&] { stream.fill_zero(buffer); }).find("given back"), std::string::npos);
}

TEST_P(DeviceMemory, pool_that_stops_holding_gives_everything_to_the_driver) {
  MemoryPool pool(device);
  { const Buffer buffer = pool.allocate(1000); }
  pool.stop_holding();
  EXPECT_EQ(device.allocated_bytes(), 0U);
  { const Buffer buffer = pool.allocate(1000); }
  EXPECT_EQ(device.allocated_bytes(), 0U);
  EXPECT_EQ(pool.statistics().active_blocks, 0U);
  EXPECT_GE(pool.statistics().peak_bytes, 1000U);
}

TEST_P(DeviceMemory, a_direct_allocation_gets_what_pools_hold_when_memory_is_short) {
  if (!device.info().is_cpu) GTEST_SKIP() << "would fill the GPU, which others may be using";
  MemoryPool pool(device);
  const std::size_t piece = device.info().memory_bytes / 9;
  {
    std::vector<Buffer> buffers;
    for (int i = 0; i < 8; ++i) buffers.push_back(pool.allocate(piece));
  }
  EXPECT_EQ(pool.statistics().held_blocks, 8U);
  const Buffer larger = device.allocate(piece + piece / 4);
  EXPECT_EQ(pool.statistics().held_blocks, 0U);
}

TEST_P(DeviceMemory, pool_serves_several_threads) {
  MemoryPool pool(device);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const Stream stream = device.create_stream();
        for (int i = 0; i < 200; ++i) {
          const Buffer buffer = pool.allocate(64 * static_cast<std::size_t>(1 + i % 5), stream);
          stream.fill(buffer, 1000 * t + i);
          ASSERT_EQ(download<int>(stream, buffer, 1)[0], 1000 * t + i);
        }
      });
    }
  }
  EXPECT_EQ(pool.statistics().active_blocks, 0U);
  EXPECT_EQ(pool.statistics().requests, 800U);
}

TEST_P(DeviceMemory, page_locked_pool_reuses_a_block_after_its_transfer) {
  HostMemoryPool pool(device);
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(4000);
  std::byte* address = nullptr;
  {
    const HostBuffer host = pool.allocate(4000, stream);
    ASSERT_EQ(host.size_bytes(), 4000U);
    address = host.bytes().data();
    std::ranges::fill(host.as<int>(), 7);
    stream.write(buffer, 0, host.bytes());
  }
  EXPECT_EQ(pool.statistics().held_blocks, 1U);
  stream.synchronize();
  const HostBuffer again = pool.allocate(3990, stream);
  EXPECT_EQ(again.bytes().data(), address);
  EXPECT_EQ(pool.statistics().reused, 1U);
  EXPECT_EQ(download<int>(stream, buffer, 1000), std::vector<int>(1000, 7));
  pool.trim();
  EXPECT_EQ(pool.statistics().held_blocks, 0U);
  EXPECT_EQ(pool.statistics().active_blocks, 1U);
}

TEST_P(DeviceMemory, pooled_buffer_outlives_its_pool) {
  const Stream stream = device.create_stream();
  Buffer buffer;
  {
    MemoryPool pool(device);
    buffer = pool.allocate(2 * sizeof(int));
  }
  upload(stream, buffer, std::vector{7, 8});
  EXPECT_EQ(download<int>(stream, buffer, 2), (std::vector{7, 8}));
  buffer = Buffer();
  EXPECT_EQ(device.allocated_bytes(), 0U);
}

}  // namespace
}  // namespace maxwell_dg::core::test
