#include "apps/python/bindings/operands.hpp"

#include <complex>
#include <cstdint>
#include <string>

#include "apps/python/bindings/conversions.hpp"

namespace nb = nanobind;

namespace maxwell_dg::python {
namespace {

[[noreturn]] void refuse(const char* wanted, nb::handle found) {
  const std::string message = std::string(wanted) + " is needed, found a " + text_of(found.type().attr("__name__"));
  throw nb::type_error(message.c_str());
}

std::int64_t integer_of(nb::handle value, const char* wanted) {
  if (PyIndex_Check(value.ptr()) == 0) refuse(wanted, value);
  return nb::cast<std::int64_t>(index_of(value));
}

rtcg::Scalar integer_scalar(nb::handle value) {
  const nb::object number = index_of(value);
  std::int64_t of_64_bits{};
  if (nb::try_cast(number, of_64_bits)) return of_64_bits;
  std::uint64_t large{};
  if (nb::try_cast(number, large)) return large;
  throw nb::value_error("an integer is beyond 64 bits, which no array holds");
}

}  // namespace

rtcg::Scalar scalar_of(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (PyComplex_Check(value.ptr()) != 0) return nb::cast<std::complex<double>>(value);
  if (PyIndex_Check(value.ptr()) != 0) return integer_scalar(value);
  if (PyFloat_Check(value.ptr()) != 0) return nb::cast<double>(value);
  const bool is_of_numpy = nb::hasattr(value, "item") && nb::hasattr(value, "ndim");
  if (is_of_numpy && nb::cast<std::int64_t>(value.attr("ndim")) == 0) return scalar_of(value.attr("item")());
  refuse("a number", value);
}

rtcg::Operand operand_of(nb::handle value) {
  if (nb::isinstance<rtcg::DeviceArray>(value)) return nb::cast<rtcg::DeviceArray>(value);
  const bool is_number = PyComplex_Check(value.ptr()) != 0 || PyIndex_Check(value.ptr()) != 0 ||
                         PyFloat_Check(value.ptr()) != 0 || nb::hasattr(value, "ndim");
  if (!is_number) refuse("an Array or a number", value);
  return scalar_of(value);
}

std::vector<rtcg::Operand> operands_of(const nb::args& values) {
  std::vector<rtcg::Operand> operands;
  for (const nb::handle value : values) operands.push_back(operand_of(value));
  return operands;
}

Dtype dtype_of_object(nb::handle dtype) {
  const nb::object known = nb::module_::import_("numpy").attr("dtype")(dtype);
  const std::string name = text_of(known.attr("name"));
  const auto found = dtype_named(name);
  if (!found) {
    const std::string message = "arrays have no elements of the type '" + name + "' of NumPy";
    throw nb::type_error(message.c_str());
  }
  return *found;
}

rtcg::Shape shape_of(nb::handle shape) {
  constexpr const char* wanted = "a shape, an int or a sequence of ints,";
  if (PyIndex_Check(shape.ptr()) != 0) return {integer_of(shape, wanted)};
  if (!nb::isinstance<nb::tuple>(shape) && !nb::isinstance<nb::list>(shape)) refuse(wanted, shape);
  rtcg::Shape extents;
  for (const nb::handle extent : shape) extents.push_back(integer_of(extent, wanted));
  return extents;
}

rtcg::Value template_value_of(nb::handle value) {
  const Recursion recursion;
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::str>(value)) return std::string(text_of(value));
  if (nb::isinstance<nb::dict>(value)) return record_of(value);
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    rtcg::Value::List list;
    for (const nb::handle item : value) list.push_back(template_value_of(item));
    return list;
  }
  if (PyIndex_Check(value.ptr()) != 0) return integer_of(value, "an integer");
  if (PyFloat_Check(value.ptr()) != 0) return nb::cast<double>(value);
  refuse("a number, a text, a list or a dict", value);
}

rtcg::Record record_of(nb::handle mapping) {
  if (!nb::isinstance<nb::dict>(mapping)) refuse("a dict", mapping);
  rtcg::Record record;
  for (const auto& [name, value] : nb::borrow<nb::dict>(mapping)) {
    if (!nb::isinstance<nb::str>(name)) refuse("a name", name);
    record.emplace(text_of(name), template_value_of(value));
  }
  return record;
}

nb::object object_of(const rtcg::Value& value) {
  if (value.is_boolean()) return nb::bool_(value.boolean());
  if (value.is_integer()) return nb::int_(value.integer());
  if (value.is_real()) return nb::float_(value.number());
  if (value.is_text()) return nb::str(value.text().c_str());
  if (value.is_list()) {
    nb::list list;
    for (const rtcg::Value& item : value.list()) list.append(object_of(item));
    return list;
  }
  nb::dict record;
  for (const auto& [name, item] : value.record()) record[name.c_str()] = object_of(item);
  return record;
}

}  // namespace maxwell_dg::python
