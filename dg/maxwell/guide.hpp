#pragma once

#include <vector>

#include "dg/maxwell/port.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/symbolic/system.hpp"

/// What a port asks of the guide behind it: that it is uniform, without losses, between conducting walls.
namespace maxwell_dg::dg::maxwell {

/// What fills the guide. Throws std::invalid_argument, with a sentence whose subject is the port, where elements of the
/// faces have a term of their own, losses, or not all the same medium.
[[nodiscard]] HomogeneousMedium filling_of(const Problem& problem, const std::vector<ElementFace>& faces);

/// The modes are those of a guide between conducting walls; at another rim, or at walls of another kind that end within
/// the faces, the port would absorb and measure what is none. Walls with losses (impedance) do nearly. Throws
/// std::invalid_argument, with a sentence whose subject is the port's surface.
void require_conducting_rim(const Discretization& discretization, const Problem& problem,
                            const std::vector<ElementFace>& faces);

/// For which a port absorbs a mode best between two frequencies above its cut-off: it reflects as much at both ends.
[[nodiscard]] double matched_impedance(const PortMode& mode, double from, double to);

}  // namespace maxwell_dg::dg::maxwell
