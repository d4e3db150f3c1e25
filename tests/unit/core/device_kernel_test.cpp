#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <thread>

#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

class DeviceKernel : public EveryDevice {};
MAXWELL_DG_ON_EVERY_DEVICE(DeviceKernel);

constexpr const char* kAddToFirst = R"(
KERNEL void add(GLOBAL int* values, int count, int what) {
  if (ITEM < count) values[ITEM] += what;
}
)";

TEST_P(DeviceKernel, every_argument_type_arrives) {
  const Module module = build_module(device, R"(
KERNEL void store(GLOBAL double* out, GLOBAL int* none, int i, uint u, int64 l, uint64 m, float f, double d) {
  out[0] = i;
  out[1] = u;
  out[2] = (double)(l >> 4);
  out[3] = (double)(m >> 12);
  out[4] = f;
  out[5] = d;
  out[6] = none == 0;
}
)");
  const Stream stream = device.create_stream();
  const Buffer out = device.allocate(7 * sizeof(double));
  module.kernel("store").launch(stream, {},
                                {out, Buffer(), std::int32_t{-5}, std::uint32_t{4000000000U},
                                 std::int64_t{-(std::int64_t{1} << 60)}, ~std::uint64_t{0}, 0.5F, 1e-300});
  EXPECT_EQ(download<double>(stream, out, 7),
            (std::vector<double>{-5, 4e9, -72057594037927936.0, 4503599627370495.0, 0.5, 1e-300, 1}));
}

TEST_P(DeviceKernel, small_and_complex_and_struct_arguments_arrive) {
  struct Three {
    std::int32_t a;
    float b;
    std::int32_t c;
  };
  const Module module = build_module(device, R"(
typedef struct { int a; float b; int c; } Three;
KERNEL void store(GLOBAL double* out, uchar yes, char i8, uchar u8, short i16, ushort u16, float2 z, double2 w,
                  Three three) {
  out[0] = yes;
  out[1] = i8;
  out[2] = u8;
  out[3] = i16;
  out[4] = u16;
  out[5] = z.x; out[6] = z.y;
  out[7] = w.x; out[8] = w.y;
  out[9] = three.a; out[10] = three.b; out[11] = three.c;
}
)");
  const Stream stream = device.create_stream();
  const Buffer out = device.allocate(12 * sizeof(double));
  module.kernel("store").launch(
      stream, {},
      {out, true, std::int8_t{-7}, std::uint8_t{200}, std::int16_t{-30000}, std::uint16_t{60000},
       std::complex<float>(0.5F, -2.0F), std::complex<double>(1e-300, 3.0), StructArgument(Three{11, 0.25F, -13})});
  EXPECT_EQ(download<double>(stream, out, 12),
            (std::vector<double>{1, -7, 200, -30000, 60000, 0.5, -2, 1e-300, 3, 11, 0.25, -13}));
}

TEST(KernelArgument, is_described_by_its_type) {
  EXPECT_EQ(describe(Buffer()), "a buffer");
  EXPECT_EQ(describe(1), "an int32");
  EXPECT_EQ(describe(std::size_t{1}), "a uint64");
  EXPECT_EQ(describe(true), "a bool");
  EXPECT_EQ(describe(std::complex<float>()), "a complex64");
  EXPECT_EQ(describe(StructArgument(std::array<char, 5>{})), "a struct of 5 bytes");
  EXPECT_EQ(size_of(KernelArgument(std::complex<double>())), 16U);
  EXPECT_EQ(size_of(KernelArgument(Buffer())), sizeof(void*));
}

TEST_P(DeviceKernel, groups_and_items_cover_the_range_in_order_with_other_work) {
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(100 * sizeof(int));
  stream.fill_zero(buffer);
  add.launch(stream, {.groups = {2, 1, 1}, .group_size = {64, 1, 1}}, {buffer, 100, 3});
  add.launch(stream, {.groups = {1, 1, 1}, .group_size = {64, 1, 1}}, {buffer, 2, 10});
  std::vector<int> expected(100, 3);
  expected[0] = expected[1] = 13;
  EXPECT_EQ(download<int>(stream, buffer, 100), expected);
}

