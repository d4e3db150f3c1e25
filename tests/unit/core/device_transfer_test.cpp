#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <complex>
#include <cstdint>
#include <numeric>
#include <thread>

#include "core/device/host_call.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

class DeviceTransfer : public EveryDevice {
 protected:
  const Stream stream = device.create_stream();
};
MAXWELL_DG_ON_EVERY_DEVICE(DeviceTransfer);

std::vector<std::uint8_t> counting_bytes(std::size_t count) {
  std::vector<std::uint8_t> values(count);
  std::iota(values.begin(), values.end(), std::uint8_t{0});
  return values;
}

/// Byte (x, y, z) of a box of `extent` in memory laid out so.
std::uint8_t at(const std::vector<std::uint8_t>& memory, const BoxLayout& layout, std::array<std::size_t, 3> p) {
  return memory[layout.offset + p[0] + p[1] * layout.row_pitch + p[2] * layout.slice_pitch];
}

constexpr BoxExtent kBox{.width = 3, .height = 4, .depth = 2};
constexpr BoxLayout kWide{.offset = 5, .row_pitch = 8, .slice_pitch = 40};   // five rows a slice, one of them idle
constexpr BoxLayout kTight{.offset = 2, .row_pitch = 3, .slice_pitch = 12};  // what 0, 0 means

void expect_same_box(const std::vector<std::uint8_t>& a, const BoxLayout& la, const std::vector<std::uint8_t>& b,
                     const BoxLayout& lb) {
  for (std::size_t z = 0; z < kBox.depth; ++z) {
    for (std::size_t y = 0; y < kBox.height; ++y) {
      for (std::size_t x = 0; x < kBox.width; ++x) {
        EXPECT_EQ(at(a, la, {x, y, z}), at(b, lb, {x, y, z})) << x << " " << y << " " << z;
      }
    }
  }
}

TEST_P(DeviceTransfer, a_box_is_written_copied_and_read_at_its_pitches) {
  const auto host = counting_bytes(100);
  const Buffer tight = device.allocate(30);
  const Buffer wide = device.allocate(100);
  stream.fill_zero(tight);
  stream.fill_zero(wide);
  stream.write_box(tight, {.offset = 2}, std::as_bytes(std::span(host)), kWide, kBox);
  stream.copy_box(tight, {.offset = 2}, wide, kWide, kBox);
  std::vector<std::uint8_t> back(60, 255);
  stream.read_box(wide, kWide, std::as_writable_bytes(std::span(back)), {.offset = 2}, kBox);
  const auto in_wide = download<std::uint8_t>(stream, wide, 100);
  expect_same_box(host, kWide, in_wide, kWide);
  expect_same_box(host, kWide, back, kTight);
  EXPECT_EQ(in_wide[kWide.offset + 3], 0) << "between two rows nothing is written";
  EXPECT_EQ(in_wide[kWide.offset + 4 * 8], 0) << "between two slices nothing is written";
  EXPECT_EQ(back[2 + 24], 255) << "behind the box nothing is written";
}

TEST_P(DeviceTransfer, a_matrix_tile_is_a_box_without_depth) {
  std::vector<int> matrix(6 * 7);
  std::iota(matrix.begin(), matrix.end(), 0);
  const Buffer buffer = device.allocate(matrix.size() * sizeof(int));
  upload(stream, buffer, matrix);
  std::vector<int> tile(2 * 3);
  constexpr std::size_t row = 7 * sizeof(int);
  stream.read_box(buffer, {.offset = 3 * row + 2 * sizeof(int), .row_pitch = row},
                  std::as_writable_bytes(std::span(tile)), {}, {.width = 3 * sizeof(int), .height = 2});
  stream.synchronize();
  EXPECT_EQ(tile, (std::vector{23, 24, 25, 30, 31, 32}));
}

