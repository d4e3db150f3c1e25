#include "core/cuda/nvtx.hpp"

#include <nvtx3/nvToolsExt.h>

namespace maxwell_dg::core::cuda {

void push_nvtx_range(const char* name) {
  nvtxRangePushA(name);
}
void pop_nvtx_range() {
  nvtxRangePop();
}

}  // namespace maxwell_dg::core::cuda
