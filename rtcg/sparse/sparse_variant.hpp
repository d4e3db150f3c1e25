#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "rtcg/array/context.hpp"
#include "rtcg/sparse/csr_matrix.hpp"

/// One way to store a matrix on a device and to multiply by it.
namespace maxwell_dg::rtcg {

/// A matrix on the host whose values are bytes of a dtype.
struct SparseData {
  const SparsityPattern& pattern;
  Dtype dtype{};
  std::span<const std::byte> values;
};

struct SparseVariant {
  std::string name;
  KernelSource source;
  std::string kernel;
  core::LaunchShape launch;
  std::vector<core::KernelArgument> arguments;  ///< all but x and y
  std::size_t bytes{};                          ///< of the buffers
};

/// Names of the ways that may be the fastest of a context: "csr_8" (work-items that share a row), "csr_stream_4",
/// "sorted_ell_2" (entries that a work-item has on their way), "sliced_ell", "packeted".
[[nodiscard]] std::vector<std::string> sparse_variants(const Context& context);
/// The one to take without measuring.
[[nodiscard]] std::string likely_csr_variant(const Context& context, const SparsityPattern& pattern);
/// Why a variant makes no sense for a matrix, or "".
[[nodiscard]] std::string objection(const std::string& variant, const SparsityPattern& pattern);

/// Lays out and uploads. Throws OutOfDeviceMemory.
[[nodiscard]] SparseVariant make_variant(const std::string& name, const Context& context, const SparseData& data);

}  // namespace maxwell_dg::rtcg
