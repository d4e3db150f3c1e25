#include "core/opencl/host_processor.hpp"

#if defined(__x86_64__)
#include <cstring>

#include <cpuid.h>
#endif

namespace maxwell_dg::core::opencl {

#if defined(__x86_64__)

// Intel, "64 and IA-32 Architectures Software Developer's Manual", volume 2, CPUID, leaves 0 and 1; AMD, "AMD64
// Architecture Programmer's Manual", volume 3, appendix E.3, the same.
std::string host_processor() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0) return "";
  char text[13] = {};
  std::memcpy(text, &b, 4);
  std::memcpy(text + 4, &d, 4);
  std::memcpy(text + 8, &c, 4);
  const std::string vendor = text;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return vendor;
  constexpr unsigned extended = 15;
  unsigned family = a >> 8 & 15U, model = a >> 4 & 15U;
  if (family == extended || family == 6) model += (a >> 16 & 15U) << 4;
  if (family == extended) family += a >> 20 & 255U;
  if (vendor == "AuthenticAMD") return "AMD family " + std::to_string(family);
  return (vendor == "GenuineIntel" ? "Intel" : vendor) + " family " + std::to_string(family) + " model " +
         std::to_string(model);
}

#else

std::string host_processor() {
  return "";
}

#endif

}  // namespace maxwell_dg::core::opencl
