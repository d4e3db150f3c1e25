#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/unit/core/device_test_support.hpp"

namespace maxwell_dg::core::test {

/// Tests of what only CUDA has; they skip where there is no CUDA device.
class CudaTest : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<DeviceInfo> all = list_devices();
    std::erase_if(all, [](const DeviceInfo& info) { return info.backend != Backend::cuda; });
    infos = std::move(all);
    if (infos.empty()) GTEST_SKIP() << "no CUDA device on this machine";
    device = Device::open(infos.front());
    stream = device.create_stream();
  }

  std::vector<DeviceInfo> infos;
  Device device;
  Stream stream;
};

/// A shell command that runs one test of this program in a process of its own.
inline std::string child_process(const std::string& filter, const std::string& log) {
  return "MAXWELL_DG_TEST_CHILD=1 '" + std::filesystem::read_symlink("/proc/self/exe").string() + "' --gtest_filter='" +
         filter + "' >'" + log + "' 2>&1";
}

inline std::string text_of_file(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace maxwell_dg::core::test
