#pragma once

#include <filesystem>

namespace maxwell_dg::core::opencl {

/// PoCL ends the process (abort, SIGSEGV, SIGBUS) where a file of its own cannot be written or is cut off. From now on
/// such an end, if the stack shows PoCL or a kernel of `folder`, is one line "error: ..." and the exit code of device
/// errors. Other ends stay as they are, and so do handlers that somebody has set.
void report_pocl_failures(const std::filesystem::path& folder);

}  // namespace maxwell_dg::core::opencl
