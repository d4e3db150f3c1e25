#include "dg/operator/field_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/maxwell/maxwell.hpp"
#include "dg/operator/operator.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/test_device.hpp"

namespace maxwell_dg::dg {
namespace {

struct FieldValuesCase {
  std::string schedule;  // "default", or a name
  Dtype precision;
};

std::ostream& operator<<(std::ostream& out, const FieldValuesCase& c) {
  return out << c.schedule << "_" << name_of(c.precision);
}

class FieldValuesTest : public ::testing::TestWithParam<FieldValuesCase> {};

TEST_P(FieldValuesTest, are_those_of_the_state_in_the_same_memory_each_time) {
  const std::string& schedule = GetParam().schedule;
  const Dtype precision = GetParam().precision;
  Operator::Options options{.precision = precision};
  if (schedule != "default") options.schedule = Schedule::named(schedule);
  const auto d = std::make_shared<Discretization>(testing::random_mesh(37), 2);
  Operator op(maxwell_dg::testing::test_compiler(), d, testing::random_problem(maxwell::system(), *d), options);
  const std::size_t Np = 10;
  const std::vector<int> fields{4, 0, 5};
  const std::vector<double> factors{0.5, 1.0, -3.0};
  const std::unique_ptr<FieldValues> values = op.share_fields({.fields = fields, .factors = factors});
  ASSERT_EQ(values->dtype(), precision);
  const std::uintptr_t place = values->buffer().raw();

  for (unsigned seed = 1; seed < 3; ++seed) {
    std::vector<double> q(op.dofs());
    op.set_state(testing::random_values(op.dofs(), seed));
    op.get_state(q);
    values->update();
    EXPECT_EQ(values->buffer().raw(), place);
    std::vector<std::byte> bytes(fields.size() * 37 * Np * size_of(precision));
    values->stream().read(values->buffer(), 0, bytes);
    values->stream().synchronize();
    // Components are sums of a few products, which kernels may round differently.
    double largest = 0;
    for (const double value : q) largest = std::max(largest, std::abs(value));
    const double eps =
        precision == Dtype::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
    const auto found = [&](std::size_t i) {
      return precision == Dtype::float32 ? static_cast<double>(reinterpret_cast<const float*>(bytes.data())[i])
                                         : reinterpret_cast<const double*>(bytes.data())[i];
    };
    for (std::size_t i = 0; i < fields.size(); ++i) {
      for (std::size_t k = 0; k < 37; ++k) {
        for (std::size_t n = 0; n < Np; ++n) {
          const double expected = factors[i] * q[(k * 6 + static_cast<std::size_t>(fields[i])) * Np + n];
          ASSERT_NEAR(found((i * 37 + k) * Np + n), expected, 8 * eps * std::abs(factors[i]) * largest)
              << "field " << i << " at " << k << ", " << n;
        }
      }
    }
    if (!values->device().info().is_cpu) continue;
    ASSERT_EQ(values->host().size_bytes(), bytes.size());
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), values->host().bytes().begin())) << "the host sees the same";
  }
}

INSTANTIATE_TEST_SUITE_P(All, FieldValuesTest,
                         ::testing::Values(FieldValuesCase{"default", Dtype::float32},
                                           FieldValuesCase{"default", Dtype::float64},
                                           FieldValuesCase{"nodes_pad4_b3_v4_s4", Dtype::float64},
                                           FieldValuesCase{"elements_e64_r4_basis", Dtype::float32},
                                           FieldValuesCase{"elements_e64_r4_apart_interleaved", Dtype::float32},
                                           FieldValuesCase{"tiles_e16_w1_r1", Dtype::float32}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace maxwell_dg::dg
