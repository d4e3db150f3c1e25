#include "rtcg/array/operators.hpp"

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

#include "tests/unit/rtcg/array/array_fixture.hpp"
#include "tests/unit/rtcg/array/dtype_codes.hpp"

namespace maxwell_dg::rtcg {
namespace {

using Complex = std::complex<float>;

std::map<std::string, Operation> operations_by_name() {
  std::map<std::string, Operation> all;
#define MAXWELL_DG_LIST(name, arity, rule) all.emplace(#name, Operation::name);
  MAXWELL_DG_ARRAY_OPERATIONS(MAXWELL_DG_LIST)
#undef MAXWELL_DG_LIST
  return all;
}

TEST(Typing, is_numpys_for_every_pair_of_dtypes) {
  const std::map<std::string, Operation> operations = operations_by_name();
  const char* const answers_of_numpy = MAXWELL_DG_SOURCE_DIR "/tests/unit/rtcg/array/data/numpy_types.txt";
  std::ifstream file(answers_of_numpy);
  if (!file) GTEST_SKIP() << "NumPy's answers are not on this machine: no " << answers_of_numpy;
  const auto result = [](Operation operation, std::span<const TypedTerm> terms) -> std::string {
    try {
      return code_of(typing_of(operation, terms).result);
    } catch (const DtypeError&) {
      return "-";
    }
  };
  std::string line;
  int answers = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string name, code;
    words >> name >> code;
    const Operation operation = operations.at(name);
    const std::vector<std::string> expected{std::istream_iterator<std::string>(words), {}};
    for (std::size_t b = 0; b < expected.size(); ++b, ++answers) {
      std::vector<TypedTerm> terms{of_code(code)};
      if (expected.size() > 1) terms.emplace_back(all_dtypes[b]);
      EXPECT_EQ(result(operation, terms), expected[b]) << name << " " << code << " " << name_of(all_dtypes[b]);
    }
  }
  EXPECT_GT(answers, 3000);
}

TEST(Typing, refuses_with_the_operands) {
  const std::vector<TypedTerm> terms{Dtype::float32, Scalar(2)};
  EXPECT_EQ(message_of<DtypeError>([&] { (void)typing_of(Operation::bitwise_and, terms); }),
            "bitwise_and is not defined for float32, 2");
}

class OperatorsTest : public ArrayTest {
 protected:
  template <class T>
  [[nodiscard]] DeviceArray array(const std::vector<T>& values) const {
    return to_device(context(), values);
  }
  template <class T>
  void expect(const DeviceArray& result, const std::vector<T>& expected) {
    ASSERT_EQ(result.dtype(), dtype_of<T>);
    EXPECT_EQ(result.to_vector<T>(), expected);
  }
};

TEST_F(OperatorsTest, promote_and_broadcast) {
  const DeviceArray column = array<int>({1, 2})(whole, new_axis), row = array<float>({0.5F, 1.5F, 2.5F});
  const DeviceArray sum = column + row;
  EXPECT_EQ(sum.shape(), (Shape{2, 3}));
  expect<double>(sum, {1.5, 2.5, 3.5, 2.5, 3.5, 4.5});
  expect<float>(2 * row - 1.0, {0, 2, 4});
  expect<double>(array<int>({1, 7}) / 2, {0.5, 3.5});
  expect<Complex>(row * std::complex<double>(0, 2), {{0, 1}, {0, 3}, {0, 5}});
  EXPECT_EQ(message_of<ShapeError>([&] {
              (void)(row + array<float>({1, 2}));
            }),
            "shapes (3,) and (2,) do not broadcast: counted from the last axis, extents must be equal or 1");
}

TEST_F(OperatorsTest, of_integers_wrap_and_divide_as_numpy) {
  const auto low = std::numeric_limits<int>::min();
  expect<int>(array<int>({7, -7, 7, -7, 5, low, low}) % array<int>({3, 3, -3, -3, 0, -1, 2}), {1, 2, -2, -1, 0, 0, 0});
  expect<int>(floor_divide(array<int>({7, -7, 7, -7, 5, low, low}), array<int>({3, 3, -3, -3, 0, -1, 2})),
              {2, -3, -3, 2, 0, low, low / 2});
  expect<int>(fmod(array<int>({7, -7, 7, 5}), array<int>({3, 3, -3, 0})), {1, -1, 1, 0});
  expect<std::uint8_t>(array<std::uint8_t>({250, 3}) + 10, {4, 13});
  expect<int>(-array<int>({low, 3}), {low, -3});
  expect<int>(abs(array<int>({low, -3})), {low, 3});
  expect<std::int64_t>(pow(array<std::int64_t>({3, -2, 2, 1, 7}), array<int>({4, 3, 63, -5, -1})),
                       {81, -8, std::numeric_limits<std::int64_t>::min(), 1, 0});
  expect<int>(array<int>({1, -8, 1}) << array<int>({4, 1, 32}), {16, -16, 0});
  expect<int>(array<int>({16, -8, -1}) >> array<int>({4, 1, 40}), {1, -4, -1});
  expect<int>((array<int>({12}) & 10) + (array<int>({12}) | 3) + (array<int>({12}) ^ 10) + ~array<int>({0}), {28});
}

TEST_F(OperatorsTest, of_reals_round_down_as_numpy) {
  const DeviceArray a = array<float>({7.5F, -7.5F, 7.5F, -7.5F, 6.0F, -6.0F});
  const DeviceArray b = array<float>({2, 2, -2, -2, -2, 2});
  expect<float>(a % b, {1.5F, 0.5F, -0.5F, -1.5F, -0.0F, 0.0F});
  expect<float>(floor_divide(a, b), {3, -4, -4, 3, -3, -3});
  expect<bool>(signbit(a % b), {false, false, true, true, true, false});
  EXPECT_TRUE(std::isinf(floor_divide(a, 0.0).to_vector<float>()[0]));
}

TEST_F(OperatorsTest, compare_and_combine_to_bool) {
  const DeviceArray a = array<float>({1, 2, 3, std::nanf("")});
  expect<bool>(a == 2, {false, true, false, false});
  expect<bool>(a != 2, {true, false, true, true});
  expect<bool>((a > 1) && (a <= 2), {false, true, false, false});
  expect<bool>(!(a >= 2) || isnan(a), {true, false, false, true});
  expect<bool>(array<std::uint8_t>({1, 255}) < 300, {true, true});
  expect<bool>(array<bool>({true, true}) + array<bool>({true, false}), {true, true});
  expect<bool>(array<Complex>({{1, 2}, {1, 3}}) == std::complex<double>(1, 2), {true, false});
  EXPECT_THROW((void)(array<bool>({true}) - array<bool>({true})), DtypeError);
  EXPECT_THROW((void)(array<Complex>({{1, 2}}) < 1), DtypeError);
}

TEST_F(OperatorsTest, work_in_place_through_views) {
  const DeviceArray a = array<float>({1, 2, 3, 4});
  a += 1;
  a(Slice{.step = 2}) *= array<int>({10, 100}).astype(Dtype::int16);
  expect<float>(a, {20, 3, 400, 5});
  const DeviceArray b = array<int>({1, 2, 3});
  EXPECT_EQ(message_of<DtypeError>([&] { b += 0.5; }),
            "a result of float64 does not go into an array of int32; convert with astype");
  EXPECT_THROW(b /= 2, DtypeError);
  EXPECT_THROW(b += zeros(context(), {2, 3}, Dtype::int32), ShapeError);
}

TEST_F(OperatorsTest, in_place_reads_all_before_it_writes) {
  const DeviceArray a = array<int>({1, 2, 3, 4, 5});
  a(Slice{.start = 1}) += a(Slice{.stop = -1});
  expect<int>(a, {1, 3, 5, 7, 9});
  const DeviceArray b = array<int>({1, 2, 3, 4});
  evaluate(lazy(b(Slice{.step = -1})), b);
  expect<int>(b, {4, 3, 2, 1});
}

TEST_F(OperatorsTest, select_and_clip) {
  const DeviceArray a = array<float>({-1, 5, 0.5F});
  expect<float>(where(a > 0, a, 0), {0, 5, 0.5F});
  expect<double>(where(array<int>({1, 0}), 1, 0.5), {1, 0.5});
  expect<float>(clip(a, 0, 1), {0, 1, 0.5F});
  const DeviceArray with_nan = array<float>({std::nanf(""), 1});
  EXPECT_TRUE(std::isnan(maximum(with_nan, 0).to_vector<float>()[0]));
  expect<float>(fmax(with_nan, 0), {0, 1});
}

TEST_F(OperatorsTest, of_float16_round_once) {
  const DeviceArray a = array<Half>({Half(1), Half(65504)});
  expect<Half>(a * 2, {Half(2), Half(std::numeric_limits<float>::infinity())});
  expect<float>(a + array<float>({0.1F, 1}), {1.1F, 65505});
}

TEST_F(OperatorsTest, take_complex_numbers) {
  const std::vector<Complex> x{{1, 2}, {-3, 0.5F}, {0, -2}}, y{{2, -1}, {0, 1}, {-1, -1}};
  const DeviceArray a = array(x), b = array(y);
  const auto near = [&](const DeviceArray& result, const std::function<Complex(Complex, Complex)>& expected) {
    const std::vector<Complex> got = result.to_vector<Complex>();
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LT(std::abs(got[i] - expected(x[i], y[i])), 2e-6F * (1 + std::abs(expected(x[i], y[i])))) << i << got[i];
    }
  };
  near(a * b, [](Complex p, Complex q) { return p * q; });
  near(a / b, [](Complex p, Complex q) { return p / q; });
  near(a - b, [](Complex p, Complex q) { return p - q; });
  near(pow(a, b), [](Complex p, Complex q) { return std::pow(p, q); });
  near(exp(a), [](Complex p, Complex) { return std::exp(p); });
  near(log(a), [](Complex p, Complex) { return std::log(p); });
  near(sqrt(a), [](Complex p, Complex) { return std::sqrt(p); });
  near(sin(a), [](Complex p, Complex) { return std::sin(p); });
  near(cos(a), [](Complex p, Complex) { return std::cos(p); });
  near(tan(a), [](Complex p, Complex) { return std::tan(p); });
  near(sinh(a), [](Complex p, Complex) { return std::sinh(p); });
  near(cosh(a), [](Complex p, Complex) { return std::cosh(p); });
  near(tanh(a), [](Complex p, Complex) { return std::tanh(p); });
  near(square(conj(a)), [](Complex p, Complex) { return std::conj(p) * std::conj(p); });
  expect<float>(real(a), {1, -3, 0});
  expect<float>(imag(-a), {-2, -0.5F, 2});
  EXPECT_NEAR(abs(a).to_vector<float>()[0], std::sqrt(5.0F), 1e-6);
  EXPECT_NEAR(arg(a).to_vector<float>()[1], std::arg(x[1]), 1e-6);
}

