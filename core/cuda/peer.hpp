#pragma once

#include <cstddef>

#include "core/device/device.hpp"

/// Several CUDA devices that reach each other's memory.
namespace maxwell_dg::core::cuda {

/// Whether kernels on `from` can use memory of `to` directly.
[[nodiscard]] bool can_access_peer(const Device& from, const Device& to);
/// Lets kernels on `from` use all memory of `to`; once more is nothing to do. Throws DriverError where they cannot.
void enable_peer_access(const Device& from, const Device& to);
/// Copies between buffers of any two CUDA devices or contexts, in the order of `stream`; through the host where the
/// devices do not reach each other.
void copy_between_devices(const Stream& stream, const Buffer& from, std::size_t from_offset, const Buffer& to,
                          std::size_t to_offset, std::size_t bytes);

}  // namespace maxwell_dg::core::cuda
