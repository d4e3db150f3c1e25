#pragma once

#include "apps/config/config.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// Complex where a pair of periodic surfaces has a phase.
[[nodiscard]] dg::FieldNumbers field_numbers(const config::Config& config);

/// The phases between periodic surfaces that the config asks for, as terms of a problem on a mesh that is there twice.
void add_phases(const config::Config& config, const dg::Discretization& discretization, dg::Problem& problem);

}  // namespace maxwell_dg::simulation
