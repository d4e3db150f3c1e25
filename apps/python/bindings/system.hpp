#pragma once

#include <memory>
#include <string>

#include "apps/config/systems.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::python {

/// Equations that a Python program has written.
struct OwnSystem {
  dg::System system;
  std::string doc;
};

/// The systems that a config may name then: this one alone. Throws std::invalid_argument for equations that are not
/// complete.
[[nodiscard]] std::shared_ptr<const config::Systems> systems_with(const OwnSystem& own);

}  // namespace maxwell_dg::python
