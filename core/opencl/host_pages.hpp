#pragma once

#include <cstddef>

#include "core/opencl/handles.hpp"

namespace maxwell_dg::core::opencl {

/// Smaller buffers gain nothing by large pages, and would mostly be padding.
inline constexpr std::size_t least_in_large_pages = std::size_t{4} << 20;

/// A buffer in the host's memory, for devices that compute there, in pages of 2 MiB where the system has some to give:
/// the processor finds places all over such a buffer with few entries of its page tables. Empty if there is not so
/// much memory, or with OpenCL's error in `code`.
[[nodiscard]] Owned<cl_mem> create_in_large_pages(cl_context context, std::size_t bytes, cl_int& code);

}  // namespace maxwell_dg::core::opencl
