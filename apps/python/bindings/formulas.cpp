#include "apps/python/bindings/formulas.hpp"

#include <variant>
#include <vector>

#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/operands.hpp"
#include "rtcg/array/totals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {

using rtcg::DeviceArray;
using rtcg::Lazy;
using rtcg::Operation;

rtcg::Term term_of(nb::handle value) {
  if (nb::isinstance<Lazy>(value)) return nb::cast<Lazy>(value);
  const rtcg::Operand operand = operand_of(value);
  if (const auto* array = std::get_if<DeviceArray>(&operand)) return Lazy(*array);
  return std::get<rtcg::Scalar>(operand);
}

nb::object applied(Operation operation, std::initializer_list<nb::handle> operands) {
  std::vector<rtcg::Term> terms;
  bool is_lazy = false;
  for (const nb::handle operand : operands) {
    terms.push_back(term_of(operand));
    is_lazy = is_lazy || nb::isinstance<Lazy>(operand);
  }
  const Lazy formula = combined(operation, terms);
  if (is_lazy) return nb::cast(formula);
  DeviceArray result;
  {
    const nb::gil_scoped_release without_lock;
    result = evaluate(formula);
  }
  return nb::cast(result);
}

bool is_operand(nb::handle value) {
  return nb::isinstance<Lazy>(value) || nb::isinstance<DeviceArray>(value) || PyComplex_Check(value.ptr()) != 0 ||
         PyFloat_Check(value.ptr()) != 0 || PyIndex_Check(value.ptr()) != 0;
}

void bind_rtcg_functions(nb::module_& m) {
#define MAXWELL_DG_BIND(name, arity, rule)                                      \
  m.def(                                                                        \
      #name, [](nb::handle a) { return applied(Operation::name, {a}); }, "a"_a, \
      nb::sig("def " #name "(a: Array | Lazy) -> typing.Any"));
  MAXWELL_DG_ARRAY_UNARY_FUNCTIONS(MAXWELL_DG_BIND)
#undef MAXWELL_DG_BIND
#define MAXWELL_DG_BIND(name, arity, rule)       \
  m.def(                                         \
      #name,                                     \
      [](nb::handle a, nb::handle b) {           \
        return applied(Operation::name, {a, b}); \
      },                                         \
      "a"_a, "b"_a, nb::sig("def " #name "(a: Array | Lazy | complex, b: Array | Lazy | complex) -> typing.Any"));
  MAXWELL_DG_ARRAY_BINARY_FUNCTIONS(MAXWELL_DG_BIND)
#undef MAXWELL_DG_BIND
#define MAXWELL_DG_BIND(name, arity, rule)           \
  m.def(                                             \
      #name,                                         \
      [](nb::handle a, nb::handle b, nb::handle c) { \
        return applied(Operation::name, {a, b, c});  \
      },                                             \
      "a"_a, "b"_a, "c"_a,                           \
      nb::sig("def " #name                           \
              "(a: Array | Lazy | complex, b: Array | Lazy | complex, c: Array | Lazy | complex) -> typing.Any"));
  MAXWELL_DG_ARRAY_TERNARY_FUNCTIONS(MAXWELL_DG_BIND)
#undef MAXWELL_DG_BIND
  m.def(
      "dot",
      [](nb::handle a, nb::handle b) {
        const auto formula = [](nb::handle operand) {
          const rtcg::Term term = term_of(operand);
          if (!std::holds_alternative<Lazy>(term)) throw nb::type_error("dot takes two arrays");
          return std::get<Lazy>(term);
        };
        const Lazy x = formula(a), y = formula(b);
        const nb::gil_scoped_release without_lock;
        return rtcg::dot(x, y);
      },
      "a"_a, "b"_a, "The sum of products.", nb::sig("def dot(a: Array | Lazy, b: Array | Lazy) -> Array"));
}

}  // namespace maxwell_dg::python
