#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.hpp"
#include "core/dtype.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// What kernels are generated for.
struct KernelPurpose {
  std::string system;
  int N{};
  Dtype precision{};
  Schedule schedule;
  core::DeviceInfo device;
};

/// The names of the kernels that a text defines, in its order.
[[nodiscard]] std::vector<std::string> kernels_in(const rtcg::KernelSource& source);

/// A generated text for readers. Comments that begin with `//@` are added: at the beginning, for what the text was
/// generated and from which templates; before each part, the template's line that it comes from. Without these lines it
/// is the text that is compiled (text_in_listing).
[[nodiscard]] std::string kernel_listing(const rtcg::KernelSource& source, const KernelPurpose& purpose);

/// The text that is compiled, from a listing.
[[nodiscard]] std::string text_in_listing(std::string_view listing);

}  // namespace maxwell_dg::dg
