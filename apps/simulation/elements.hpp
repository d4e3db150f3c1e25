#pragma once

#include <vector>

#include "apps/config/config.hpp"
#include "apps/simulation/plan.hpp"
#include "dg/maxwell/lumped_element.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/observe/element_signals.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// The config's `elements`, [entry]. Throws ConfigError for faces that do not suit.
[[nodiscard]] std::vector<dg::maxwell::LumpedElement> make_elements(const config::Config& config,
                                                                    const dg::Discretization& discretization,
                                                                    const dg::Problem& problem);
/// Adds their terms to the problem, which has all of its other terms. Throws ConfigError where one of their faces has a
/// term already.
void add_element_terms(const config::Config& config, const std::vector<dg::maxwell::LumpedElement>& elements,
                       dg::Problem& problem);

/// Of `outputs.elements`, which is there.
[[nodiscard]] dg::ElementSignals::Options element_signal_options(const Plan& plan, dg::Sink& sink);
/// Adds to what is used of the operator what they need.
void add_element_signals(const Plan& plan, dg::Operator::Usage& usage);

}  // namespace maxwell_dg::simulation
