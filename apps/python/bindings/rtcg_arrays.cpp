#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/conversions.hpp"
#include "apps/python/bindings/formulas.hpp"
#include "apps/python/bindings/operands.hpp"
#include "apps/python/bindings/tensors.hpp"
#include "rtcg/array/error.hpp"
#include "rtcg/array/lazy.hpp"
#include "rtcg/array/print.hpp"
#include "rtcg/array/totals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {
namespace {

using rtcg::Context;
using rtcg::DeviceArray;
using rtcg::Lazy;
using rtcg::Operation;

std::vector<rtcg::Index> indices_of(nb::handle key) {
  std::vector<rtcg::Index> indices;
  const auto add = [&](nb::handle index) {
    if (index.is_none()) {
      indices.emplace_back(rtcg::new_axis);
    } else if (index.ptr() == Py_Ellipsis) {
      indices.emplace_back(rtcg::ellipsis);
    } else if (PySlice_Check(index.ptr()) != 0) {
      const auto part = [&](const char* name) { return nb::cast<std::optional<std::int64_t>>(index.attr(name)); };
      indices.emplace_back(rtcg::Slice{part("start"), part("stop"), part("step").value_or(1)});
    } else if (PyIndex_Check(index.ptr()) != 0) {
      indices.emplace_back(nb::cast<std::int64_t>(index_of(index)));
    } else {
      throw nb::type_error("an index is an int, a slice, None or ...; lists of indices are no indices here");
    }
  };
  if (nb::isinstance<nb::tuple>(key)) {
    for (const nb::handle index : key) add(index);
  } else {
    add(key);
  }
  return indices;
}

struct BinaryOperator {
  const char* name;
  const char* reflected;  ///< null: there is none
  Operation operation;
};
constexpr BinaryOperator binary_operators[] = {
    {"__add__", "__radd__", Operation::add},
    {"__sub__", "__rsub__", Operation::subtract},
    {"__mul__", "__rmul__", Operation::multiply},
    {"__truediv__", "__rtruediv__", Operation::divide},
    {"__floordiv__", "__rfloordiv__", Operation::floor_divide},
    {"__mod__", "__rmod__", Operation::mod},
    {"__pow__", "__rpow__", Operation::pow},
    {"__and__", "__rand__", Operation::bitwise_and},
    {"__or__", "__ror__", Operation::bitwise_or},
    {"__xor__", "__rxor__", Operation::bitwise_xor},
    {"__lshift__", "__rlshift__", Operation::shift_left},
    {"__rshift__", "__rrshift__", Operation::shift_right},
    {"__eq__", nullptr, Operation::equal},
    {"__ne__", nullptr, Operation::not_equal},
    {"__lt__", nullptr, Operation::less},
    {"__le__", nullptr, Operation::less_equal},
    {"__gt__", nullptr, Operation::greater},
    {"__ge__", nullptr, Operation::greater_equal},
};

/// `x + y` and the like of a class; where the other operand is nothing for arrays, Python asks it.
template <class Bound>
void bind_operators(Bound& bound, const std::string& result) {
  for (const BinaryOperator& entry : binary_operators) {
    const Operation operation = entry.operation;
    const bool is_equality = operation == Operation::equal || operation == Operation::not_equal;
    const auto signature = [&](const char* name) {
      return "def " + std::string(name) + "(self, other: " + (is_equality ? "object" : result + " | Lazy | complex") +
             ", /) -> " + result;
    };
    bound.def(
        entry.name,
        [operation](nb::handle self, nb::handle other) {
          return is_operand(other) ? applied(operation, {self, other}) : nb::borrow(Py_NotImplemented);
        },
        nb::is_operator(), nb::sig(signature(entry.name).c_str()));
    if (entry.reflected == nullptr) continue;
    bound.def(
        entry.reflected,
        [operation](nb::handle self, nb::handle other) {
          return is_operand(other) ? applied(operation, {other, self}) : nb::borrow(Py_NotImplemented);
        },
        nb::is_operator(), nb::sig(signature(entry.reflected).c_str()));
  }
  bound.def(
      "__neg__", [](nb::handle self) { return applied(Operation::negative, {self}); },
      nb::sig(("def __neg__(self) -> " + result).c_str()));
  bound.def(
      "__invert__", [](nb::handle self) { return applied(Operation::bitwise_not, {self}); },
      nb::sig(("def __invert__(self) -> " + result).c_str()));
  bound.def(
      "__abs__", [](nb::handle self) { return applied(Operation::abs, {self}); },
      nb::sig(("def __abs__(self) -> " + result).c_str()));
  bound.attr("__hash__") = nb::none();
  bound.attr("__array_ufunc__") = nb::none();  // so that NumPy's numbers leave operators to it
}

rtcg::ReductionKernel::Options axes_of(nb::handle axis, bool keepdims) {
  rtcg::ReductionKernel::Options options{.keeps_axes = keepdims};
  if (!axis.is_none()) options.axes = shape_of(axis);
  return options;
}

using Total = DeviceArray (*)(const Lazy&, const rtcg::ReductionKernel::Options&);
constexpr std::pair<const char*, Total> totals[] = {
    {"sum", rtcg::sum},       {"prod", rtcg::prod},     {"mean", rtcg::mean}, {"var", rtcg::variance},
    {"min", rtcg::min},       {"max", rtcg::max},       {"any", rtcg::any},   {"all", rtcg::all},
    {"argmin", rtcg::argmin}, {"argmax", rtcg::argmax}, {"norm", rtcg::norm}, {"count_nonzero", rtcg::count_nonzero}};

template <class Bound>
void bind_totals(Bound& bound) {
  for (const auto& [name, total] : totals) {
    bound.def(
        name,
        [total = total](nb::handle self, nb::handle axis, bool keepdims) {
          const rtcg::Term term = term_of(self);
          const rtcg::ReductionKernel::Options options = axes_of(axis, keepdims);
          const nb::gil_scoped_release without_lock;
          return total(std::get<Lazy>(term), options);
        },
        "axis"_a = nb::none(), "keepdims"_a = false,
        nb::sig(("def " + std::string(name) +
                 "(self, axis: int | collections.abc.Sequence[int] | None = None, keepdims: bool = False) -> Array")
                    .c_str()));
  }
}

nb::object item(const DeviceArray& array) {
  return visit_dtype(array.dtype(), [&](auto element) -> nb::object {
    using T = decltype(element);
    T value{};
    {
      const nb::gil_scoped_release without_lock;
      value = array.item<T>();
    }
    if constexpr (std::same_as<T, Half>) {
      return nb::float_(static_cast<double>(static_cast<float>(value)));
    } else if constexpr (is_complex(dtype_of<T>)) {
      return nb::steal(PyComplex_FromDoubles(static_cast<double>(value.real()), static_cast<double>(value.imag())));
    } else if constexpr (std::same_as<T, bool>) {
      return nb::bool_(value);
    } else if constexpr (std::floating_point<T>) {
      return nb::float_(static_cast<double>(value));
    } else {
      return nb::int_(value);
    }
  });
}

void assign(const DeviceArray& array, nb::handle key, nb::handle value) {
  const std::vector<rtcg::Index> indices = indices_of(key);
  const rtcg::Term term = term_of(value);
  const nb::gil_scoped_release without_lock;
  const DeviceArray part = array.at(indices);
  if (const auto* number = std::get_if<rtcg::Scalar>(&term)) {
    part.fill(*number);
  } else {
    evaluate(std::get<Lazy>(term), part);
  }
}

nb::object cuda_interface(const DeviceArray& array) {
  const core::DeviceInfo& device = array.context().device().info();
  if (device.backend != core::Backend::cuda) throw nb::attribute_error("only CUDA's arrays have it");
  const auto item_bytes = static_cast<std::int64_t>(size_of(array.dtype()));
  nb::list shape, strides;
  for (const std::int64_t extent : array.shape()) shape.append(extent);
  for (const std::int64_t stride : array.strides()) strides.append(stride * item_bytes);
  nb::dict interface;
  const auto first = array.buffer().raw() + static_cast<std::uintptr_t>(array.offset() * item_bytes);
  interface["shape"] = nb::tuple(shape);
  interface["strides"] = nb::tuple(strides);
  interface["typestr"] = nb::module_::import_("numpy").attr("dtype")(std::string(name_of(array.dtype()))).attr("str");
  interface["data"] = nb::make_tuple(first, false);
  interface["version"] = 3;
  interface["stream"] = array.context().stream().raw();
  return interface;
}

void bind_array(nb::class_<DeviceArray>& bound) {
  bound
      .def_prop_ro(
          "shape",
          [](const DeviceArray& a) {
            nb::list shape;
            for (const std::int64_t extent : a.shape()) shape.append(extent);
            return nb::tuple(shape);
          },
          nb::sig("def shape(self) -> tuple[int, ...]"))
      .def_prop_ro(
          "dtype", [](const DeviceArray& a) { return std::string(name_of(a.dtype())); }, "By its NumPy name.")
      .def_prop_ro("ndim", [](const DeviceArray& a) { return a.rank(); })
      .def_prop_ro(
          "size", [](const DeviceArray& a) { return a.size(); }, "Number of elements.")
      .def_prop_ro("nbytes", [](const DeviceArray& a) { return a.size_bytes(); })
      .def_prop_ro("context", [](const DeviceArray& a) { return a.context(); })
      .def_prop_ro("T", &DeviceArray::transpose, "A view with the axes in reverse order.")
      .def("numpy", &numpy_of, "A copy of all numbers, as a NumPy array.",
           nb::sig("def numpy(self) -> NDArray[typing.Any]"))
      .def(
          "__array__",
          [](const DeviceArray& a, nb::handle dtype, nb::handle copy) {
            if (copy.equal(nb::bool_(false))) throw nb::value_error("an Array comes to NumPy by a copy");
            const nb::object values = numpy_of(a);
            return dtype.is_none() ? values : values.attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none(),
          nb::sig("def __array__(self, dtype: object = None, copy: bool | None = None) -> "
                  "NDArray[typing.Any]"))
      .def("item", &item, "The only number.", nb::sig("def item(self) -> typing.Any"))
      .def("__float__", [](const DeviceArray& a) { return nb::float_(item(a)); })
      .def("__bool__",
           [](const DeviceArray& a) {
             if (a.size() != 1)
               throw nb::value_error("an Array of several elements is neither true nor false; use any() or all()");
             return nb::cast<bool>(nb::bool_(item(a)));
           })
      .def("__len__",
           [](const DeviceArray& a) {
             if (a.rank() == 0) throw nb::type_error("an Array without axes has no length");
             return a.shape().front();
           })
      .def(
          "__getitem__", [](const DeviceArray& a, nb::handle key) { return a.at(indices_of(key)); },
          "A view: ints, slices, None and ... .", nb::sig("def __getitem__(self, key: object, /) -> Array"))
      .def("__setitem__", &assign,
           nb::sig("def __setitem__(self, key: object, value: Array | Lazy | complex, /) -> None"))
      .def(
          "reshape", [](const DeviceArray& a, nb::handle shape) { return a.reshape(shape_of(shape)); }, "shape"_a,
          "One extent may be -1. A view where that is possible, else a copy.",
          nb::sig("def reshape(self, shape: int | collections.abc.Sequence[int]) -> Array"))
      .def("copy", &DeviceArray::copy)
      .def(
          "fill", [](const DeviceArray& a, nb::handle value) { a.fill(scalar_of(value)); }, "value"_a,
          nb::sig("def fill(self, value: complex) -> None"))
      .def(
          "astype", [](const DeviceArray& a, nb::handle dtype) { return a.astype(dtype_of_object(dtype)); }, "dtype"_a,
          "A copy of another element type.", nb::sig("def astype(self, dtype: DTypeLike) -> Array"))
      .def("__dlpack__", &dlpack_of, nb::kw_only(), "stream"_a = nb::none(), "max_version"_a = nb::none(),
           "dl_device"_a = nb::none(), "copy"_a = nb::none(),
           nb::sig("def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None, "
                   "dl_device: tuple[int, int] | None = None, copy: bool | None = None) -> object"))
      .def("__dlpack_device__", &dlpack_device_of, nb::sig("def __dlpack_device__(self) -> tuple[int, int]"))
      .def_prop_ro("__cuda_array_interface__", &cuda_interface,
                   nb::sig("def __cuda_array_interface__(self) -> dict[str, typing.Any]"))
      .def("__repr__", [](const DeviceArray& a) {
        const nb::gil_scoped_release without_lock;
        return to_string(a);
      });
}

using New = DeviceArray (*)(const Context&, const rtcg::Shape&, Dtype);

}  // namespace

void bind_rtcg_arrays(nb::module_& m) {
  nb::class_<Context> context(m, "Context",
                              "A device with the stream, the compiler and the memory pool of its arrays.");
  nb::class_<DeviceArray> array(m, "Array", "Numbers on a device.");
  nb::class_<Lazy> lazy(m, "Lazy", "A formula of arrays that is not computed yet.");

  context.def(
      "__init__",
      [](Context* self, const std::string& device) {
        const nb::gil_scoped_release without_lock;
        new (self) Context(Context::open(device));
      },
      "device"_a = "auto");
  context.def_prop_ro(
      "device", [](const Context& c) { return c.device().info().name; }, "Its name.");
  context.def_prop_ro("is_cpu", [](const Context& c) { return c.device().info().is_cpu; });
  context.def(
      "synchronize",
      [](const Context& c) {
        const nb::gil_scoped_release without_lock;
        c.stream().synchronize();
      },
      "Waits for all work on the arrays.");
  context.def(
      "__eq__", [](const Context& a, const Context& b) { return a == b; }, nb::is_operator(),
      nb::sig("def __eq__(self, other: object, /) -> bool"));
  context.attr("__hash__") = nb::none();
  context.def("of_numpy", &on_device, "values"_a, "A copy of a NumPy array in C order.",
              nb::sig("def of_numpy(self, values: NDArray[typing.Any]) -> Array"));
  context.def("from_dlpack", &from_dlpack, "tensor"_a,
              "An array over memory of this device that another library has; what is on the host is copied.");
  for (const auto& [name, make] :
       {std::pair<const char*, New>{"empty", rtcg::empty}, {"zeros", rtcg::zeros}, {"ones", rtcg::ones}}) {
    context.def(
        name,
        [make = make](const Context& c, nb::handle shape, nb::handle dtype) {
          return make(c, shape_of(shape), dtype_of_object(dtype));
        },
        "shape"_a, "dtype"_a = "float64",
        nb::sig(("def " + std::string(name) +
                 "(self, shape: int | collections.abc.Sequence[int], dtype: DTypeLike = \"float64\") -> Array")
                    .c_str()));
  }
  context.def(
      "full",
      [](const Context& c, nb::handle shape, nb::handle value, nb::handle dtype) {
        const rtcg::Scalar number = scalar_of(value);
        return rtcg::full(c, shape_of(shape), number, dtype.is_none() ? number.dtype() : dtype_of_object(dtype));
      },
      "shape"_a, "value"_a, "dtype"_a = nb::none(),
      nb::sig("def full(self, shape: int | collections.abc.Sequence[int], value: complex, dtype: "
              "DTypeLike | None = None) -> Array"));

  bind_array(array);
  bind_operators(array, "Array");
  bind_totals(array);

  lazy.def(nb::init<DeviceArray>(), "array"_a);
  lazy.def_prop_ro("dtype", [](const Lazy& l) { return std::string(name_of(l.dtype())); });
  lazy.def_prop_ro(
      "shape",
      [](const Lazy& l) {
        nb::list shape;
        for (const std::int64_t extent : l.shape()) shape.append(extent);
        return nb::tuple(shape);
      },
      nb::sig("def shape(self) -> tuple[int, ...]"));
  lazy.def(
      "evaluate", [](const Lazy& l) { return rtcg::evaluate(l); }, "All of it, by one kernel.",
      nb::call_guard<nb::gil_scoped_release>());
  bind_operators(lazy, "Lazy");
  bind_totals(lazy);
}

}  // namespace maxwell_dg::python
