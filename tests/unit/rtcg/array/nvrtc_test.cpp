// The CUDA texts of array kernels compile without a warning, for the oldest and the newest architecture that NVRTC
// knows.
#include "rtcg/array/elementwise_source.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/operation.hpp"
#include "rtcg/array/reduction_source.hpp"
#include "tests/unit/rtcg/nvrtc_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class ArrayNvrtcTest : public NvrtcFixture {
 protected:
  static ElementwiseOperation operation(std::vector<Argument> arguments, const std::string& text) {
    return {analyzed(std::move(arguments), text), "test",
            "#include \"array_functions.h\"\n#include \"array_complex.h\""};
  }
};

using Step = ElementwiseShape::Step;

TEST_F(ArrayNvrtcTest, conversions_between_all_dtypes_compile) {
  for (const Dtype from : all_dtypes) {
    std::vector<Argument> arguments{{.name = "a", .dtype = from, .kind = Argument::Kind::input}};
    std::string text;
    for (const Dtype to : all_dtypes) {
      const std::string name = "z_" + std::string(name_of(to));
      arguments.push_back({.name = name, .dtype = to, .kind = Argument::Kind::output});
      text += name + "[i] = " + converted("a[i]", from, to) + ";\n";
    }
    ElementwiseShape shape{.axes = 3};
    shape.steps.assign(arguments.size(), Step::strided);
    expect_compiles(elementwise_source(operation(arguments, text), shape));
  }
}

TEST_F(ArrayNvrtcTest, packs_of_every_width_compile) {
  for (const Dtype dtype : all_dtypes) {
    const std::vector<Argument> arguments{{.name = "a", .dtype = dtype, .kind = Argument::Kind::input},
                                          {.name = "b", .dtype = dtype},
                                          {.name = "z", .dtype = dtype, .kind = Argument::Kind::output}};
    const ElementwiseShape shape{.lanes = std::max<std::size_t>(2, 16 / size_of(dtype)),
                                 .steps = {Step::next, Step::broadcast, Step::next}};
    expect_compiles(elementwise_source(operation(arguments, "z[i] = i > 3 ? a[i] : b"), shape));
  }
}

// Every operation on every dtype that it is defined for, all of a dtype in one kernel; they take long to compile, so
// the architectures take turns.
TEST_F(ArrayNvrtcTest, operations_on_all_dtypes_compile) {
  struct Case {
    Operation operation;
    std::size_t arity;
  };
#define MAXWELL_DG_LIST(name, arity, rule) Case{Operation::name, arity},
  const std::vector<Case> cases{MAXWELL_DG_ARRAY_OPERATIONS(MAXWELL_DG_LIST)};
#undef MAXWELL_DG_LIST
  bool is_old = true;
  for (const Dtype dtype : all_dtypes) {
    std::vector<Argument> arguments{{.name = "a", .dtype = dtype, .kind = Argument::Kind::input}};
    std::string text;
    for (const Case& c : cases) {
      const std::vector<TypedTerm> terms(c.arity, dtype);
      Typing typing;
      try {
        typing = typing_of(c.operation, terms);
      } catch (const std::exception&) {
        continue;  // which pairs are refused is tested against NumPy's
      }
      std::vector<std::string> operands;
      for (const Dtype operand : typing.operands) operands.push_back("(" + converted("a[i]", dtype, operand) + ")");
      const std::string name = "z" + std::to_string(arguments.size());
      arguments.push_back({.name = name, .dtype = typing.result, .kind = Argument::Kind::output});
      text += name + "[i] = " + text_of(c.operation, typing, operands) + ";\n";
    }
    ElementwiseShape shape{.has_long_indices = true};
    shape.steps.assign(arguments.size(), Step::next);
    expect_compiles(elementwise_source(operation(arguments, text), shape),
                    virtual_of(is_old ? architectures_.front() : architectures_.back()));
    is_old = !is_old;
  }
}

TEST_F(ArrayNvrtcTest, reductions_of_every_shape_compile) {
  for (const Dtype dtype : {Dtype::boolean, Dtype::int64, Dtype::float16, Dtype::complex64}) {
    const std::vector<std::string> sides{"a", "b"};
    const Reduction reduction{.name = "test",
                              .map = analyzed({{.name = "x", .dtype = dtype, .kind = Argument::Kind::input}},
                                              "const value_type mapped = x[i];"),
                              .reduce = text_of(Operation::add, {.operands = {dtype, dtype}, .result = dtype}, sides),
                              .neutral = is_complex(dtype) ? "complex64_of(0, 0)" : "0",
                              .finish = "a",
                              .type = value_type(dtype),
                              .result = dtype};
    for (const bool is_along_outputs : {false, true}) {
      for (const bool has_one_part : {false, true}) {
        expect_compiles(reduction_source(reduction, {.output_axes = 2,
                                                     .reduced_axes = 1,
                                                     .is_along_outputs = is_along_outputs,
                                                     .has_one_part = has_one_part,
                                                     .is_next = has_one_part}));
      }
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::rtcg
