#include "core/device/host_call.hpp"

#include <utility>

#include "core/device/backend.hpp"

namespace maxwell_dg::core {

void call_on_host(const Stream& stream, std::function<void()> function) {
  stream.state().call_on_host(std::move(function));
}

}  // namespace maxwell_dg::core
