#pragma once

#include <vector>

#include "apps/simulation/plan.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/observe/far_field_table.hpp"
#include "dg/observe/files/sink.hpp"

/// From a config to the far field: its surface, and what is around that.
namespace maxwell_dg::simulation {

/// The surface of `outputs.far_field`; empty where that is not asked for. Throws ConfigError for regions that the mesh
/// does not have, a surface that is none, walls, periodic surfaces, a medium, a source or total field outside of it,
/// a ground that it does not stand on, and without a source to relate to.
[[nodiscard]] std::vector<dg::ElementFace> far_field_faces(const Plan& plan);

/// Throws ConfigError for frequencies of `outputs.far_field` at which a driven port's mode is cut off.
void check_antenna_feeds(const Plan& plan);

/// Of `outputs.far_field`, which is there.
[[nodiscard]] dg::FarFieldTable::Options far_field_options(const Plan& plan, dg::Sink& sink);

}  // namespace maxwell_dg::simulation
