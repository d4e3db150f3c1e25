#include "core/dtype.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "rtcg/array/error.hpp"
#include "rtcg/array/scalar.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"
#include "tests/unit/rtcg/array/dtype_codes.hpp"

namespace maxwell_dg::rtcg {
namespace {

// What NumPy 2 answers: promote_types of each pair, and behind the bar result_type with True, 1, 1.0 and 1j.
constexpr const char* numpy_table = R"(b b i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 | b i8 f8 c16
i1 i1 i1 i2 i4 i8 i2 i4 i8 f8 f2 f4 f8 c8 c16 | i1 i1 f8 c16
i2 i2 i2 i2 i4 i8 i2 i4 i8 f8 f4 f4 f8 c8 c16 | i2 i2 f8 c16
i4 i4 i4 i4 i4 i8 i4 i4 i8 f8 f8 f8 f8 c16 c16 | i4 i4 f8 c16
i8 i8 i8 i8 i8 i8 i8 i8 i8 f8 f8 f8 f8 c16 c16 | i8 i8 f8 c16
u1 u1 i2 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 | u1 u1 f8 c16
u2 u2 i4 i4 i4 i8 u2 u2 u4 u8 f4 f4 f8 c8 c16 | u2 u2 f8 c16
u4 u4 i8 i8 i8 i8 u4 u4 u4 u8 f8 f8 f8 c16 c16 | u4 u4 f8 c16
u8 u8 f8 f8 f8 f8 u8 u8 u8 u8 f8 f8 f8 c16 c16 | u8 u8 f8 c16
f2 f2 f2 f4 f8 f8 f2 f4 f8 f8 f2 f4 f8 c8 c16 | f2 f2 f2 c8
f4 f4 f4 f4 f8 f8 f4 f4 f8 f8 f4 f4 f8 c8 c16 | f4 f4 f4 c8
f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c16 c16 | f8 f8 f8 c16
c8 c8 c8 c8 c16 c16 c8 c8 c16 c16 c8 c8 c16 c8 c16 | c8 c8 c8 c8
c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 c16 | c16 c16 c16 c16
)";

TEST(Dtype, promotion_is_numpys) {
  std::istringstream rows(numpy_table);
  std::string row;
  int pairs = 0;
  while (std::getline(rows, row)) {
    std::istringstream words(row);
    std::string word;
    words >> word;
    const Dtype a = of_code(word);
    for (const Dtype b : all_dtypes) {
      words >> word;
      EXPECT_EQ(promote(a, b), of_code(word)) << name_of(a) << " and " << name_of(b);
      ++pairs;
    }
    words >> word;
    EXPECT_EQ(word, "|");
    for (const Scalar& scalar : {Scalar(true), Scalar(1), Scalar(1.0), Scalar(std::complex<double>(0, 1))}) {
      words >> word;
      EXPECT_EQ(promote(a, scalar), of_code(word)) << name_of(a) << " and " << scalar.text();
    }
  }
  EXPECT_EQ(pairs, 14 * 14);
}

TEST(Dtype, names_and_sizes_are_those_of_the_types) {
  for (const Dtype dtype : all_dtypes) {
    visit_dtype(dtype, [&]<class T>(T) {
      EXPECT_EQ(dtype_of<T>, dtype);
      EXPECT_EQ(size_of(dtype), sizeof(T)) << name_of(dtype);
    });
    EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
  }
  EXPECT_EQ(dtype_of<long long>, Dtype::int64);
  EXPECT_EQ(dtype_named("float80"), std::nullopt);
}

TEST(Half, survives_a_round_trip_through_float) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half = Half::from_bits(static_cast<std::uint16_t>(bits));
    const auto value = static_cast<float>(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(Half(value))));
    } else {
      EXPECT_EQ(Half(value).bits(), bits) << value;
    }
  }
}

TEST(Half, rounds_to_nearest_and_ties_to_even) {
  // Between every two neighbours: the middle goes to the even one, what is next to the middle to the nearer one.
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const auto low = static_cast<float>(Half::from_bits(bits));
    const auto high = static_cast<float>(Half::from_bits(static_cast<std::uint16_t>(bits + 1)));
    const float middle = (low + high) / 2;
    EXPECT_EQ(Half(middle).bits(), bits % 2 == 0 ? bits : bits + 1) << middle;
    EXPECT_EQ(Half(std::nextafter(middle, low)).bits(), bits);
    EXPECT_EQ(Half(std::nextafter(middle, high)).bits(), bits + 1);
    EXPECT_EQ(Half(-middle).bits(), 0x8000 | Half(middle).bits());
  }
  EXPECT_EQ(Half(65519.0F).bits(), 0x7bff);
  EXPECT_EQ(Half(65520.0F).bits(), 0x7c00);
  EXPECT_EQ(Half(std::numeric_limits<float>::infinity()).bits(), 0x7c00);
}

TEST(Scalar, of_an_integer_must_fit_the_array) {
  EXPECT_EQ(promote(Dtype::uint8, Scalar(255)), Dtype::uint8);
  EXPECT_EQ(message_of<DtypeError>([] { (void)promote(Dtype::uint8, Scalar(256)); }),
            "the number 256 is not a value of uint8");
  EXPECT_THROW((void)promote(Dtype::uint64, Scalar(-1)), DtypeError);
  EXPECT_EQ(Scalar(std::numeric_limits<std::uint64_t>::max()).dtype(), Dtype::uint64);
  EXPECT_EQ(Scalar(7u).dtype(), Dtype::int64);
}

TEST(Scalar, converts_only_without_loss_of_more_than_digits) {
  EXPECT_EQ(Scalar(3.0).as<int>(), 3);
  EXPECT_THROW((void)Scalar(3.5).as<int>(), DtypeError);
  EXPECT_THROW((void)Scalar(9223372036854775808.0).as<std::int64_t>(), DtypeError);
  EXPECT_THROW((void)Scalar(std::complex<double>(1, 2)).as<double>(), DtypeError);
  EXPECT_EQ(Scalar(0.1).as<float>(), 0.1F);
  EXPECT_EQ(Scalar(2).as<std::complex<float>>(), std::complex<float>(2, 0));
}

}  // namespace
}  // namespace maxwell_dg::rtcg
