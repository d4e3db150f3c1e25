#pragma once

#include <vector>

#include "dg/lowering/curved_system.hpp"

namespace maxwell_dg::dg {

/// The values that are lifted at a face (Lifting::values), of outside traces in the direction of the inside ones: what
/// goes through the face has the same sign on both sides.
[[nodiscard]] std::vector<symbolic::Expr> values_of_face(const CurvedSystem& system, int face);

/// Whether these keep their values when the same is added to both traces of a field, tried at random values.
[[nodiscard]] bool read_jumps_alone(const CurvedSystem& system);

}  // namespace maxwell_dg::dg
