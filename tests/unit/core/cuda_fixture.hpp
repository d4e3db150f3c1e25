#pragma once

#include <algorithm>
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

}  // namespace maxwell_dg::core::test