TEST_P(DeviceKernel, a_launch_of_no_groups_does_nothing) {
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(sizeof(int));
  upload(stream, buffer, std::vector{1});
  add.launch(stream, {.groups = {0, 1, 1}, .group_size = {64, 1, 1}}, {buffer, 1, 3});
  EXPECT_EQ(download<int>(stream, buffer, 1), (std::vector{1}));
}

TEST_P(DeviceKernel, a_wrong_number_of_arguments_names_the_kernel) {
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  const Stream stream = device.create_stream();
  EXPECT_EQ(message_of<DeviceError>([&] {
              add.launch(stream, {}, {Buffer(), 1});
            }),
            "kernel 'add' takes 3 arguments, 2 were given");
}

TEST_P(DeviceKernel, an_argument_of_the_wrong_size_names_kernel_and_argument) {
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  const Stream stream = device.create_stream();
  const std::string message = message_of<DeviceError>([&] {
    add.launch(stream, {}, {device.allocate(4), std::int64_t{1}, 3});
  });
  EXPECT_NE(message.find("kernel 'add', argument 1: its type or size is wrong"), std::string::npos) << message;
}

TEST_P(DeviceKernel, a_number_for_a_pointer_is_refused_where_the_driver_tells) {
  if (device.info().backend == Backend::cuda) GTEST_SKIP() << "the CUDA driver tells sizes of parameters, no types";
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  const Stream stream = device.create_stream();
  EXPECT_EQ(message_of<DeviceError>([&] {
              add.launch(stream, {}, {std::uint64_t{0}, 1, 3});
            }),
            "kernel 'add', argument 0: its type or size is wrong; a pointer is taken, a uint64 was given");
  EXPECT_EQ(message_of<DeviceError>([&] {
              add.launch(stream, {}, {device.allocate(4), 1.0F, 3});
            }),
            "kernel 'add', argument 1: its type or size is wrong; an integer is taken, a float32 was given");
  const Kernel named =
      build_module(device, "typedef float own;\nKERNEL void f(GLOBAL own* y, own a) { *y = a; }").kernel("f");
  EXPECT_EQ(message_of<DeviceError>([&] {
              named.launch(stream, {}, {device.allocate(4), device.allocate(4)});
            }),
            "kernel 'f', argument 1: its type or size is wrong; a value is taken, a buffer was given");
}

TEST_P(DeviceKernel, a_group_larger_than_the_device_allows_is_refused) {
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  const Stream stream = device.create_stream();
  const auto launch = [&](std::array<std::size_t, 3> size) {
    add.launch(stream, {.groups = {1, 1, 1}, .group_size = size}, {device.allocate(4), 1, 3});
  };
  EXPECT_NE(message_of<DeviceError>([&] {
              launch({1 << 20, 1, 1});
            }).find("kernel 'add': group size 1048576"),
            std::string::npos);
  EXPECT_NE(message_of<DeviceError>([&] { launch({0, 1, 1}); }).find("kernel 'add': group size 0"), std::string::npos);
  EXPECT_NE(message_of<DeviceError>([&] {
              launch({1024, 8, 1});
            }).find("a group of 8192 work-items"),
            std::string::npos);
}

TEST_P(DeviceKernel, a_launch_larger_than_can_be_counted_is_refused) {
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  const Stream stream = device.create_stream();
  const std::string message = message_of<DeviceError>([&] {
    add.launch(stream, {.groups = {std::size_t{1} << 62, 1, 1}, .group_size = {64, 1, 1}}, {device.allocate(4), 1, 3});
  });
  EXPECT_NE(message.find("kernel 'add': "), std::string::npos) << message;
  EXPECT_NE(message.find("4611686018427387904"), std::string::npos) << message;
}

