#include <cstdint>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "core/device/prepared_launch.hpp"
#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

class DeviceContext : public EveryDevice {};
MAXWELL_DG_ON_EVERY_DEVICE(DeviceContext);

constexpr const char* kAdd = "KERNEL void add(GLOBAL int* x, int what) { x[ITEM] += what; }";

TEST_P(DeviceContext, attributes_are_a_table_of_names_and_values) {
  const auto attributes = device.attributes();
  std::set<std::string> names;
  std::string group;
  for (const DeviceAttribute& attribute : attributes) {
    names.insert(attribute.name);
    if (attribute.name == "MAX_THREADS_PER_BLOCK" || attribute.name == "MAX_WORK_GROUP_SIZE") group = attribute.value;
  }
  EXPECT_GE(attributes.size(), 50U);
  EXPECT_EQ(names.size(), attributes.size());
  EXPECT_EQ(group, std::to_string(device.info().max_group_size));
  EXPECT_TRUE(names.contains("NAME"));
}

TEST_P(DeviceContext, fingerprint_is_the_same_for_the_same_device) {
  const std::string print = device.fingerprint();
  EXPECT_EQ(print.size(), 64U);
  EXPECT_EQ(print, Device::open(GetParam(), ContextKind::own).fingerprint());
}

TEST_P(DeviceContext, several_contexts_of_one_device_work_side_by_side) {
  const Device own = Device::open(GetParam(), ContextKind::own);
  const Device other = Device::open(GetParam(), ContextKind::own);
  EXPECT_NE(own.raw(), other.raw());
  EXPECT_NE(own.raw(), device.raw());
  std::vector<Stream> streams;
  std::vector<Buffer> buffers;
  int value = 1;
  for (const Device& each : {device, own, other}) {
    streams.push_back(each.create_stream());
    buffers.push_back(each.allocate(16));
    streams.back().fill_zero(buffers.back());
    build_module(each, kAdd).kernel("add").launch(streams.back(), {.group_size = {4, 1, 1}}, {buffers.back(), value++});
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(download<int>(streams[i], buffers[i], 4), std::vector<int>(4, static_cast<int>(i) + 1));
  }
}

TEST_P(DeviceContext, handles_keep_an_own_context_alive) {
  Buffer buffer;
  Stream stream;
  {
    const Device own = Device::open(GetParam(), ContextKind::own);
    buffer = own.allocate(16);
    stream = own.create_stream();
  }
  stream.fill(buffer, 3);
  EXPECT_EQ(download<int>(stream, buffer, 4), std::vector<int>(4, 3));
}

TEST_P(DeviceContext, streams_have_priorities_where_the_device_has_them) {
  const Buffer buffer = device.allocate(16);
  for (const StreamPriority priority : {StreamPriority::low, StreamPriority::normal, StreamPriority::high}) {
    try {
      const Stream stream = device.create_stream({.priority = priority});
      stream.fill(buffer, static_cast<int>(priority));
      EXPECT_EQ(download<int>(stream, buffer, 1)[0], static_cast<int>(priority));
    } catch (const UnsupportedFeature& error) {
      EXPECT_EQ(device.info().backend, Backend::opencl);
      EXPECT_NE(std::string(error.what()).find("cl_khr_priority_hints"), std::string::npos);
      EXPECT_NE(priority, StreamPriority::normal);
    }
  }
}

TEST_P(DeviceContext, an_event_without_timing_orders_and_does_not_time) {
  const Stream stream = device.create_stream();
  const Event event = stream.record(EventKind::order);
  device.create_stream().wait(event);
  event.synchronize();
  EXPECT_TRUE(event.is_done());
  EXPECT_NE(event.raw(), 0U);
  EXPECT_EQ(message_of<DeviceError>([&] { (void)Event::seconds_between(event, stream.record()); }),
            "Event::seconds_between: an event was recorded without timing; record it as EventKind::timing");
}

TEST_P(DeviceContext, a_suggested_group_size_can_be_launched) {
  const Kernel add = build_module(device, kAdd).kernel("add");
  const std::size_t size = add.suggested_group_size();
  const KernelAttributes attributes = add.attributes();
  EXPECT_GE(size, 1U);
  EXPECT_LE(size, attributes.max_group_size);
  EXPECT_GE(attributes.group_size_multiple, 1U);
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(size * sizeof(int));
  stream.fill_zero(buffer);
  add.launch(stream, {.group_size = {size, 1, 1}}, {buffer, 2});
  EXPECT_EQ(download<int>(stream, buffer, size), std::vector<int>(size, 2));
}

TEST_P(DeviceContext, a_prepared_launch_keeps_its_arguments_and_changes_one) {
  const Stream stream = device.create_stream();
  Buffer buffer = device.allocate(4 * sizeof(int));
  const Buffer other = device.allocate(4 * sizeof(int));
  stream.fill_zero(buffer);
  stream.fill_zero(other);
  PreparedLaunch add(build_module(device, kAdd).kernel("add"), {.group_size = {4, 1, 1}}, {buffer, 3});
  const Buffer kept = buffer;
  buffer = Buffer();
  add.launch(stream);
  add.launch(stream);
  add.set(1, 10);
  add.launch(stream);
  EXPECT_EQ(download<int>(stream, kept, 4), std::vector<int>(4, 16));
  add.set(0, other);
  add.launch(stream);
  EXPECT_EQ(download<int>(stream, other, 4), std::vector<int>(4, 10));
  EXPECT_EQ(message_of<DeviceError>([&] { add.set(2, 1); }),
            "kernel 'add' has no argument 2; it takes 2, counted from 0");
  EXPECT_NE(message_of<DeviceError>([&] { add.set(1, 1.0); }).find("kernel 'add', argument 1: its type or size"),
            std::string::npos);
}