TEST_P(DeviceTransfer, a_box_is_filled_with_patterns_of_every_size) {
  constexpr BoxExtent box{.width = 32, .height = 5, .depth = 3};
  constexpr BoxLayout layout{.offset = 16, .row_pitch = 48, .slice_pitch = 6 * 48};
  constexpr std::size_t bytes = 16 + 3 * 6 * 48;
  const Buffer buffer = device.allocate(bytes);
  for (const std::size_t size : {1, 2, 4, 8, 16}) {
    std::vector<std::uint8_t> pattern(size);
    std::iota(pattern.begin(), pattern.end(), std::uint8_t{1});
    stream.fill_zero(buffer);
    stream.fill_box(buffer, layout, box, std::as_bytes(std::span(pattern)));
    std::vector<std::uint8_t> expected(bytes);
    for (std::size_t z = 0; z < box.depth; ++z) {
      for (std::size_t y = 0; y < box.height; ++y) {
        for (std::size_t x = 0; x < box.width; ++x) {
          expected[layout.offset + x + y * layout.row_pitch + z * layout.slice_pitch] = pattern[x % size];
        }
      }
    }
    EXPECT_EQ(download<std::uint8_t>(stream, buffer, bytes), expected) << size;
  }
  const std::array<std::byte, 4> word{};
  EXPECT_EQ(
      message_of<DeviceError>([&] { stream.fill_box(buffer, {.row_pitch = 34}, {.width = 8, .height = 2}, word); }),
      "Stream::fill_box: rows of 8 bytes at 0 with a pitch of 34 do not begin and end with a pattern of 4 bytes");
  EXPECT_THROW(stream.fill_box(buffer, {}, {.width = bytes + 4}, word), DeviceError);
}

TEST_P(DeviceTransfer, a_box_outside_its_memory_is_refused) {
  const Buffer buffer = device.allocate(30);
  std::vector<std::byte> host(60);
  const auto write = [&](const BoxLayout& to, const BoxExtent& extent) {
    return message_of<DeviceError>([&] { stream.write_box(buffer, to, host, {}, extent); });
  };
  EXPECT_EQ(write({.row_pitch = 8}, {.width = 3, .height = 5}),
            "Stream::write_box, target: bytes 0 to 35 do not lie in a buffer of 30 bytes");
  EXPECT_EQ(write({.row_pitch = 2}, {.width = 3, .height = 2}),
            "Stream::write_box, target: rows of 3 bytes overlap at a pitch of 2");
  EXPECT_EQ(write({.row_pitch = 4, .slice_pitch = 9}, {.width = 3, .height = 2, .depth = 2}),
            "Stream::write_box, target: a slice pitch of 9 is no multiple of the row pitch 4 that holds 2 rows");
  EXPECT_EQ(write({}, {.width = 3, .height = SIZE_MAX / 2, .depth = 2}),
            "Stream::write_box, source: the box has more bytes than an address has");
  stream.write_box(buffer, {}, host, {}, {.width = 3, .height = 0});  // nothing is nothing to do
}

TEST_P(DeviceTransfer, pitched_memory_has_rows_that_begin_evenly) {
  const PitchedBuffer pitched = device.allocate_pitched({.width = 100, .height = 5, .depth = 2});
  EXPECT_GE(pitched.layout.row_pitch, 100U);
  EXPECT_EQ(pitched.layout.row_pitch % 32, 0U);
  EXPECT_EQ(pitched.layout.slice_pitch, 5 * pitched.layout.row_pitch);
  EXPECT_EQ(pitched.buffer.size_bytes(), 2 * pitched.layout.slice_pitch);
  EXPECT_NE(message_of<DeviceError>([&] {
              (void)device.allocate_pitched({.width = 100, .height = SIZE_MAX / 2});
            }).find("more bytes than an address has"),
            std::string::npos);
}

TEST_P(DeviceTransfer, fill_repeats_patterns_of_every_size) {
  const auto expect_filled = [&]<class T>(const T& value) {
    const Buffer buffer = device.allocate(37 * sizeof(T));
    stream.fill_zero(buffer);
    stream.fill(buffer, sizeof(T), 35 * sizeof(T), std::as_bytes(std::span(&value, 1)));
    std::vector<T> expected(37, value);
    expected.front() = expected.back() = T{};
    EXPECT_EQ(download<T>(stream, buffer, 37), expected) << sizeof(T) << " bytes";
    stream.fill(buffer, value);
    EXPECT_EQ(download<T>(stream, buffer, 37), std::vector<T>(37, value));
  };
  expect_filled(std::uint8_t{7});
  expect_filled(std::uint16_t{0x1234});
  expect_filled(std::int32_t{-5});
  expect_filled(1.5e-300);
  expect_filled(std::complex<double>(0.1, -0.2));
}