TEST_P(DeviceKernel, dynamic_shared_memory_is_cuda_only) {
  const bool is_cuda = device.info().backend == Backend::cuda;
  const Stream stream = device.create_stream();
  const Buffer out = device.allocate(sizeof(int));
  if (!is_cuda) {
    const Kernel add = build_module(device, kAddToFirst).kernel("add");
    EXPECT_NE(message_of<DeviceError>([&] {
                add.launch(stream, {.dynamic_shared_bytes = 64}, {out, 1, 3});
              }).find("OpenCL has no dynamic shared memory"),
              std::string::npos);
    return;
  }
  const Kernel last = build_module(device, R"(
KERNEL void last(GLOBAL int* out, int count) {
  extern __shared__ int items[];
  for (int i = LOCAL_ITEM; i < count; i += 32) items[i] = i;
  BARRIER;
  if (LOCAL_ITEM == 0) out[0] = items[count - 1];
})")
                          .kernel("last");
  const int count = 64 * 1024 / 4;  // beyond the 48 KB that need no permission
  last.launch(stream, {.group_size = {32, 1, 1}, .dynamic_shared_bytes = 64 * 1024}, {out, count});
  EXPECT_EQ(download<int>(stream, out, 1), (std::vector{count - 1}));
  EXPECT_NE(message_of<DeviceError>([&] {
              last.launch(stream, {.group_size = {32, 1, 1}, .dynamic_shared_bytes = 1 << 20}, {out, count});
            }).find("kernel 'last' asks for 1048576 bytes of shared memory"),
            std::string::npos);
}

TEST_P(DeviceKernel, attributes_tell_static_shared_memory) {
  const Kernel reverse = build_module(device, R"(
KERNEL void reverse(GLOBAL float* values) {
  SHARED float all[64];
  all[LOCAL_ITEM] = values[ITEM];
  BARRIER;
  values[ITEM] = all[63 - LOCAL_ITEM];
})")
                             .kernel("reverse");
  EXPECT_EQ(reverse.name(), "reverse");
  EXPECT_GE(reverse.attributes().max_group_size, 64U);
  if (device.info().backend == Backend::opencl && reverse.attributes().shared_bytes == 0) {
    GTEST_SKIP() << "this OpenCL driver does not tell a kernel's local memory: " << device.info().driver;
  }
  if (device.info().backend == Backend::cuda) {
    EXPECT_EQ(reverse.attributes().shared_bytes, 64 * sizeof(float));
  } else {
    // OpenCL counts what the driver itself needs there (clGetKernelWorkGroupInfo, CL_KERNEL_LOCAL_MEM_SIZE): NVIDIA's
    // says 260 bytes.
    EXPECT_GE(reverse.attributes().shared_bytes, 64 * sizeof(float));
  }
}

TEST_P(DeviceKernel, a_missing_kernel_names_module_and_kernel) {
  const Module module = build_module(device, kAddToFirst);
  EXPECT_NE(
      message_of<DeviceError>([&] { (void)module.kernel("subtract"); }).find("module 'test' has no kernel 'subtract'"),
      std::string::npos);
}

TEST_P(DeviceKernel, a_failed_build_is_a_log_that_names_file_and_line) {
  const BuildResult result = device.build(
      {.name = "broken.kernel",
       .text = prologue(device.info().backend) + "#line 1 \"broken.kernel\"\n\nKERNEL void k(\n  nonsense x) {}\n",
       .headers = {},
       .options = {}});
  EXPECT_FALSE(result.ok);
  EXPECT_TRUE(result.binary.empty());
  EXPECT_NE(result.log.find("nonsense"), std::string::npos) << result.log;
  EXPECT_NE(result.log.find("broken.kernel"), std::string::npos) << result.log;
  EXPECT_TRUE(result.log.find(":3:") != std::string::npos || result.log.find("(3)") != std::string::npos) << result.log;
}

