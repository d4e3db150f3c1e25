#pragma once

#include "core/device/device.hpp"

namespace maxwell_dg::core::opencl {

/// An event that the program completes itself: streams that wait for it (Stream::wait) stand still until then. The end
/// of this object completes it, too, so that none waits for ever.
class UserEvent {
 public:
  explicit UserEvent(const Device& device);
  ~UserEvent();
  UserEvent(const UserEvent&) = delete;
  UserEvent& operator=(const UserEvent&) = delete;

  [[nodiscard]] const Event& event() const { return event_; }
  /// Once more is nothing to do.
  void complete();

 private:
  Event event_;
};

}  // namespace maxwell_dg::core::opencl
