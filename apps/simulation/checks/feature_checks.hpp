#pragma once

#include "apps/simulation/plan.hpp"

namespace maxwell_dg::simulation {

/// Features that are valid alone and do not go together, as far as a run would still compute something: warns of fields
/// at a probe in the PML, of media that what absorbs is not matched to, of outputs over a waveform that is not the only
/// thing that drives the fields, and of surfaces inside the mesh that only "*" covers.
void warn_of_features(const Plan& plan);

}  // namespace maxwell_dg::simulation
