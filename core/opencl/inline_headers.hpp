#pragma once

#include <string>

#include "core/device/device.hpp"

namespace maxwell_dg::core::opencl {

/// The request as one text: every `#include` of a header that the request carries is replaced by its text, between
/// `#line` directives, so that the compiler's messages keep naming the file and line that the author wrote.
/// A header with `#pragma once` comes in once. An include that the request does not carry stays for the compiler.
/// Throws DeviceError when headers include each other in a circle.
[[nodiscard]] std::string inline_headers(const BuildRequest& request);

}  // namespace maxwell_dg::core::opencl
