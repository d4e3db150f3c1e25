#pragma once

#include <cstdint>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// With a flux that takes little from jumps, System::alpha below 0.3 between straight elements and below 1 where one is
/// curved, modes can grow in a PML. These terms make up for what is missing at all inner faces of its elements, and at
/// the walls (pec, pmc) of curved ones; none where nothing is. All ranks that have parts of the mesh get the same
/// terms. Collective.
[[nodiscard]] std::vector<FaceTerm> pml_flux_terms(const Problem& problem, const Discretization& discretization,
                                                   const std::vector<std::int32_t>& elements,
                                                   const core::Communicator& ranks = {});

}  // namespace maxwell_dg::dg::maxwell
