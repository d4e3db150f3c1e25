#pragma once

/// NVTX, NVIDIA's marks for profilers. Without a profiler they cost nothing.
namespace maxwell_dg::core::cuda {

/// Opens a range on this thread; ranges nest.
void push_nvtx_range(const char* name);
void pop_nvtx_range();

}  // namespace maxwell_dg::core::cuda
