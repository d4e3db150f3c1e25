#include <numeric>

#include "rtcg/array/elementwise_kernel.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

TEST(Arguments, are_read_from_text) {
  const std::vector<Argument> arguments = parse_arguments("const float32* x, double a,int8 *z");
  ASSERT_EQ(arguments.size(), 3u);
  EXPECT_EQ(to_string(arguments[0]), "const float32* x");
  EXPECT_EQ(to_string(arguments[1]), "float64 a");
  EXPECT_EQ(to_string(arguments[2]), "int8* z");
  EXPECT_TRUE(parse_arguments("  ").empty());
}

TEST(Arguments, that_are_wrong_are_named) {
  EXPECT_EQ(message_of<ArrayError>([] { (void)parse_arguments("float32 a, flaot* b"); }),
            "argument ' flaot* b': 'flaot' is no element type; write it like 'const float32* x', 'float32* z' or "
            "'float32 a'");
  for (const char* text : {"float32", "float32** a", "float32 a b", "float32 a,", "float32 i", "float32 row",
                           "float32 value", "float32 a, int8 a"}) {
    EXPECT_THROW((void)parse_arguments(text), ArrayError) << text;
  }
}

TEST(ElementText, knows_elements_from_pointers) {
  const auto analyze = [](const char* arguments, const char* text) {
    return analyzed(parse_arguments(arguments), text);
  };
  const ElementText a = analyze("const float32* x, float32* z", "z[i] = x[ i ] + s.x + 2.0f; // x");
  EXPECT_EQ(a.text, "z_i = x_i + s.x + 2.0f; // x");
  EXPECT_EQ(a.is_element, (std::vector<bool>{true, true}));
  EXPECT_FALSE(a.uses_index);
  const ElementText b = analyze("const float32* x, float32* z", "z[i] = x[i] + x[i + 1]");
  EXPECT_EQ(b.text, "z_i = x[i] + x[i + 1]");
  EXPECT_EQ(b.is_element, (std::vector<bool>{false, true}));
  EXPECT_TRUE(b.uses_index);
}

class ElementwiseTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray counted(const Shape& shape) const {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    std::iota(values.begin(), values.end(), 0.0F);
    return to_device(context(), values, shape);
  }
  const ElementwiseKernel combine_{{.arguments = "const float32* x, const float32* y, float32 a, float32* z",
                                    .operation = "z[i] = a * x[i] + y[i]",
                                    .name = "combine"}};
};

TEST_F(ElementwiseTest, does_the_same_at_every_index_of_any_size) {
  for (const std::int64_t n : {1, 3, 4, 5, 1023, 100003}) {
    const DeviceArray x = counted({n}), z = zeros(context(), {n}, Dtype::float32);
    combine_(x, x, 2.0, z);
    const std::vector<float> result = z.to_vector<float>();
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(result[static_cast<std::size_t>(i)], 3 * static_cast<float>(i)) << n;
  }
}

TEST_F(ElementwiseTest, takes_any_strides_and_broadcasts) {
  const DeviceArray x = counted({40, 30}).transpose()(Slice{.step = 2}, Slice{.step = -1});  // (15, 40)
  const DeviceArray y = counted({15})(whole, new_axis);
  const DeviceArray z = zeros(context(), {40, 30}, Dtype::float32)(whole, Slice{.start = 15}).transpose();
  combine_(x, y, 0.5, z);
  const std::vector<float> result = z.to_vector<float>();
  for (int r = 0; r < 15; ++r) {
    for (int c = 0; c < 40; ++c) {
      const auto expected = static_cast<float>(0.5 * ((39 - c) * 30 + 2 * r) + r);
      ASSERT_EQ(result[static_cast<std::size_t>(r * 40 + c)], expected) << r << " " << c;
    }
  }
}

TEST_F(ElementwiseTest, updates_in_place) {
  const DeviceArray x = counted({1000});
  combine_(x, x, 1.0, x);
  EXPECT_EQ(x(999).item<float>(), 1998.0F);
  const ElementwiseKernel clip({.arguments = "float32* x", .operation = "if (x[i] > 5) x[i] = 5;"});
  clip(x);
  EXPECT_EQ(x(Slice{.stop = 5}).to_vector<float>(), (std::vector{0.0F, 2.0F, 4.0F, 5.0F, 5.0F}));
}

TEST_F(ElementwiseTest, index_counts_in_c_order_whatever_the_strides) {
  const ElementwiseKernel number({.arguments = "int32* z", .operation = "z[i] = (int32)i;"});
  const DeviceArray z = zeros(context(), {2, 3}, Dtype::int32).transpose();
  number(z);
  EXPECT_EQ(z.to_vector<int>(), (std::vector{0, 1, 2, 3, 4, 5}));
}