TEST_P(DeviceKernel, an_option_that_the_compiler_does_not_know_fails_the_build) {
  BuildRequest with_option = request(device, kAddToFirst);
  with_option.options = {"--no-such-option"};
  const BuildResult result = device.build(with_option);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.log.find("no-such-option"), std::string::npos) << result.log;
}

TEST_P(DeviceKernel, options_and_headers_in_memory_reach_the_compiler) {
  BuildRequest with_header =
      request(device, "#include \"twice.h\"\nKERNEL void k(GLOBAL int* x) { x[0] = TWICE(N); }\n");
  with_header.headers = {{"twice.h", "#pragma once\n#include \"factor.h\"\n#define TWICE(x) (FACTOR * (x))\n"},
                         {"factor.h", "#define FACTOR 2\n"}};
  with_header.options = {"-DN=21"};
  const BuildResult result = device.build(with_header);
  ASSERT_TRUE(result.ok) << result.log;
  const Stream stream = device.create_stream();
  const Buffer out = device.allocate(sizeof(int));
  device.load(result.binary, "test").kernel("k").launch(stream, {}, {out});
  EXPECT_EQ(download<int>(stream, out, 1), (std::vector{42}));
}

TEST_P(DeviceKernel, a_binary_that_is_none_is_refused) {
  const std::vector<std::byte> noise(100, std::byte{7});
  const std::string message = message_of<DeviceError>([&] { (void)device.load(noise, "noise"); });
  EXPECT_NE(message.find("module 'noise'"), std::string::npos) << message;
}

TEST_P(DeviceKernel, handles_outlive_the_device_handle_and_each_other) {
  Kernel add;
  Stream stream;
  Buffer buffer;
  Event event;
  {
    const Device local = Device::open(GetParam());
    buffer = local.allocate(sizeof(int));
    stream = local.create_stream();
    add = build_module(local, kAddToFirst).kernel("add");
    stream.fill_zero(buffer);
    event = stream.record();
  }
  add.launch(stream, {}, {buffer, 1, 5});
  EXPECT_EQ(download<int>(stream, buffer, 1), (std::vector{5}));
  stream = Stream();
  event.synchronize();
  EXPECT_TRUE(event.is_done());
  buffer = Buffer();
  add = Kernel();
}

TEST_P(DeviceKernel, a_module_may_die_while_its_kernel_runs) {
  const Stream stream = device.create_stream();
  const Buffer buffer = device.allocate(sizeof(int));
  stream.fill_zero(buffer);
  build_module(device, kAddToFirst).kernel("add").launch(stream, {}, {buffer, 1, 5});
  EXPECT_EQ(download<int>(stream, buffer, 1), (std::vector{5}));
}

TEST_P(DeviceKernel, an_empty_handle_is_an_error_not_a_crash) {
  EXPECT_EQ(message_of<DeviceError>([] { Stream().synchronize(); }), "an empty Stream was used; get one from a Device");
  const Kernel add = build_module(device, kAddToFirst).kernel("add");
  EXPECT_EQ(message_of<DeviceError>([&] {
              add.launch(Stream(), {}, {Buffer(), 1, 3});
            }),
            "an empty Stream was used; get one from a Device");
}

TEST_P(DeviceKernel, four_threads_launch_the_same_kernel_with_their_own_arguments) {
  // Many arguments: time enough between the first and the launch for a race to show.
  std::string parameters = "GLOBAL int* values";
  std::string sum = "0";
  for (int i = 0; i < 24; ++i) {
    parameters += ", int a" + std::to_string(i);
    sum += " + a" + std::to_string(i);
  }
  const Kernel add =
      build_module(device, "KERNEL void add(" + parameters + ") { values[0] += " + sum + "; }").kernel("add");
  constexpr int launches = 1000;
  std::vector<int> results(4);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const Stream stream = device.create_stream();
        const Buffer buffer = device.allocate(sizeof(int));
        stream.fill_zero(buffer);
        std::vector<KernelArgument> arguments(25, t + 1);
        arguments.front() = buffer;
        for (int i = 0; i < launches; ++i) add.launch(stream, {}, arguments);
        results[static_cast<std::size_t>(t)] = download<int>(stream, buffer, 1)[0];
      });
    }
  }
  constexpr int each = 24 * launches;
  EXPECT_EQ(results, (std::vector{each, 2 * each, 3 * each, 4 * each}));
}

