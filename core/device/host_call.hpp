#pragma once

#include <functional>

#include "core/device/stream.hpp"

namespace maxwell_dg::core {

/// Puts a host function into a stream: it is called once, by a thread of the driver's, when all work before it is done,
/// and work after it waits for its end. It may not throw, nor call anything of a device. Throws UnsupportedFeature
/// while the stream is captured into a graph.
void call_on_host(const Stream& stream, std::function<void()> function);

}  // namespace maxwell_dg::core
