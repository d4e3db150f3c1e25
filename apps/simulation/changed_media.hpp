#pragma once

#include <map>
#include <string>
#include <vector>

#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// [element], or where the media are tensors [element][row][column], by the name of a constant of the media,
/// "epsilon_r"; in the config's units.
using MediaValues = std::map<std::string, std::vector<double>>;

/// The values now: where some medium of the config is a tensor, those of epsilon_r and mu_r are tensors. Throws
/// ConfigError for a constant that the equations do not have.
[[nodiscard]] std::vector<double> media_of(const Plan& plan, const std::string& constant);

/// Gives the media other constants between two steps, and notes them in the plan. What the equations keep in time is
/// D = epsilon_r E and B = mu_r H: they stay, and E and H follow from them with the new constants. No kernel is
/// compiled. In a run with tensors a value an element is that times the unit tensor.
///
/// Throws ConfigError, before anything has changed, for equations other than Maxwell's, for values that are no such
/// constants or need a shorter step than the run's, for tensors in a run whose media are scalars, for new losses
/// of curved elements in a run with tensors, for elements that are
/// in a source, a layer or a dispersive medium, at a port or at the surface of the far field, and for runs with several
/// ranks, media that vary within elements, complex fields, a balance of energy or checkpoints.
void change_media(Plan& plan, dg::Operator& op, const MediaValues& values);

}  // namespace maxwell_dg::simulation
