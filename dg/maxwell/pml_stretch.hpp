#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "dg/maxwell/pml.hpp"
#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::dg::maxwell {

/// The gradient G of a PML's displacement in an element, its symmetric part made positive: once in a straight one, at
/// the volume points of a curved one. Throws std::invalid_argument where an element is curved and the motion has no
/// gradient.
[[nodiscard]] std::vector<Eigen::Matrix3d> stretches_in(const Discretization& d, std::int32_t k,
                                                        const PmlMotion& motion);

}  // namespace maxwell_dg::dg::maxwell
