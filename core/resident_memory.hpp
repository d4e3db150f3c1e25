#pragma once

#include <cstddef>

namespace maxwell_dg {

/// The most memory of the host, in bytes, that this process has had at a time; 0 where the system does not tell.
[[nodiscard]] std::size_t peak_resident_bytes();

}  // namespace maxwell_dg