// Functions of one and two reals against the host's, in one kernel each.
TEST_F(OperatorsTest, know_every_function_of_c) {
  struct Unary {
    const char* name;
    std::function<Lazy(const Lazy&)> device;
    std::function<double(double)> host;
  };
#define MAXWELL_DG_CASE(name)                                                           \
  Unary {                                                                               \
#name, [](const Lazy& x) { return name(x); }, [](double x) { return std::name(x); } \
  }
  const std::vector<Unary> unary{
      MAXWELL_DG_CASE(sin),
      MAXWELL_DG_CASE(cos),
      MAXWELL_DG_CASE(tan),
      MAXWELL_DG_CASE(asin),
      MAXWELL_DG_CASE(acos),
      MAXWELL_DG_CASE(atan),
      MAXWELL_DG_CASE(sinh),
      MAXWELL_DG_CASE(cosh),
      MAXWELL_DG_CASE(tanh),
      MAXWELL_DG_CASE(asinh),
      MAXWELL_DG_CASE(atanh),
      MAXWELL_DG_CASE(exp),
      MAXWELL_DG_CASE(exp2),
      MAXWELL_DG_CASE(expm1),
      MAXWELL_DG_CASE(log),
      MAXWELL_DG_CASE(log2),
      MAXWELL_DG_CASE(log10),
      MAXWELL_DG_CASE(log1p),
      MAXWELL_DG_CASE(logb),
      MAXWELL_DG_CASE(sqrt),
      MAXWELL_DG_CASE(cbrt),
      MAXWELL_DG_CASE(erf),
      MAXWELL_DG_CASE(erfc),
      MAXWELL_DG_CASE(tgamma),
      MAXWELL_DG_CASE(floor),
      MAXWELL_DG_CASE(ceil),
      MAXWELL_DG_CASE(trunc),
      MAXWELL_DG_CASE(round),
      MAXWELL_DG_CASE(rint),
      MAXWELL_DG_CASE(abs),
      MAXWELL_DG_CASE(lgamma),
      {"rsqrt", [](const Lazy& x) { return rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }},
      {"exp10", [](const Lazy& x) { return exp10(x); }, [](double x) { return std::pow(10.0, x); }},
      {"acosh", [](const Lazy& x) { return acosh(1 + x); }, [](double x) { return std::acosh(1 + x); }},
      {"ilogb", [](const Lazy& x) { return ilogb(x); }, [](double x) { return std::ilogb(x); }},
      {"sign", [](const Lazy& x) { return sign(x); }, [](double x) { return x > 0   ? 1
                                                                            : x < 0 ? -1
                                                                                    : 0; }}};
#undef MAXWELL_DG_CASE
  const std::vector<float> values{0.1F, 0.5F, 0.75F, 0.999F};
  const auto compare = [&](const char* name, const DeviceArray& got, const std::function<double(double)>& host) {
    const std::vector<double> numbers = got.astype(Dtype::float64).to_vector<double>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = host(values[i]);
      EXPECT_NEAR(numbers[i], expected, 2e-6 * (1e-2 + std::fabs(expected))) << name << " of " << values[i];
    }
  };
  const Lazy x = lazy(array(values));
  for (const Unary& f : unary) compare(f.name, evaluate(f.device(x)), f.host);
