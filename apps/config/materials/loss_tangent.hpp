#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/reader.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

/// The key `loss_tangent` of a material.
[[nodiscard]] Key loss_tangent_key(Material& material);

/// What is wrong with a loss tangent beside the other keys of its material is an error of the reader.
void check_loss_tangent(const Material& material, Reader& reader);

/// Whether the permittivity depends on frequency: by `dispersion` or a loss tangent.
[[nodiscard]] bool is_dispersive(const Material& material);

/// The poles of the permittivity, those of `dispersion` or of the loss tangent, in the config's units.
[[nodiscard]] std::vector<Pole> poles_of(const Material& material);

/// A constant as the equations have it: epsilon_r at infinite frequency.
[[nodiscard]] std::vector<NumberByPlace> components_of(const Material& material, const std::string& constant);

/// Of each material with a loss tangent ("loss tangent of 'board'", "0.02 within 2.9 % by 2 Debye poles; ...").
[[nodiscard]] std::vector<std::pair<std::string, std::string>> describe_loss_tangents(const Config& config);

}  // namespace maxwell_dg::config
