#pragma once

#include <cstddef>
#include <optional>

#include <Eigen/Dense>

#include "dg/maxwell/face_elements.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/mesh/face_map.hpp"

namespace maxwell_dg::dg::maxwell {

/// Integrals over a face with a field e along it, by the quadrature that terms have there. On a face of a curved
/// element e is taken at the points, and E and H are what the element has along the face (along_curved_face).
struct FaceIntegrals {
  Eigen::MatrixXd with_E;  ///< [Nfp, 3] of e . E, a sum over E along x, y, z at the nodes
  Eigen::MatrixXd with_H;  ///< [Nfp, 3] of (-n x e) . H, n pointing out of the element
  double square;           ///< of e . e
  /// Of e . e', where e' is interpolated from the nodes along x, y, z, as a term does it; `square` if the face is
  /// straight.
  double with_interpolated;
};

class FaceIntegration {
 public:
  /// The discretization must outlive it.
  explicit FaceIntegration(const Discretization& discretization);
  /// With this row of the field, which belongs to the face; all integrals times a factor.
  [[nodiscard]] FaceIntegrals of(const ElementFace& face, const FaceField& e, std::size_t row, double factor) const;

 private:
  const Discretization& d_;
  const Eigen::MatrixXd straight_;  ///< mass matrix of a straight face of area 2
  std::optional<FaceMap> nodes_, points_;
};

}  // namespace maxwell_dg::dg::maxwell
