#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "rtcg/array/device_array.hpp"
#include "rtcg/array/error.hpp"

namespace maxwell_dg::rtcg {

/// A context on the CPU unless MAXWELL_DG_DEVICE names another device; with the kernel cache of the build folder.
class ArrayTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* spec = std::getenv("MAXWELL_DG_DEVICE");
    try {
      context_ = Context::open(spec != nullptr ? spec : "cpu");
    } catch (const DeviceError& error) {
      GTEST_SKIP() << "needs a device: " << error.what();
    }
  }

  [[nodiscard]] const Context& context() const { return *context_; }
  [[nodiscard]] bool has_float64() const { return context_->device().info().has_float64; }

  std::optional<Context> context_;
};

/// The message of the E that `call` throws; what happened instead, if it does not.
template <class E, class F>
[[nodiscard]] std::string message_of(F call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "no exception";
}

}  // namespace maxwell_dg::rtcg