TEST_P(DeviceKernel, threads_build_at_once) {
  std::vector<int> results(4);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const Module module =
            build_module(device, "KERNEL void k(GLOBAL int* x) { x[0] = " + std::to_string(t) + "; }");
        const Stream stream = device.create_stream();
        const Buffer out = device.allocate(sizeof(int));
        module.kernel("k").launch(stream, {}, {out});
        results[static_cast<std::size_t>(t)] = download<int>(stream, out, 1)[0];
      });
    }
  }
  EXPECT_EQ(results, (std::vector{0, 1, 2, 3}));
}

constexpr const char* kSpin = R"(
KERNEL void spin(GLOBAL double* x, int steps) {
  double y = x[0];
  for (int i = 0; i < steps; ++i) y = y * 0.999 + 1.0;
  x[0] = y;
}
)";

TEST_P(DeviceKernel, events_time_what_lies_between_them) {
  const Kernel spin = build_module(device, kSpin).kernel("spin");
  const Stream stream = device.create_stream();
  const Buffer x = device.allocate(sizeof(double));
  stream.fill_zero(x);
  spin.launch(stream, {}, {x, 1});
  stream.synchronize();
  const auto wall_begin = std::chrono::steady_clock::now();
  const Event begin = stream.record();
  spin.launch(stream, {}, {x, 2000000});
  const Event end = stream.record();
  const double seconds = Event::seconds_between(begin, end);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_begin).count();
  // Two million dependent steps take at least a cycle each, and no longer than the host waited.
  EXPECT_GT(seconds, 1e-4);
  EXPECT_LE(seconds, wall);
  EXPECT_TRUE(begin.is_done());
  EXPECT_TRUE(end.is_done());
  EXPECT_LT(Event::seconds_between(end, begin), 0.0);
}

TEST_P(DeviceKernel, a_stream_waits_for_another_streams_event) {
  const Module module = build_module(device, std::string(kSpin) + R"(
KERNEL void take(GLOBAL double* from, GLOBAL double* to) { to[0] = from[0]; }
)");
  const Stream first = device.create_stream();
  const Stream second = device.create_stream();
  const Buffer x = device.allocate(sizeof(double));
  const Buffer seen = device.allocate(sizeof(double));
  first.fill_zero(x);
  module.kernel("spin").launch(first, {}, {x, 5000000});
  second.wait(first.record());
  module.kernel("take").launch(second, {}, {x, seen});
  EXPECT_NEAR(download<double>(second, seen, 1)[0], 1000.0, 1e-6);
}

TEST_P(DeviceKernel, device_synchronize_waits_for_every_stream) {
  const Kernel spin = build_module(device, kSpin).kernel("spin");
  std::vector<Event> events;
  std::vector<Buffer> buffers;
  std::vector<Stream> streams;
  for (int i = 0; i < 3; ++i) {
    streams.push_back(device.create_stream());
    buffers.push_back(device.allocate(sizeof(double)));
    streams.back().fill_zero(buffers.back());
    spin.launch(streams.back(), {}, {buffers.back(), 1000000});
    events.push_back(streams.back().record());
  }
  device.synchronize();
  for (const Event& event : events) EXPECT_TRUE(event.is_done());
}

TEST_P(DeviceKernel, fingerprint_is_stable_and_names_the_compiler) {
  const auto fields = device.compiler_fingerprint();
  EXPECT_EQ(fields, Device::open(GetParam()).compiler_fingerprint());
  EXPECT_EQ(fields.front(), name_of(device.info().backend));
  EXPECT_GE(fields.size(), 4U);
}

}  // namespace
}  // namespace maxwell_dg::core::test