#define MAXWELL_DG_CASE(name) \
  compare(#name, evaluate(name(x, 0.3)), [](double a) { return std::name(static_cast<float>(a), 0.3F); })
  MAXWELL_DG_CASE(pow);
  MAXWELL_DG_CASE(atan2);
  MAXWELL_DG_CASE(hypot);
  MAXWELL_DG_CASE(fmod);
  MAXWELL_DG_CASE(remainder);
  MAXWELL_DG_CASE(copysign);
  MAXWELL_DG_CASE(nextafter);
  MAXWELL_DG_CASE(fdim);
  MAXWELL_DG_CASE(fmin);
  MAXWELL_DG_CASE(fmax);
#undef MAXWELL_DG_CASE
  compare("fma", evaluate(fma(x, x, 2)), [](double a) { return a * a + 2; });
  compare("ldexp", evaluate(ldexp(x, 3)), [](double a) { return 8 * a; });
}

TEST_F(OperatorsTest, split_reals) {
  const DeviceArray a = array<float>({-2.75F, 0.1875F});
  expect<float>(modf(a).fraction, {-0.75F, 0.1875F});
  expect<float>(modf(a).whole, {-2, 0});
  expect<float>(frexp(a).fraction, {-0.6875F, 0.75F});
  expect<int>(frexp(a).exponent, {2, -2});
  EXPECT_THROW((void)modf(array<Complex>({{1, 2}})), DtypeError);
}

