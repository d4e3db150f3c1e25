#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/opencl/handles.hpp"

/// What kernels take. Drivers tell it of programs that they have compiled, and PoCL not of one loaded from a binary:
/// so it travels with the binary.
namespace maxwell_dg::core::opencl {

/// What a kernel declares its parameter to be; `value` is of a type with a name of the program's own.
enum class ParameterKind : char { unknown = '?', pointer = 'p', integer = 'i', real = 'r', value = 'v' };

using Signature = std::vector<ParameterKind>;
using Signatures = std::map<std::string, Signature, std::less<>>;

/// "a pointer", "an integer" ...
[[nodiscard]] const char* words_of(ParameterKind kind);

/// What the driver tells of a kernel that was built with -cl-kernel-arg-info.
[[nodiscard]] Signature signature_of(cl_kernel kernel);

/// A driver's binary with its kernels' signatures before it.
[[nodiscard]] std::vector<std::byte> with_signatures(const Signatures& signatures, std::span<const std::byte> binary);

/// The two of them again. A binary that has none, since it was not made by with_signatures, is taken as it is.
struct SignedBinary {
  Signatures signatures;
  std::span<const std::byte> binary;
};
[[nodiscard]] SignedBinary split_signatures(std::span<const std::byte> bytes);

}  // namespace maxwell_dg::core::opencl
