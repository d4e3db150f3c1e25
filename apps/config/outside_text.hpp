#pragma once

#include <string>

#include "apps/config/config.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::config {

/// Why no element holds the point under `key`, with the units that were probably left out.
[[nodiscard]] std::string outside_text(const Config& config, const std::string& key, const Vector3& point,
                                       const dg::Mesh& mesh, const dg::Connectivity& connectivity,
                                       const dg::PointLocator& locator);

}  // namespace maxwell_dg::config
