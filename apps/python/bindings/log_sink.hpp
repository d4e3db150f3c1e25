#pragma once

#include <nanobind/nanobind.h>

#include "core/log.hpp"

namespace maxwell_dg::python {

/// Passes messages to a Python callable, as `log(level, text)` with the levels of Python's module logging. It must
/// outlive the sink.
[[nodiscard]] LogSink sink_of(nanobind::handle log);

}  // namespace maxwell_dg::python
