#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "dg/maxwell/face_elements.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/planar_patch.hpp"

namespace maxwell_dg::dg::maxwell {

/// An electrostatic field, minus the gradient of a potential, and the integral of its square over the faces.
struct StaticField {
  FaceField field;  ///< in 1 over the unit of length
  double square{};
};

/// On plane faces between two conductors, their outlines, one at a potential of 1 and the other at 0, by FaceElements:
/// it points from the inner outline to the outer one. What lies in a plane of symmetry is no conductor: no field leads
/// through it. Throws std::invalid_argument where the faces do not have two outlines.
[[nodiscard]] StaticField static_field(const Discretization& discretization, const std::vector<ElementFace>& faces,
                                       const PlanarPatch& patch, std::span<const SymmetryPlane> symmetry = {});

/// Fills in the numbers that are NaN so that the function is harmonic there: with the stiffness of FaceElements.
void make_harmonic(const Eigen::SparseMatrix<double>& stiffness, Eigen::VectorXd& values);

/// Mass matrix of a face in its own coordinates (area 2): [Nfp, Nfp].
[[nodiscard]] Eigen::MatrixXd face_mass(const ReferenceElement& reference);

}  // namespace maxwell_dg::dg::maxwell