TEST_P(DeviceTransfer, a_pattern_that_does_not_fit_is_refused) {
  const Buffer buffer = device.allocate(32);
  const std::array<std::byte, 4> four{};
  EXPECT_EQ(message_of<DeviceError>([&] { stream.fill(buffer, 2, 8, four); }),
            "Stream::fill: 8 bytes at 2 are no whole number of patterns of 4 bytes");
  EXPECT_EQ(message_of<DeviceError>([&] { stream.fill(buffer, 0, 9, std::span(four).first(3)); }),
            "Stream::fill: a pattern of 3 bytes; it may have 1, 2, 4, 8 or 16");
  EXPECT_EQ(message_of<DeviceError>([&] { stream.fill(buffer, 16, 32, four); }),
            "Stream::fill: bytes 16 to 48 do not lie in a buffer of 32 bytes");
}

TEST_P(DeviceTransfer, page_locked_memory_is_sent_and_received) {
  const HostBuffer from = device.allocate_host(1000 * sizeof(int));
  const HostBuffer to = device.allocate_host(1000 * sizeof(int));
  const std::span<int> values = from.as<int>();
  ASSERT_EQ(values.size(), 1000U);
  std::iota(values.begin(), values.end(), 3);
  std::ranges::fill(to.as<int>(), 0);
  const Buffer buffer = device.allocate(from.size_bytes());
  stream.write(buffer, 0, from.bytes());
  stream.read(buffer, 0, to.bytes());
  stream.synchronize();
  EXPECT_TRUE(std::ranges::equal(to.as<int>(), values));
  EXPECT_NE(message_of<DeviceError>([&] { (void)from.device_view(); }).find("HostMemory::mapped"), std::string::npos);
}

TEST_P(DeviceTransfer, memory_of_the_callers_can_be_page_locked_for_a_while) {
  std::vector<int> values(5000);
  std::iota(values.begin(), values.end(), 1);
  const auto expected = values;
  const Buffer buffer = device.allocate(values.size() * sizeof(int));
  {
    const HostBuffer locked = device.register_host(std::as_writable_bytes(std::span(values)));
    EXPECT_EQ(static_cast<void*>(locked.bytes().data()), static_cast<void*>(values.data()));
    stream.write(buffer, 0, locked.bytes());
    stream.fill(buffer, 0, 4, std::as_bytes(std::span(expected).subspan(9, 1)));
    stream.read(buffer, 0, locked.bytes());
    stream.synchronize();
  }
  EXPECT_EQ(values[0], 10);
  EXPECT_TRUE(std::equal(values.begin() + 1, values.end(), expected.begin() + 1));
}

TEST_P(DeviceTransfer, kernels_work_in_place_on_mapped_and_managed_memory) {
  const Kernel twice = build_module(device, "KERNEL void twice(GLOBAL int* x) { x[ITEM] *= 2; }").kernel("twice");
  for (const HostMemory kind : {HostMemory::mapped, HostMemory::managed}) {
    HostBuffer shared;
    try {
      shared = device.allocate_host(64 * sizeof(int), kind);
    } catch (const UnsupportedFeature& error) {
      GTEST_SKIP() << error.what();
    }
    const std::span<int> values = shared.as<int>();
    std::iota(values.begin(), values.end(), 0);
    twice.launch(stream, {.group_size = {64, 1, 1}}, {shared.device_view()});
    stream.synchronize();
    for (int i = 0; i < 64; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], 2 * i);
  }
}

TEST_P(DeviceTransfer, write_combined_memory_is_cuda_only) {
  if (device.info().backend == Backend::cuda) {
    const HostBuffer memory = device.allocate_host(64, HostMemory::write_combined);
    std::ranges::fill(memory.bytes(), std::byte{9});
    const Buffer buffer = device.allocate(64);
    stream.write(buffer, 0, memory.bytes());
    EXPECT_EQ(download<std::uint8_t>(stream, buffer, 64), std::vector<std::uint8_t>(64, 9));
    return;
  }
  EXPECT_EQ(message_of<UnsupportedFeature>([&] { (void)device.allocate_host(64, HostMemory::write_combined); }),
            "OpenCL has no write-combined host memory; use HostMemory::page_locked");
}

