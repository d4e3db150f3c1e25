#pragma once

#include <initializer_list>

#include <nanobind/nanobind.h>

#include "rtcg/array/lazy.hpp"

/// Formulas of arrays.
namespace maxwell_dg::python {

/// An array, a formula or a number as a term of a formula. Throws nb::type_error for anything else.
[[nodiscard]] rtcg::Term term_of(nanobind::handle value);
/// A formula where one of the operands is, else its value.
[[nodiscard]] nanobind::object applied(rtcg::Operation operation, std::initializer_list<nanobind::handle> operands);
/// Whether it may be an operand. Where it is nothing for arrays, Python is to ask it.
[[nodiscard]] bool is_operand(nanobind::handle value);

}  // namespace maxwell_dg::python