TEST_F(ElementwiseTest, neighbours_are_read_through_pointers) {
  const ElementwiseKernel difference(
      {.arguments = "const float32* x, float32* z", .operation = "z[i] = x[i + 1] - x[i]", .name = "difference"});
  const DeviceArray x = counted({11})(Slice{.start = 1}), z = zeros(context(), {9}, Dtype::float32);
  difference(x, z);
  EXPECT_EQ(z.to_vector<float>(), std::vector<float>(9, 1.0F));
  const DeviceArray spread = counted({22})(Slice{.step = 2});
  EXPECT_EQ(message_of<ShapeError>([&] { difference(spread, z); }),
            "kernel 'difference': argument 'const float32* x' is used other than as x[i], so its array must be "
            "contiguous");
}

TEST_F(ElementwiseTest, runs_over_a_range) {
  const ElementwiseKernel number({.arguments = "int32* z", .operation = "z[i] = (int32)i;"});
  const DeviceArray z = zeros(context(), {8}, Dtype::int32);
  number.launch({z}, {.range = Slice{.start = 1, .stop = -1, .step = 2}});
  EXPECT_EQ(z.to_vector<int>(), (std::vector{0, 1, 0, 3, 0, 5, 0, 0}));
  number.launch({z}, {.range = Slice{.start = 8}});
  const DeviceArray uneven = zeros(context(), {4, 4}, Dtype::int32)(whole, Slice{.stop = 2});
  EXPECT_THROW(number.launch({uneven}, {.range = Slice{}}), ShapeError);
}

TEST_F(ElementwiseTest, has_a_preamble_and_takes_numbers_of_every_type) {
  const ElementwiseKernel sum({.arguments = "bool b, int8 c, uint16 d, int64 e, float16 h, complex64 z, float32* out",
                               .operation = "out[i] = twice((float32)(b + c + d + e) + h + z.re + z.im)",
                               .preamble = "DEVICE_FUNCTION float32 twice(float32 x) { return 2 * x; }"});
  const DeviceArray out = zeros(context(), {3}, Dtype::float32);
  sum(true, -3, 1000, 5000000000L, 0.5, std::complex<float>(1, 2), out);
  EXPECT_EQ(out(2).item<float>(), 2 * (5000000998.0F + 3.5F));
  EXPECT_EQ(message_of<DtypeError>([&] { sum(true, 300, 0, 0, 0, 0, out); }),
            "kernel 'elementwise': argument 'int8 c': the number 300 is not a value of int8");
}

TEST_F(ElementwiseTest, refuses_wrong_operands) {
  const DeviceArray x = counted({4}), z = zeros(context(), {4}, Dtype::float32);
  EXPECT_EQ(message_of<ArrayError>([&] { combine_(x, x, z); }), "kernel 'combine': 3 operands for 4 arguments");
  EXPECT_EQ(message_of<ArrayError>([&] { combine_(x, x, z, z); }),
            "kernel 'combine': argument 'float32 a' was given an array");
  EXPECT_EQ(message_of<DtypeError>([&] { combine_(x.astype(Dtype::int32), x, 1, z); }),
            "kernel 'combine': argument 'const float32* x' was given an array of int32");
  EXPECT_EQ(message_of<ShapeError>([&] { combine_(counted({5}), x, 1, z); }),
            "kernel 'combine': argument 'const float32* x': an array of shape (5,) does not broadcast to (4,)");
  EXPECT_THROW(combine_(x, x, 1, z.broadcast_to({2, 4})), ShapeError);
  const Context other(context().device());
  EXPECT_THROW(combine_(x, zeros(other, {4}, Dtype::float32), 1, z), ArrayError);
}

TEST_F(ElementwiseTest, that_does_not_compile_says_where) {
  const ElementwiseKernel wrong({.arguments = "float32* z", .operation = "z[i] = nowhere;", .name = "wrong"});
  const DeviceArray z = zeros(context(), {4}, Dtype::float32);
  const std::string message = message_of<CompileError>([&] { wrong(z); });
  EXPECT_NE(message.find("wrong.kernel:"), std::string::npos) << message;
  EXPECT_NE(message.find("nowhere"), std::string::npos) << message;
}

TEST_F(ElementwiseTest, compiles_once_for_a_class_of_layouts) {
  const DeviceArray x = counted({100}), z = zeros(context(), {100}, Dtype::float32);
  combine_(x, x, 1, z);
  const std::size_t kernels = context().compiler().statistics().kernels;
  combine_(x, x, 2, z);
  combine_(counted({64}), counted({64}), 2, zeros(context(), {64}, Dtype::float32));
  EXPECT_EQ(context().compiler().statistics().kernels, kernels);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
