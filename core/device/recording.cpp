#include "core/device/recording.hpp"

#include "core/device/backend.hpp"

namespace maxwell_dg::core {

bool Recording::is_possible(const Stream& stream) {
  return stream.state().can_record();
}

Recording::Recording(const Stream& stream, const std::function<void()>& work)
    : state_(stream.state().capture(stream, work)) {}

void Recording::replay(const Stream& stream) const {
  state_->replay(stream);
}

}  // namespace maxwell_dg::core
