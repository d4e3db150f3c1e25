#include "core/resident_memory.hpp"

#include <fstream>
#include <string>

namespace maxwell_dg {

std::size_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kibibytes = 0;
    if (word == "VmHWM:" && status >> kibibytes) return kibibytes << 10U;
  }
  return 0;
}

}  // namespace maxwell_dg
