#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "apps/config/yaml.hpp"

namespace maxwell_dg::python {

/// What a config would hold in place of a Python value: of None nothing, of numbers (NumPy's, too) their exact values,
/// of texts and paths quoted texts, of mappings, sequences and arrays what they hold. `path` is the key path for
/// messages. Throws nb::type_error for other values.
[[nodiscard]] config::Value value_of(nanobind::handle value, const std::string& path = {});

}  // namespace maxwell_dg::python
