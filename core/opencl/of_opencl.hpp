#pragma once

#include "core/opencl/states.hpp"

/// From neutral handles to OpenCL's states, for what only OpenCL has. Private to this folder.
namespace maxwell_dg::core::opencl {

/// A handle's state; UnsupportedFeature naming `what` was asked for when the handle is not OpenCL's.
template <class Derived, class Base>
[[nodiscard]] Derived& of_opencl(Base& state, const char* what) {
  auto* derived = dynamic_cast<Derived*>(&state);
  if (derived == nullptr) throw lacks(Backend::cuda, what, "open an OpenCL device for it");
  return *derived;
}

}  // namespace maxwell_dg::core::opencl