TEST_F(OperatorsTest, lazy_formulas_are_one_kernel_without_temporaries) {
  const DeviceArray x = array<float>({1, 2, 3}), y = array<float>({0.5F, 0.25F, 0});
  const std::size_t kernels = context().compiler().statistics().kernels;
  const std::size_t blocks = context().pool().statistics().active_blocks;
  const Lazy twice = 2 * lazy(x);
  const DeviceArray z = evaluate(twice * twice + sin(lazy(y)) - x);
  EXPECT_EQ(context().compiler().statistics().kernels, kernels + 1);
  EXPECT_EQ(context().pool().statistics().active_blocks, blocks + 1);
  const std::vector<float> got = z.to_vector<float>();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto a = static_cast<float>(i + 1);
    EXPECT_NEAR(got[i], 4 * a * a + std::sin(y.to_vector<float>()[i]) - a, 1e-6);
  }
  EXPECT_EQ((lazy(x) / 2).dtype(), Dtype::float32);
  EXPECT_EQ(text_of(lazy(x) * x + x(whole)).arguments.size(), 1u);
  expect<int>(evaluate((lazy(x) * 1.5).astype(Dtype::int32)), {1, 3, 4});
  evaluate(lazy(x) + 1, x);
  expect<float>(x, {2, 3, 4});
}

}  // namespace
}  // namespace maxwell_dg::rtcg
