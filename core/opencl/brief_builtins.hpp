#pragma once

#include <string>
#include <string_view>

namespace maxwell_dg::core::opencl {

/// Keeps clang's header of OpenCL C, as PoCL reads it before every text, from declaring its thousands of functions.
inline constexpr const char* without_builtins = "-D_OPENCL_H_";

/// Declarations that stand in for that header: of work-items, barriers, atomics on 32 bits, and the functions of
/// numbers whose arguments have one type. Text that needs more does not compile with them; what does compile means the
/// same, since each name has all its overloads for single numbers (of float16 none), and vectors never become numbers.
/// Of `any` and `select` there are those of vectors of reals and of their masks, of which a single number fits several.
[[nodiscard]] std::string brief_builtins();

/// Whether the text names a function of OpenCL C that is not among them. (A vector given to one of them is not seen.)
[[nodiscard]] bool needs_more_builtins(std::string_view text);

}  // namespace maxwell_dg::core::opencl
