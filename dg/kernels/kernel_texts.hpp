#pragma once

#include <string_view>

/// The kernels as text, with places for what is generated: see the .kernel files beside this one.
namespace maxwell_dg::dg::kernels {

extern const std::string_view volume, surface, update, energy, sample, nodal_values;

}  // namespace maxwell_dg::dg::kernels
