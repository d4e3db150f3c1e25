#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "dg/maxwell/face_edges.hpp"
#include "dg/maxwell/face_elements.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::dg::maxwell {

/// An electrostatic field, minus the gradient of a potential, and the integral of its square over the faces.
struct StaticField {
  FaceField field;  ///< in 1 over the unit of length
  double square{};
};

/// Edges within exterior faces at which walls between elements end: of metal without thickness, a strip or a fin.
[[nodiscard]] std::vector<Edge> edges_at_walls(const Discretization& discretization,
                                               const std::vector<ElementFace>& faces);

/// On plane faces between two conductors by FaceElements, of which the inner one, the shorter, has a potential of 1 and
/// the other 0: the field points from the inner to the outer one. Conductors are what hangs together of the faces' rim
/// and of walls that end within them. What lies in a plane of symmetry is no conductor: no field leads through it.
/// Throws std::invalid_argument where there are not two.
[[nodiscard]] StaticField static_field(const Discretization& discretization, const std::vector<ElementFace>& faces,
                                       std::span<const SymmetryPlane> symmetry = {});

/// Fills in the numbers that are NaN so that the function is harmonic there: with the stiffness of FaceElements.
void make_harmonic(const Eigen::SparseMatrix<double>& stiffness, Eigen::VectorXd& values);

/// Mass matrix of a face in its own coordinates (area 2): [Nfp, Nfp].
[[nodiscard]] Eigen::MatrixXd face_mass(const ReferenceElement& reference);

}  // namespace maxwell_dg::dg::maxwell
