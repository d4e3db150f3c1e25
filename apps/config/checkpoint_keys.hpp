#pragma once

#include "apps/config/config.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

[[nodiscard]] Object checkpoint_keys(Checkpoint& checkpoint);

}  // namespace maxwell_dg::config
