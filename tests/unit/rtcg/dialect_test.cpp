#include "rtcg/source/dialect.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rtcg/source/literal.hpp"
#include "rtcg/source/syntax.hpp"
#include "tests/unit/rtcg/device_fixture.hpp"
#include "tests/unit/rtcg/dialect_kernels.hpp"

namespace maxwell_dg::rtcg {
namespace {

class DialectTest : public DeviceTest {
 protected:
  [[nodiscard]] core::Module compiled(const std::string& text) const {
    return compiler().compile(KernelSource{.name = "dialect.kernel", .text = text});
  }

  template <class Real>
  void expect_functions(Real tolerance) {
    if (sizeof(Real) == 8 && !device_.info().has_float64) GTEST_SKIP() << "the device has no float64";
    const Real a = Real(0.5), b = Real(2.25), c = Real(-1.75);
    const core::Buffer out = upload(std::vector<Real>(22));
    compiled(functions_text(dtype_of<Real>)).kernel("functions").launch(stream_, {}, {out, a, b, c});
    using namespace std;
    const vector<Real> expected{sin(a),       cos(a),     tan(a),      asin(a),  acos(a),  atan(a),
                                atan2(a, b),  sinh(a),    cosh(a),     tanh(a),  exp(a),   std::log(b),
                                pow(b, a),    sqrt(b),    1 / sqrt(b), fabs(c),  floor(c), ceil(c),
                                fma(a, b, c), fmin(a, c), fmax(a, c),  Real(543)};
    const vector<Real> got = download<Real>(out);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(got[i], expected[i], tolerance * abs(expected[i])) << i;
  }

  // Every value as a literal in a kernel, stored, and compared bit for bit.
  template <class T>
  void expect_bits_survive(const std::vector<T>& values) {
    using namespace syntax;
    const Dtype dtype = dtype_of<T>;
    Block body;
    for (std::size_t i = 0; i < values.size(); ++i) {
      body += Assign("out[" + std::to_string(i) + "]", literal(values[i], dtype));
    }
    const core::Buffer out = upload(std::vector<T>(values.size()));
    const std::string signature = "KERNEL void store(GLOBAL " + std::string(name_of(dtype)) + "* out)";
    compiled(print(Function(signature, body))).kernel("store").launch(stream_, {}, {out});
    const std::vector<T> got = download<T>(out);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != values[i]) {
        EXPECT_NE(got[i], got[i]) << literal(values[i], dtype);
      } else {
        EXPECT_EQ(std::memcmp(&got[i], &values[i], sizeof(T)), 0) << literal(values[i], dtype) << " became " << got[i];
      }
    }
  }

  template <class T, class Bits>
  static std::vector<T> random_bits(int count) {
    std::mt19937_64 random(3);
    std::vector<T> values{std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(),
                          std::numeric_limits<T>::min(), T(0), T(1)};
    if constexpr (std::numeric_limits<T>::has_infinity) {
      values.insert(values.end(), {T(-0.0), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                                   std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::denorm_min()});
    }
    for (int i = 0; i < count; ++i) values.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
    return values;
  }
};

TEST_F(DialectTest, shared_memory_barrier_and_tables_work) {
  std::vector<float> in(20);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
  const core::Buffer out = upload(std::vector<float>(3));
  compiled(whole_dialect_text())
      .kernel("group_sums")
      .launch(stream_, {.groups = {3, 1, 1}, .group_size = {8, 1, 1}}, {out, upload(in), 20});
  std::vector<float> expected(3);
  for (std::size_t i = 0; i < in.size(); ++i) expected[i / 8] += static_cast<float>(1 << (i % 8 % 3)) * in[i];
  EXPECT_EQ(download<float>(out), expected);
}

TEST_F(DialectTest, indices_count_in_three_dimensions) {
  const core::Module module = compiled(whole_dialect_text());
  const core::Buffer ids = upload(std::vector<std::int64_t>(2 * 3 * 2 * 3 * 1 * 2));
  module.kernel("indices").launch(stream_, {.groups = {2, 3, 1}, .group_size = {3, 2, 2}}, {ids});
  const auto got = download<std::int64_t>(ids);
  for (std::size_t z = 0; z < 2; ++z) {
    for (std::size_t y = 0; y < 6; ++y) {
      for (std::size_t x = 0; x < 6; ++x) {
        const std::size_t group = x / 3 + 10 * (y / 2) + 100 * (z / 2);
        const std::size_t local = x % 3 + 10 * (y % 2) + 100 * (z % 2);
        EXPECT_EQ(got[x + 6 * y + 36 * z], static_cast<std::int64_t>(group * 1000000 + local * 1000 + 223));
      }
    }
  }
}

TEST_F(DialectTest, types_have_the_width_they_name) {
  if (!device_.info().has_float64) GTEST_SKIP() << "the device has no float64";
  const core::Buffer bytes = upload(std::vector<int>(12));
  compiled(whole_dialect_text()).kernel("widths").launch(stream_, {}, {bytes});
  EXPECT_EQ(download<int>(bytes), (std::vector<int>{4, 8, 4, 8, 4, 8, 8, 16, 16, 1, 1, 1}));
}

TEST_F(DialectTest, numbers_of_another_type_are_refused) {
  const core::Kernel kernel =
      compiled("KERNEL void f(GLOBAL float32* y, float32 a, int64 n, uint32 m) { y[0] = a + (float32)n + (float32)m; }")
          .kernel("f");
  const core::Buffer y = upload(std::vector<float>(1));
  const auto refuses = [&](const core::KernelArgument& a, const core::KernelArgument& n,
                           const core::KernelArgument& m) {
    try {
      kernel.launch(stream_, {}, {y, a, n, m});
    } catch (const DeviceError& error) {
      return std::string(error.what()).find("its type or size is wrong") != std::string::npos;
    }
    return false;
  };
  const auto n = std::int64_t{2};
  EXPECT_FALSE(refuses(1.0F, n, 3U));
  EXPECT_EQ(download<float>(y), std::vector<float>{6});
  EXPECT_TRUE(refuses(1.0, n, 3U));
  EXPECT_TRUE(refuses(1.0F, 2, 3U));
  EXPECT_TRUE(refuses(1.0F, n, std::int64_t{3}));
  if (device_.info().backend == core::Backend::cuda) return;  // the driver tells sizes of parameters, no types
  EXPECT_TRUE(refuses(1, n, 3U));
  EXPECT_TRUE(refuses(1.0F, 2.0, 3U));
  EXPECT_TRUE(refuses(y, n, 3U));
}

// Tolerances: OpenCL 1.2 allows single precision tan 5, sinh 4, pow 16 units in the last place.
TEST_F(DialectTest, functions_take_single_precision) {
  expect_functions<float>(2e-6f);
}
TEST_F(DialectTest, functions_take_double_precision) {
  expect_functions<double>(4e-15);
}

TEST_F(DialectTest, literals_of_random_bits_survive_the_compiler) {
  expect_bits_survive(random_bits<float, std::uint32_t>(200));
  if (device_.info().has_float64) expect_bits_survive(random_bits<double, std::uint64_t>(200));
  expect_bits_survive(random_bits<int, std::uint32_t>(50));
  expect_bits_survive(random_bits<unsigned, std::uint32_t>(50));
  expect_bits_survive(random_bits<long, std::uint64_t>(50));
  expect_bits_survive(random_bits<unsigned long, std::uint64_t>(50));
}

}  // namespace
}  // namespace maxwell_dg::rtcg
