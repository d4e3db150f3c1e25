#include <algorithm>

#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {
namespace {

bool any_device() {
  return !list_devices().empty();
}

TEST(DeviceSelection, listed_devices_are_numbered_per_backend_and_cuda_comes_first) {
  const auto devices = list_devices();
  EXPECT_TRUE(std::ranges::is_sorted(devices, {}, [](const DeviceInfo& d) { return std::pair(d.backend, d.index); }));
  for (const DeviceInfo& device : devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_FALSE(device.driver.empty());
    EXPECT_FALSE(device.architecture.empty());
    EXPECT_GT(device.memory_bytes, 0U);
    EXPECT_GT(device.compute_units, 0);
    EXPECT_GT(device.max_group_size, 0U);
    EXPECT_GT(device.shared_memory_bytes, 0U);
    EXPECT_EQ(device.vector_bytes > 0, device.is_cpu);
#if defined(__x86_64__)
    EXPECT_EQ(device.processor.find(" family ") != std::string::npos, device.is_cpu) << device.processor;
#endif
    EXPECT_EQ(device.warp_size == 1, device.is_cpu);
    EXPECT_EQ(device.architecture.starts_with("sm_"), device.backend == Backend::cuda) << device.architecture;
  }
}

TEST(DeviceSelection, architectures_of_CUDA_are_numbers) {
  EXPECT_EQ((DeviceInfo{.backend = Backend::cuda, .architecture = "sm_90"}).cuda_architecture(), 90);
  EXPECT_EQ((DeviceInfo{.backend = Backend::cuda, .architecture = "sm_120a"}).cuda_architecture(), 120);
  EXPECT_EQ((DeviceInfo{.backend = Backend::opencl, .architecture = "OpenCL 3.0"}).cuda_architecture(), 0);
}

TEST(DeviceSelection, auto_takes_the_first_device_and_says_why) {
  if (!any_device()) GTEST_SKIP() << "no device on this machine";
  const DeviceChoice choice = choose_device("auto");
  EXPECT_EQ(choice.info.name, list_devices().front().name);
  if (choice.info.backend == Backend::cuda) {
    EXPECT_EQ(choice.reason, "the first CUDA device");
  } else {
    EXPECT_TRUE(choice.reason.starts_with("the first OpenCL device; no CUDA device: ")) << choice.reason;
  }
}

TEST(DeviceSelection, a_name_or_a_number_opens_that_device) {
  for (const DeviceInfo& info : list_devices()) {
    const std::string prefix = info.backend == Backend::cuda ? "cuda" : "opencl";
    const Device device = Device::open(prefix + ":" + std::to_string(info.index));
    EXPECT_EQ(device.info().name, info.name);
    EXPECT_EQ(device.info().index, info.index);
    EXPECT_EQ(Device::open(prefix).info().index, 0);
  }
}

TEST(DeviceSelection, cpu_is_an_opencl_cpu_device) {
  if (std::ranges::none_of(list_devices(), &DeviceInfo::is_cpu)) {
    EXPECT_NE(message_of<DeviceError>([] { (void)choose_device("cpu"); }).find("apt install pocl-opencl-icd"),
              std::string::npos);
    return;
  }
  const DeviceChoice choice = choose_device("cpu");
  EXPECT_TRUE(choice.info.is_cpu);
  EXPECT_EQ(choice.info.backend, Backend::opencl);
}

TEST(DeviceSelection, a_malformed_spec_is_a_config_error_that_lists_the_forms) {
  for (const char* spec : {"", "gpu", "CUDA", "cuda:", "cuda:x", "cuda:-1", "opencl:1x", "cpu:0", "cudaX", "auto "}) {
    EXPECT_EQ(message_of<ConfigError>([&] { (void)choose_device(spec); }),
              "device '" + std::string(spec) +
                  "' is not understood; use auto, cuda, cuda:N, opencl, opencl:N or cpu, N counting from 0");
  }
}

TEST(DeviceSelection, an_absent_device_is_an_error_that_lists_what_is_there) {
  for (const char* spec : {"cuda:99", "opencl:99"}) {
    const std::string message = message_of<DeviceError>([&] { (void)choose_device(spec); });
    EXPECT_TRUE(message.starts_with("device '" + std::string(spec) + "' is not there: ")) << message;
    for (const DeviceInfo& info : list_devices()) {
      EXPECT_NE(message.find(info.name), std::string::npos) << message;
    }
  }
}

TEST(DeviceSelection, without_a_cuda_device_asking_for_one_says_what_to_do) {
  if (any_device() && list_devices().front().backend == Backend::cuda) GTEST_SKIP() << "there is a CUDA device";
  const std::string message = message_of<DeviceError>([] { (void)Device::open("cuda"); });
  EXPECT_TRUE(message.find("install the NVIDIA driver") != std::string::npos ||
              message.find("MAXWELL_DG_CUDA=ON") != std::string::npos)
      << message;
}

}  // namespace
}  // namespace maxwell_dg::core::test