TEST_P(DeviceContext, a_prepared_launch_is_checked_when_it_is_made) {
  const Kernel add = build_module(device, kAdd).kernel("add");
  EXPECT_EQ(message_of<DeviceError>([&] { const PreparedLaunch bad(add, {}, {Buffer()}); }),
            "kernel 'add' takes 2 arguments, 1 were given");
  EXPECT_NE(message_of<DeviceError>([&] {
              const PreparedLaunch bad(add, {.group_size = {0, 1, 1}}, {Buffer(), 1});
            }).find("kernel 'add': group size 0"),
            std::string::npos);
}

TEST_P(DeviceContext, threads_launch_their_own_prepared_launches) {
  const Kernel add = build_module(device, kAdd).kernel("add");
  std::vector<int> results(4);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const Stream stream = device.create_stream();
        const Buffer buffer = device.allocate(sizeof(int));
        stream.fill_zero(buffer);
        const PreparedLaunch mine(add, {}, {buffer, t + 1});
        for (int i = 0; i < 500; ++i) mine.launch(stream);
        results[static_cast<std::size_t>(t)] = download<int>(stream, buffer, 1)[0];
      });
    }
  }
  EXPECT_EQ(results, (std::vector{500, 1000, 1500, 2000}));
}

TEST_P(DeviceContext, cooperative_launches_and_module_variables_are_cuda_only) {
  if (device.info().backend == Backend::cuda) GTEST_SKIP() << "tested in core_cuda_test";
  const Module module = build_module(device, kAdd);
  EXPECT_EQ(message_of<UnsupportedFeature>([&] {
              module.kernel("add").launch(device.create_stream(), {.kind = LaunchKind::cooperative}, {Buffer(), 1});
            }),
            "kernel 'add': OpenCL has no cooperative launch; split the kernel where its groups wait");
  EXPECT_EQ(message_of<UnsupportedFeature>([&] { (void)module.global("x"); }),
            "OpenCL has no access from the host to a module's variables ('x' of 'test'); give the kernel a buffer");
}

// Each launch moves all numbers by a group and adds one; the first groups take long, and let the next launch begin
// before.
TEST_P(DeviceContext, overlapping_launches_see_all_that_the_one_before_wrote) {
  const Kernel move = build_module(device, R"(
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define NEXT_MAY_BEGIN() asm volatile("griddepcontrol.launch_dependents;" ::: "memory")
#define WAIT_FOR_PREVIOUS() asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define NEXT_MAY_BEGIN()
#define WAIT_FOR_PREVIOUS()
#endif
KERNEL void move(GLOBAL const int* from, GLOBAL int* to, int count, int rounds) {
  WAIT_FOR_PREVIOUS();
  NEXT_MAY_BEGIN();
  const int i = ITEM;
  uint x = from[(i + 64) % count];
  if (i < count / 2) {  // there, and back again
    for (int round = 0; round < rounds; ++round) x = (x ^ round) * 5;
    for (int round = rounds - 1; round >= 0; --round) x = x * 0xcccccccdu ^ round;
  }
  to[i] = x + 1;
})")
                          .kernel("move");
  const int groups = 100, count = 64 * groups, launches = 2 * groups;
  const Stream stream = device.create_stream();
  Buffer from = device.allocate(count * sizeof(int)), to = device.allocate(count * sizeof(int));
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  upload(stream, from, values);
  for (int i = 0; i < launches; ++i) {
    move.launch(stream, {.groups = {groups, 1, 1}, .group_size = {64, 1, 1}, .kind = LaunchKind::overlapping},
                {from, to, count, 2000});
    std::swap(from, to);
  }
  for (int& value : values) value += launches;  // back in its place, as it went round twice
  EXPECT_EQ(download<int>(stream, from, count), values);
}

TEST_P(DeviceContext, a_driver_error_has_call_code_and_meaning) {
  const std::vector<std::byte> noise(100, std::byte{7});
  try {
    (void)device.load(noise, "noise");
    FAIL() << "loaded";
  } catch (const DriverError& error) {
    const DriverError::Failure& failure = error.failure();
    EXPECT_EQ(failure.api, name_of(device.info().backend));
    EXPECT_FALSE(failure.call.empty());
    EXPECT_NE(failure.code, 0);
    EXPECT_TRUE(failure.name.starts_with("CUDA_ERROR_") || failure.name.starts_with("CL_")) << failure.name;
    EXPECT_FALSE(failure.meaning.empty());
    EXPECT_NE(failure.remedy.find("module 'noise'"), std::string::npos) << failure.remedy;
    EXPECT_EQ(std::string(error.what()), failure.api + ": " + failure.call + " failed with " + failure.name + " (" +
                                             std::to_string(failure.code) + "): " + failure.meaning + "; " +
                                             failure.remedy);
  }
}

}  // namespace
}  // namespace maxwell_dg::core::test
