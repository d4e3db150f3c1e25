#include "core/opencl/user_event.hpp"

#include "core/opencl/of_opencl.hpp"

namespace maxwell_dg::core::opencl {

UserEvent::UserEvent(const Device& device) {
  const auto state = of_opencl<OpenclDevice>(device.state(), "events that the program completes").self();
  cl_int code = CL_SUCCESS;
  Owned<cl_event> event(clCreateUserEvent(state->context(), &code));
  check(code, "clCreateUserEvent");
  event_ = Event(std::make_shared<OpenclEvent>(state, std::move(event), EventKind::order));
}

UserEvent::~UserEvent() {
  auto& state = static_cast<OpenclEvent&>(event_.state());
  clSetUserEventStatus(state.get(), CL_COMPLETE);  // refused when it is complete already
}

void UserEvent::complete() {
  if (event_.is_done()) return;
  auto& state = static_cast<OpenclEvent&>(event_.state());
  check(clSetUserEventStatus(state.get(), CL_COMPLETE), "clSetUserEventStatus");
}

}  // namespace maxwell_dg::core::opencl
