#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include "rtcg/array/argument_code.hpp"
#include "rtcg/source/value.hpp"

/// Python values as the library for code at run time takes them. All throw nb::type_error for what does not fit.
namespace maxwell_dg::python {

/// bool, int, float, complex, or a number of NumPy.
[[nodiscard]] rtcg::Scalar scalar_of(nanobind::handle value);
/// An Array, or a number.
[[nodiscard]] rtcg::Operand operand_of(nanobind::handle value);
[[nodiscard]] std::vector<rtcg::Operand> operands_of(const nanobind::args& values);
/// A dtype by its name, or anything that NumPy takes for one.
[[nodiscard]] Dtype dtype_of_object(nanobind::handle dtype);
/// An int or a sequence of ints.
[[nodiscard]] rtcg::Shape shape_of(nanobind::handle shape);
/// Of templates and configurations: numbers, texts, lists, dicts.
[[nodiscard]] rtcg::Value template_value_of(nanobind::handle value);
[[nodiscard]] rtcg::Record record_of(nanobind::handle mapping);
[[nodiscard]] nanobind::object object_of(const rtcg::Value& value);

}  // namespace maxwell_dg::python
