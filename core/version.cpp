#include "core/version.hpp"

namespace maxwell_dg::core {

std::string_view version() {
  return MAXWELL_DG_VERSION;
}

}  // namespace maxwell_dg::core
