#pragma once

#include <filesystem>
#include <string>

namespace maxwell_dg::core::opencl {

/// PoCL writes kernels as shared libraries into a folder, loads them from there, and aborts the process where either
/// fails. Throws DeviceError where it would: the folder cannot be written, files there cannot be executed (a file
/// system mounted noexec), it has hardly room, or the process may hardly write (RLIMIT_FSIZE). `named_by`: the
/// environment variable that names the folder. `remedy`: what to do about it.
void require_usable_for_pocl(const std::filesystem::path& folder, const std::string& named_by,
                             const std::string& remedy);

}  // namespace maxwell_dg::core::opencl
