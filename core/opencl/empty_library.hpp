#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace maxwell_dg::core::opencl {

/// A shared library (ELF, 64 bits) that has one function of the given name and no code behind it: it can be loaded, and
/// the name be found, but not be called. Nothing on a machine whose libraries are others.
[[nodiscard]] std::vector<std::byte> empty_library(const std::string& function);

}  // namespace maxwell_dg::core::opencl
