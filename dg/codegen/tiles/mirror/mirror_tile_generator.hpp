#pragma once

#include "dg/codegen/tiles/mirror/mirror_tiles.hpp"
#include "dg/codegen/tiles/tile_generator.hpp"

namespace maxwell_dg::dg {

/// A stage by tiles whose matrices act between mirror sums (Schedule::Tiles::multiplies_mirror_sums): its tiles have
/// rows of one kind, and a column of its matrices too; operands, fluxes and results become sums, or numbers at nodes
/// again, in shared memory.
class MirrorTileGenerator : public TileGenerator {
 public:
  /// Throws std::invalid_argument on a schedule of another slicing, or that does not fit (TileSizes).
  MirrorTileGenerator(const LoweredSystem& lowered, const Options& options)
      : MirrorTileGenerator(lowered, options, MirrorTiling::of_order(options.N)) {}

  /// [tile][axis][step of the axis' kind], as mirror_tiles counts; [tile][step].
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override;
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override;
  /// Adds mirror_words, then what a flux at a node looks up: [face][place in the order of items] the number in the
  /// element of a node of the face and the place of its flux, a byte each; -1 for none. They come in an order in which
  /// squares of items (bank_order.hpp) have few waits.
  [[nodiscard]] std::vector<std::int32_t> node_words(const ReferenceElement& reference) const override;

 protected:
  [[nodiscard]] bool multiplies_mirror_sums() const override { return true; }

  [[nodiscard]] std::string definitions() const override;
  [[nodiscard]] std::string padding() const override;
  [[nodiscard]] std::string make_operands() const override;
  [[nodiscard]] std::string volume_of(const Part& part) const override;
  [[nodiscard]] std::string gather_first(const std::string& gather) const override;
  [[nodiscard]] std::string gather_last(const std::string& gather) const override;
  [[nodiscard]] std::string before_fluxes(const std::string& wall) const override;
  [[nodiscard]] std::string look_up_flux() const override;
  [[nodiscard]] std::string load_neighbour() const override;
  [[nodiscard]] std::string boundary_of_item(const std::string& /*wall*/) const override { return ""; }
  [[nodiscard]] rtcg::syntax::Statement store_on_slanted(const std::string& place,
                                                         const std::string& value) const override;
  [[nodiscard]] std::string after_fluxes() const override;
  [[nodiscard]] std::string lift_of(const Part& part) const override;
  [[nodiscard]] symbolic::Expr equation_of_sums(int field) const override;
  [[nodiscard]] std::string store_results() const override;
  [[nodiscard]] std::string store_of(const Part& part) const override;

 private:
  MirrorTileGenerator(const LoweredSystem& lowered, const Options& options, const MirrorTiling& tiling);
  /// What a step multiplies.
  [[nodiscard]] rtcg::syntax::Block products(const Part& part) const;
  [[nodiscard]] rtcg::syntax::Block lift_products(const Part& part) const;
  [[nodiscard]] std::vector<double> factors_of_tiles(const std::vector<Eigen::MatrixXd>& matrices,
                                                     const MirrorColumns& columns) const;
  [[nodiscard]] std::vector<std::int32_t> flux_words(const ReferenceElement& reference) const;
  /// Of the element e, for an item that has one.
  [[nodiscard]] rtcg::syntax::Block load_invariants(std::span<const symbolic::Expr> expressions) const;

  MirrorColumns nodes_, face_nodes_;
  std::vector<MirrorTile> tiles_;
};

}  // namespace maxwell_dg::dg
