#pragma once

#include <memory>
#include <string>

#include "core/error.hpp"

namespace maxwell_dg::core {

/// The state behind a handle; a handle made by its default constructor has none.
template <class State>
[[nodiscard]] State& used(const std::shared_ptr<State>& state, const char* what) {
  if (state == nullptr) throw DeviceError(std::string("an empty ") + what + " was used; get one from a Device");
  return *state;
}

}  // namespace maxwell_dg::core
