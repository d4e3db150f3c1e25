#pragma once

#include <string>

namespace maxwell_dg::core::opencl {

/// The generation of the processor that this program runs on, as CPUID has it: "AMD family 26", "Intel family 6 model
/// 143". Processors of one name and with the same instructions may differ in it, and in what is fast on them. "" on
/// processors without CPUID.
[[nodiscard]] std::string host_processor();

}  // namespace maxwell_dg::core::opencl
