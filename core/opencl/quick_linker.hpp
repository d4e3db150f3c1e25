#pragma once

#include <filesystem>

namespace maxwell_dg::core::opencl {

/// PoCL makes a shared library of every kernel, by the command `ld` with the libraries of C: nine tenths of that
/// command's time are spent on reading those, which hardly any kernel needs. This writes a command `ld` into
/// `directory`/linker that links what lies under `directory` without libraries first, and with them where something is
/// missing; whatever else is linked by it is none of its business. The compiler in PoCL finds it, since it looks for
/// its commands where COMPILER_PATH says, which is set here unless the user did. Where that fails, things stay as they
/// are.
void offer_quick_linker(const std::filesystem::path& directory);

}  // namespace maxwell_dg::core::opencl
