#pragma once

#include <cstddef>

#include "core/device/device.hpp"

/// What CUDA tells of a compiled kernel beyond Kernel::attributes, and what may be set.
namespace maxwell_dg::core::cuda {

struct FunctionAttributes {
  int registers{};                  ///< a thread
  std::size_t shared_bytes{};       ///< static, a block
  std::size_t constant_bytes{};     ///< the module's constant memory
  std::size_t local_bytes{};        ///< a thread: spills and private arrays
  std::size_t max_block_threads{};  ///< for this kernel
  std::size_t max_dynamic_shared_bytes{};
  int shared_carveout_percent{};  ///< of the multiprocessor's memory; -1: the driver decides
  int ptx_version{};              ///< 90 for compute_90
  int binary_version{};           ///< 90 for sm_90
};
[[nodiscard]] FunctionAttributes function_attributes(const Kernel& kernel);

/// Lets launches ask for so much dynamic shared memory. A launch does so by itself; graphs and others may need it
/// first.
void set_max_dynamic_shared(const Kernel& kernel, std::size_t bytes);
/// How much of the memory that shared memory and first-level cache divide is to be shared memory, 0 to 100; -1: any.
void set_shared_carveout(const Kernel& kernel, int percent);

/// Groups of `group_size` threads that one multiprocessor runs at once.
[[nodiscard]] std::size_t active_groups(const Kernel& kernel, std::size_t group_size,
                                        std::size_t dynamic_shared_bytes = 0);
/// The threads of those groups over what the multiprocessor can hold, 0 to 1.
[[nodiscard]] double occupancy(const Kernel& kernel, std::size_t group_size, std::size_t dynamic_shared_bytes = 0);
/// The most groups that a cooperative launch may have.
[[nodiscard]] std::size_t max_cooperative_groups(const Kernel& kernel, std::size_t group_size,
                                                 std::size_t dynamic_shared_bytes = 0);

}  // namespace maxwell_dg::core::cuda
