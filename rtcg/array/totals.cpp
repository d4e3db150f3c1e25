#include "rtcg/array/totals.hpp"

#include <limits>

#include "rtcg/array/error.hpp"
#include "rtcg/array/kernel_types.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/source/literal.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Options = ReductionKernel::Options;

/// What the reductions differ in; `x` in the texts is the formula's value.
struct Texts {
  std::string map, reduce, neutral;
  Dtype result{};
  std::string finish = "a";
  std::string_view name;
  std::string preamble = "";
  std::string_view type = "";
  std::size_t type_bytes = 0;
};

DeviceArray reduced(const Lazy& a, const Texts& texts, const Options& options) {
  FormulaText formula = text_of(a);
  const std::string statements =
      formula.statements + "const " + value_type(a.dtype()) + " x = " + formula.value + ";\n";
  const std::string preamble = formula.preamble() + "\n" + texts.preamble;
  return ReductionKernel(std::move(formula.arguments), {.map = texts.map,
                                                        .reduce = texts.reduce,
                                                        .neutral = texts.neutral,
                                                        .result = texts.result,
                                                        .finish = texts.finish,
                                                        .name = texts.name,
                                                        .preamble = preamble,
                                                        .type = texts.type,
                                                        .type_bytes = texts.type_bytes,
                                                        .statements = statements})
      .reduce(formula.operands, options);
}

Dtype sum_dtype(Dtype dtype) {
  if (kind_of(dtype) == DtypeKind::unsigned_integer) return Dtype::uint64;
  return dtype == Dtype::boolean || is_integer(dtype) ? Dtype::int64 : dtype;
}

Dtype mean_dtype(Dtype dtype) {
  return dtype == Dtype::boolean || is_integer(dtype) ? Dtype::float64 : dtype;
}

// a + b or a * b, and the number that changes nothing.
std::string combination(Operation operation, Dtype dtype) {
  const std::vector<std::string> operands{"a", "b"};
  return text_of(operation, {.operands = {dtype, dtype}, .result = dtype}, operands);
}
std::string constant(int value, Dtype dtype) {
  const std::string text = std::to_string(value);
  return is_complex(dtype) ? std::string(name_of(dtype)) + "_of(" + text + ", 0)" : text;
}

DeviceArray total(const Lazy& a, Operation operation, Dtype dtype, const Options& options,
                  const std::string& finish = "a") {
  return reduced(a,
                 {.map = converted("x", a.dtype(), dtype),
                  .reduce = combination(operation, dtype),
                  .neutral = constant(operation == Operation::add ? 0 : 1, dtype),
                  .result = dtype,
                  .finish = finish,
                  .name = name_of(operation)},
                 options);
}

void require_elements(const Lazy& a, const char* function) {
  if (is_complex(a.dtype())) {
    throw DtypeError(std::string(function) + " is not defined for " + std::string(name_of(a.dtype())));
  }
  if (element_count(a.shape()) == 0) {
    throw ShapeError(std::string(function) + " of an array without elements, shape " + to_string(a.shape()));
  }
}

// What every value of the dtype is below, or above; at least not beyond.
std::string bound(Dtype dtype, bool above) {
  if (dtype == Dtype::boolean) return above ? "1" : "0";
  if (is_real(dtype)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return literal(above ? infinity : -infinity, dtype == Dtype::float16 ? Dtype::float32 : dtype);
  }
  return visit_dtype(dtype, [&]<class T>(T) -> std::string {
    if constexpr (std::integral<T>) {
      return literal(above ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min(), dtype);
    } else {
      return {};
    }
  });
}

DeviceArray extreme(const Lazy& a, Operation operation, const Options& options) {
  return reduced(a,
                 {.map = "x",
                  .reduce = combination(operation, a.dtype() == Dtype::boolean ? Dtype::uint8 : a.dtype()),
                  .neutral = bound(a.dtype(), operation == Operation::minimum),
                  .result = a.dtype(),
                  .name = name_of(operation)},
                 options);
}

