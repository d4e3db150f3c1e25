#pragma once

#include <string>

#include "apps/config/config.hpp"

namespace maxwell_dg::config {

/// What a resumed run must have in common with the one that wrote its checkpoint, as text: a line "key.path: value" for
/// everything that the config says (defaults filled in) but where and how exactly to compute (device, mesh file, order,
/// precision, integrator, step), how long, and what is only written out.
[[nodiscard]] std::string identity(const Config& config);

/// How two of these differ: "materials.0.sigma is 1, it was 0; ...", the first few; empty where they do not.
[[nodiscard]] std::string differences(const std::string& was, const std::string& is);

}  // namespace maxwell_dg::config
