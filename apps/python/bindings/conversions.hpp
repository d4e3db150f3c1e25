#pragma once

#include <string>

#include <nanobind/nanobind.h>

namespace maxwell_dg::python {

/// The value as an int of Python. Throws what its `__index__` raises.
[[nodiscard]] inline nanobind::object index_of(nanobind::handle value) {
  PyObject* const index = PyNumber_Index(value.ptr());
  if (index == nullptr) throw nanobind::python_error();
  return nanobind::steal(index);
}

/// str(value) in UTF-8. Throws what `__str__` raises, and UnicodeEncodeError for half of a surrogate pair.
[[nodiscard]] inline std::string text_of(nanobind::handle value) {
  const nanobind::str text(value);
  const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), nullptr);  // which the stable ABI has
  if (utf8 == nullptr) throw nanobind::python_error();
  return utf8;
}

/// While it lives a function calls itself. Throws Python's RecursionError where that goes too deep, as for a list that
/// holds itself.
class Recursion {
 public:
  Recursion() {
    if (Py_EnterRecursiveCall(" while a value was read") != 0) throw nanobind::python_error();
  }
  ~Recursion() { Py_LeaveRecursiveCall(); }
  Recursion(const Recursion&) = delete;
  Recursion& operator=(const Recursion&) = delete;
};

}  // namespace maxwell_dg::python