// Where it is, the first of equals; before the first element stands -1.
DeviceArray place_of_extreme(const Lazy& a, const char* symbol, const Options& options) {
  const std::string type = value_type(a.dtype());
  const auto is_nan = [&](const std::string& name) {
    return is_real(a.dtype()) ? name + ".value != " + name + ".value" : "0";
  };
  const std::string preamble = "typedef struct { int64 at; " + type +
                               " value; } Place;\n"
                               "DEVICE_FUNCTION Place place_of(" +
                               type +
                               " value, int64 at) {\n  Place p;\n  p.value = value;\n  p.at = at;\n  return p;\n}\n"
                               "DEVICE_FUNCTION Place further(Place a, Place b) {\n"
                               "  if (b.at < 0) return a;\n"
                               "  if (a.at < 0) return b;\n"
                               "  const int32 a_is_nan = " +
                               is_nan("a") + ", b_is_nan = " + is_nan("b") +
                               ";\n"
                               "  if (a_is_nan != b_is_nan) return a_is_nan ? a : b;\n"
                               "  if (a_is_nan || a.value == b.value) return a.at < b.at ? a : b;\n"
                               "  return a.value " +
                               std::string(symbol) + " b.value ? a : b;\n}";
  return reduced(a,
                 {.map = "place_of(x, i)",
                  .reduce = "further(a, b)",
                  .neutral = "place_of(0, -1)",
                  .result = Dtype::int64,
                  .finish = "a.at",
                  .name = "place_of_extreme",
                  .preamble = preamble,
                  .type = "Place",
                  .type_bytes = 16},
                 options);
}

DeviceArray truth(const Lazy& a, const char* reduce, const char* neutral, const Options& options) {
  return reduced(a,
                 {.map = converted("x", a.dtype(), Dtype::boolean),
                  .reduce = reduce,
                  .neutral = neutral,
                  .result = Dtype::boolean,
                  .name = "truth"},
                 options);
}

}  // namespace

DeviceArray sum(const Lazy& a, const Options& options) {
  return total(a, Operation::add, sum_dtype(a.dtype()), options);
}

DeviceArray prod(const Lazy& a, const Options& options) {
  return total(a, Operation::multiply, sum_dtype(a.dtype()), options);
}

DeviceArray mean(const Lazy& a, const Options& options) {
  const Dtype dtype = mean_dtype(a.dtype());
  const std::string type(name_of(dtype)), part = value_type(real_part_of(dtype));
  const std::string finish = is_complex(dtype) ? type + "_of(a.re / (" + part + ")count, a.im / (" + part + ")count)"
                                               : "a / (" + part + ")count";
  return total(a, Operation::add, dtype, options, finish);
}

DeviceArray variance(const Lazy& a, const Options& options) {
  const DeviceArray center = mean(a, {.axes = options.axes, .keeps_axes = true});
  return mean(square(abs(a - center)), options);
}

DeviceArray min(const Lazy& a, const Options& options) {
  require_elements(a, "min");
  return extreme(a, Operation::minimum, options);
}

DeviceArray max(const Lazy& a, const Options& options) {
  require_elements(a, "max");
  return extreme(a, Operation::maximum, options);
}

DeviceArray argmin(const Lazy& a, const Options& options) {
  require_elements(a, "argmin");
  return place_of_extreme(a, "<", options);
}

DeviceArray argmax(const Lazy& a, const Options& options) {
  require_elements(a, "argmax");
  return place_of_extreme(a, ">", options);
}

DeviceArray any(const Lazy& a, const Options& options) {
  return truth(a, "a || b", "0", options);
}

DeviceArray all(const Lazy& a, const Options& options) {
  return truth(a, "a && b", "1", options);
}

DeviceArray count_nonzero(const Lazy& a, const Options& options) {
  return reduced(a,
                 {.map = "(int64)" + converted("x", a.dtype(), Dtype::boolean),
                  .reduce = "a + b",
                  .neutral = "0",
                  .result = Dtype::int64,
                  .name = "count_nonzero"},
                 options);
}

DeviceArray dot(const Lazy& a, const Lazy& b) {
  if (a.shape() != b.shape()) {
    throw ShapeError("dot of arrays of shapes " + to_string(a.shape()) + " and " + to_string(b.shape()) +
                     "; they must be the same");
  }
  return total(a * b, Operation::add, promote(a.dtype(), b.dtype()), {});
}

DeviceArray norm(const Lazy& a, const Options& options) {
  const Dtype dtype = real_part_of(mean_dtype(a.dtype()));
  const std::string value = "((" + value_type(dtype) + ")x)";
  return reduced(a,
                 {.map = is_complex(a.dtype()) ? "x.re * x.re + x.im * x.im" : value + " * " + value,
                  .reduce = "a + b",
                  .neutral = "0",
                  .result = dtype,
                  .finish = "sqrt(a)",
                  .name = "norm"},
                 options);
}

}  // namespace maxwell_dg::rtcg