TEST_P(DeviceTransfer, a_region_shares_memory_and_keeps_it) {
  Buffer region;
  constexpr std::size_t half = 4096;
  {
    const Buffer whole = device.allocate(2 * half);
    stream.fill_zero(whole);
    region = whole.region(half, half);
    stream.fill(region, 7);
    EXPECT_EQ(download<int>(stream, whole, 2 * half / 4)[half / 4 - 1], 0);
    EXPECT_EQ(download<int>(stream, whole, 2 * half / 4)[half / 4], 7);
  }
  EXPECT_EQ(region.size_bytes(), half);
  EXPECT_EQ(device.allocated_bytes(), 2 * half) << "the region keeps the whole";
  const Buffer inner = region.region(half / 2, 16);
  stream.fill(inner, 8);
  EXPECT_EQ(download<int>(stream, region, half / 4)[half / 8], 8);
  EXPECT_NE(message_of<DeviceError>([&] { (void)region.region(half - 8, 16); }).find("are no part of a buffer"),
            std::string::npos);
  if (device.info().backend == Backend::opencl) {
    EXPECT_NE(message_of<DeviceError>([&] { (void)region.region(4, 16); }).find("is no multiple of the"),
              std::string::npos);
  }
}

TEST_P(DeviceTransfer, a_host_function_is_called_between_the_work_before_and_after_it) {
  const Buffer x = device.allocate(4 * sizeof(int));
  std::vector<int> before(4), after(4);
  std::vector<int> seen;
  std::atomic<bool> ended = false;
  stream.fill(x, 5);
  stream.read(x, 0, std::as_writable_bytes(std::span(before)));
  call_on_host(stream, [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    seen = before;
    ended = true;
  });
  const Event event = stream.record();
  event.synchronize();
  EXPECT_TRUE(ended) << "work after it waits for it";
  EXPECT_EQ(seen, std::vector<int>(4, 5)) << "work before it is done";
  call_on_host(stream, [&] { seen.clear(); });
  stream.synchronize();
  EXPECT_TRUE(seen.empty());
}

TEST_P(DeviceTransfer, a_stream_of_opencl_does_not_end_before_its_work) {
  if (device.info().backend != Backend::opencl) GTEST_SKIP() << "CUDA ends streams beside their work";
  std::atomic<bool> ended = false;
  {
    const Stream other = device.create_stream();
    call_on_host(other, [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      ended = true;
    });
  }
  EXPECT_TRUE(ended);
}

TEST_P(DeviceTransfer, memory_can_be_given_back_early) {
  const Buffer buffer = device.allocate(1000);
  const Buffer alias = buffer;
  const Buffer part = buffer.region(0, 100);
  buffer.release();
  EXPECT_EQ(device.allocated_bytes(), 1000U) << "the part keeps it";
  EXPECT_EQ(message_of<DeviceError>([&] { stream.fill_zero(alias); }),
            "a Buffer was used after its memory was given back by Buffer::release");
  stream.fill_zero(part);
  part.release();
  EXPECT_EQ(device.allocated_bytes(), 0U);
  part.release();  // once more is nothing to do
}

TEST_P(DeviceTransfer, memory_and_streams_of_others_are_used_and_not_freed) {
  const Buffer theirs = device.allocate(16);
  const Stream their_stream = device.create_stream();
  {
    auto owner = std::make_shared<int>(0);
    const Buffer ours = device.wrap_buffer(theirs.raw(), 16, owner);
    EXPECT_EQ(owner.use_count(), 2);
    EXPECT_EQ(ours.raw(), theirs.raw());
    device.wrap_stream(their_stream.raw()).fill(ours, 5);
    device.wrap_stream(their_stream.raw()).synchronize();
  }
  EXPECT_EQ(download<int>(their_stream, theirs, 4), std::vector<int>(4, 5));
}

}  // namespace
}  // namespace maxwell_dg::core::test
