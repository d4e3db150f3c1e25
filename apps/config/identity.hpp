#pragma once

#include <string>

#include "apps/config/config.hpp"

namespace maxwell_dg::config {

/// What a resumed run must have in common with the one that wrote its checkpoint, as text: a line "key.path: value" for
/// everything that the config says (defaults filled in) but where and how exactly to compute (device, mesh file, order,
/// precision, integrator, step), how long, and what is only written out.
[[nodiscard]] std::string identity(const Config& config);

/// The same of all that decides what a run leaves in its directory: everything but where to compute, the mesh file (a
/// digest tells meshes apart) and what continues a run.
[[nodiscard]] std::string result_settings(const Config& config);

/// The same but for what the fields are compared with at the end of the run.
[[nodiscard]] std::string settings_until_the_end(const Config& config);

/// How two of these differ: "materials.0.sigma is 1, it was 0; ...", the first few; empty where they do not.
[[nodiscard]] std::string differences(const std::string& was, const std::string& is);

}  // namespace maxwell_dg::config
