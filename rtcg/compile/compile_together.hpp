#pragma once

#include <span>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::rtcg {

/// Compiler::compile by several ranks, each of which may ask for other texts: a text that several of them want for the
/// same kind of device is compiled, or looked up in the cache, by one of them, which hands the code to the others. The
/// work is divided evenly. A failure is thrown on all ranks that want the text. One rank alone: Compiler::compile.
/// Texts with include directories are each rank's own. Collective.
[[nodiscard]] std::vector<core::Module> compile_together(Compiler compiler, std::span<const KernelSource> sources,
                                                         const core::Communicator& ranks);

}  // namespace maxwell_dg::rtcg
