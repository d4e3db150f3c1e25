#pragma once

#include <string>
#include <vector>

#include <nvrtc.h>

namespace maxwell_dg::core::cuda {

#define MAXWELL_DG_NVRTC_CALLS(X) \
  X(nvrtcVersion)                 \
  X(nvrtcGetErrorString)          \
  X(nvrtcGetNumSupportedArchs)    \
  X(nvrtcGetSupportedArchs)       \
  X(nvrtcCreateProgram)           \
  X(nvrtcDestroyProgram)          \
  X(nvrtcCompileProgram)          \
  X(nvrtcGetProgramLogSize)       \
  X(nvrtcGetProgramLog)           \
  X(nvrtcGetPTXSize)              \
  X(nvrtcGetPTX)                  \
  X(nvrtcGetCUBINSize)            \
  X(nvrtcGetCUBIN)                \
  X(nvrtcAddNameExpression)       \
  X(nvrtcGetLoweredName)

/// The entry points of libnvrtc, and what it says of itself.
struct Nvrtc {
#define MAXWELL_DG_DECLARE(name) decltype(&::name) name{};
  MAXWELL_DG_NVRTC_CALLS(MAXWELL_DG_DECLARE)
#undef MAXWELL_DG_DECLARE
  std::string version;             ///< "13.0"
  std::string build_id;            ///< of the library file; tells patch releases apart
  std::vector<int> architectures;  ///< 75, 80, ... ascending
};

struct NvrtcState {
  const Nvrtc* nvrtc{};
  std::string absence;
};

/// Loaded once per process, never unloaded.
[[nodiscard]] const NvrtcState& nvrtc_state();

/// Throws DeviceError when there is none.
[[nodiscard]] const Nvrtc& nvrtc();

void check(nvrtcResult code, const char* call, const std::string& remedy = {});

}  // namespace maxwell_dg::core::cuda
