#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

int System::find_boundary(const std::string& boundary) const {
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    if (boundaries[i].name == boundary) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace maxwell_dg::dg
