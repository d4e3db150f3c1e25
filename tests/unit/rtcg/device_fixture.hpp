#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/device/device.hpp"
#include "core/error.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::rtcg {

/// A device and a compiler with a cache of its own. The device is the CPU unless MAXWELL_DG_DEVICE names another.
class DeviceTest : public testing::Test {
 protected:
  DeviceTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rtcg_test_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~DeviceTest() override { std::filesystem::remove_all(root_); }

  void SetUp() override {
    const char* spec = std::getenv("MAXWELL_DG_DEVICE");
    try {
      device_ = core::Device::open(spec != nullptr ? spec : "cpu");
    } catch (const DeviceError& error) {
      GTEST_SKIP() << "needs a device: " << error.what();
    }
    stream_ = device_.create_stream();
  }

  [[nodiscard]] Compiler compiler() const { return Compiler(device_, root_); }

  template <class T>
  [[nodiscard]] core::Buffer upload(const std::vector<T>& values) const {
    core::Buffer buffer = device_.allocate(values.size() * sizeof(T));
    stream_.write(buffer, 0, std::as_bytes(std::span(values)));
    stream_.synchronize();
    return buffer;
  }
  template <class T>
  [[nodiscard]] std::vector<T> download(const core::Buffer& buffer) const {
    std::vector<T> values(buffer.size_bytes() / sizeof(T));
    stream_.read(buffer, 0, std::as_writable_bytes(std::span(values)));
    stream_.synchronize();
    return values;
  }

  std::filesystem::path root_;
  core::Device device_;
  core::Stream stream_;
};

}  // namespace maxwell_dg::rtcg
