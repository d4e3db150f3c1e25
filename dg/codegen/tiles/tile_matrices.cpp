#include "dg/codegen/tiles/tile_matrices.hpp"

#include "dg/codegen/tile_factors.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

class NodalMatrices : public TileMatrices {
 public:
  explicit NodalMatrices(const TileSizes& sizes) : sizes_(sizes) {}

  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override {
    return factors({&reference.Dr, &reference.Ds, &reference.Dt});
  }
  /// With columns in the order of the fluxes in shared memory.
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override {
    Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(reference.Np, sizes_.fluxes_of_a_field);
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      for (int node = 0; node < reference.Nfp; ++node) {
        lift.col(sizes_.flux_offsets.offset(face, node)) = reference.LIFT.col(face * reference.Nfp + node);
      }
    }
    return factors({&lift});
  }

 private:
  [[nodiscard]] std::vector<double> factors(const std::vector<const Eigen::MatrixXd*>& matrices) const {
    return tile_factors(matrices, sizes_.tile_nodes, sizes_.tiles_a_warp * sizes_.warps_a_tile_row,
                        sizes_.factor_form(), sizes_.order_of_nodes());
  }

  TileSizes sizes_;
};

}  // namespace

std::unique_ptr<TileMatrices> matrices_of_nodes(const TileSizes& sizes) {
  return std::make_unique<NodalMatrices>(sizes);
}

}  // namespace maxwell_dg::dg
