#pragma once

namespace maxwell_dg::python {

/// Throws std::runtime_error, which names the library, where another one has damaged the C++ runtime of this process
/// before it came to this module: streams would fail to read numbers then, or crash.
///
/// A library into which libstdc++ is linked, and which exports it, shares some variables with the libstdc++.so.6 of the
/// process (STB_GNU_UNIQUE: numbers of facets such as std::num_get) and has others of its own (of std::ctype).
/// Whichever runtime starts second finds numbers that the first has given and gives some of them once more, so that
/// facets overwrite each other in its table.
void require_sound_runtime();

}  // namespace maxwell_dg::python
