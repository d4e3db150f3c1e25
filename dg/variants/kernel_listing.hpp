#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/device/device.hpp"
#include "core/dtype.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// What kernels are made for.
struct KernelPurpose {
  std::string system;
  int N{};
  Dtype precision{};
  Schedule schedule;
  core::DeviceInfo device;
};

/// The names of the kernels in a text, in its order.
[[nodiscard]] std::vector<std::string> kernels_in(const rtcg::KernelSource& source);

/// A copy of a generated text to be read: in front, as a comment, what it is made for and of which templates; in front
/// of each part a comment that begins with `//@` and says where the part comes from. Without these lines it is the text
/// that is compiled (see text_in_listing).
[[nodiscard]] std::string kernel_listing(const rtcg::KernelSource& source, const KernelPurpose& purpose);

/// The text of a listing, as it is compiled.
[[nodiscard]] std::string text_in_listing(std::string_view listing);

}  // namespace maxwell_dg::dg
