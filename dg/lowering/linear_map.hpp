#pragma once

#include <span>

#include <Eigen/Dense>

#include "dg/mesh/curved/curved_geometry.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

/// [field, field] the matrix of expressions that are linear in the fields, one expression a field, where the metric is
/// this, and invariants are these numbers. Other symbols must not occur: std::logic_error.
[[nodiscard]] Eigen::MatrixXd linear_map(const symbolic::Program& program, const CurvedGeometry::Gradients& gradients,
                                         std::span<const double> invariants = {});

}  // namespace maxwell_dg::dg
