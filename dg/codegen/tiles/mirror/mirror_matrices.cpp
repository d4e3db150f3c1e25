#include <algorithm>
#include <array>

#include "core/round_up.hpp"
#include "dg/codegen/tile_factors.hpp"
#include "dg/codegen/tiles/bank_order.hpp"
#include "dg/codegen/tiles/tile_matrices.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

using List = rtcg::Value::List;

/// Matrices act between mirror sums: a tile has rows of one kind, and a column of its matrices too.
class MirrorMatrices : public TileMatrices {
 public:
  MirrorMatrices(const TileSizes& sizes, const MirrorTiling& tiling)
      : sizes_(sizes), nodes_(tiling.nodes), face_nodes_(tiling.face_nodes), tiles_(tiling.tiles(sizes.tile_nodes)) {}

  /// [tile][axis][step of the axis' kind], as mirror_tiles counts.
  [[nodiscard]] std::vector<double> derivative_factors(const ReferenceElement& reference) const override {
    // Kernels count a node as often as it stands in its orbit's four slots.
    const std::array<Eigen::MatrixXd, 3> along = MirrorSums::derivatives(reference, nodes_.sums);
    const Eigen::VectorXd nodes_of_sum = nodes_.sums.sums().cwiseAbs().rowwise().sum();
    std::vector<Eigen::MatrixXd> D;
    for (const Eigen::MatrixXd& d : along) D.emplace_back(d * (nodes_of_sum / 4).asDiagonal());
    return factors_of_tiles(D, nodes_);
  }
  /// [tile][step]
  [[nodiscard]] std::vector<double> lift_factors(const ReferenceElement& reference) const override {
    return factors_of_tiles({between_mirror_sums(reference.LIFT, nodes_.sums, face_nodes_.sums)}, face_nodes_);
  }
  /// mirror_words, then what a flux at a node looks up: [face][place in the order of items] the number in the element
  /// of a node of the face and the offset of its flux, a byte each; -1 for none. They come in an order in which squares
  /// of items (bank_order.hpp) have few waits.
  [[nodiscard]] std::vector<std::int32_t> more_node_words(const ReferenceElement& reference) const override {
    std::vector<std::int32_t> words = mirror_words(nodes_, face_nodes_);
    const std::vector<std::int32_t> of_fluxes = flux_words(reference);
    words.insert(words.end(), of_fluxes.begin(), of_fluxes.end());
    return words;
  }
  [[nodiscard]] std::vector<std::pair<std::string, int>> sizes() const override {
    const MirrorSums &nodes = nodes_.sums, &fluxes = face_nodes_.sums;
    const int Nfp = static_cast<int>(fluxes.slot.size()) / 4;
    return {{"MIRROR_TILES", tile_count()},
            {"ORBITS", nodes_.orbits()},
            {"ORBITS_AN_ITEM", ceil_divide(sizes_.tiles.elements * round_up(nodes_.orbits(), 4), sizes_.items())},
            {"FLUX_WORDS", 5 * Nfp + nodes_.orbits()},
            {"FOURS", nodes.fours},
            {"SECONDS", nodes.seconds},
            {"FIRSTS", nodes.firsts},
            {"FLUX_ORBITS", face_nodes_.orbits()},
            {"FLUX_FOURS", fluxes.fours},
            {"FLUX_SECONDS", fluxes.seconds}};
  }
  /// What mirror_sums.kernel declares: {node_columns, flux_columns, tiles}.
  [[nodiscard]] rtcg::Record tables() const override {
    List tiles;
    for (const MirrorTile& tile : tiles_) {
      tiles.emplace_back(
          List{tile.kind, nodes_.first.at(index(tile.kind)) + tile.first, tile.rows, tile.first_D, tile.first_lift});
    }
    tiles.resize(index(tile_count()), List{MirrorSums::kinds, 0, 0, 0, 0});  // no rows, no columns
    return {{"node_columns", columns(nodes_)}, {"flux_columns", columns(face_nodes_)}, {"tiles", std::move(tiles)}};
  }

 private:
  [[nodiscard]] int tile_count() const { return sizes_.tiles_a_warp * sizes_.warps_a_tile_row; }

  /// [kind] first, sums, with padding, steps; and as many kinds without any.
  [[nodiscard]] static List columns(const MirrorColumns& c) {
    List list;
    for (std::size_t kind = 0; kind < MirrorSums::kinds; ++kind) {
      const int sums = c.sums.count.at(kind);
      list.emplace_back(List{c.first.at(kind), sums, round_up(sums, step_columns), c.steps_of(static_cast<int>(kind))});
    }
    list.resize(2 * MirrorSums::kinds, List{0, 0, 0, 0});
    return list;
  }

  [[nodiscard]] std::vector<double> factors_of_tiles(const std::vector<Eigen::MatrixXd>& matrices,
                                                     const MirrorColumns& columns) const {
    std::vector<double> all;
    std::size_t a_step = 0;
    for (const MirrorTile& tile : tiles_) {
      for (std::size_t axis = 0; axis < matrices.size(); ++axis) {
        const auto kind = index(tile.kind) ^ axis;
        if (columns.sums.count.at(kind) == 0) continue;
        const Eigen::MatrixXd block =
            matrices[axis].block(nodes_.sums.first_slot.at(index(tile.kind)) + tile.first,
                                 columns.sums.first_slot.at(kind), tile.rows, columns.sums.count.at(kind));
        const std::vector<double> of_block =
            tile_factors({&block}, sizes_.tile_nodes, 1, sizes_.factor_form(), sizes_.order_of_nodes());
        a_step = of_block.size() / index(steps(static_cast<int>(block.cols())) + 1);
        all.insert(all.end(), of_block.begin(), of_block.end() - static_cast<std::ptrdiff_t>(a_step));
      }
    }
    all.resize(all.size() + a_step, 0.0);  // kernels fetch one step ahead
    return all;
  }

  [[nodiscard]] std::vector<std::int32_t> flux_words(const ReferenceElement& reference) const {
    const std::vector<int> offsets = face_nodes_.offsets();
    const int Nfp = reference.Nfp;
    std::vector<std::int32_t> words;
    for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
      SquareAccess inside, flux{.weight = 2};  // outside traces are read there, then fluxes are written
      for (int node = 0; node < Nfp; ++node) {
        inside.offsets.push_back(reference.Fmask(node, face));
        flux.offsets.push_back(offsets[index(face * Nfp + node)]);
      }
      for (const int node : order_by_squares({inside, flux}, {Nfp})) {
        words.push_back(word_of({inside.offsets[index(node)], flux.offsets[index(node)], 0, 0}));
      }
      words.resize(index((face + 1) * round_up(Nfp, 4)), -1);
    }
    return words;
  }

  TileSizes sizes_;
  MirrorColumns nodes_, face_nodes_;
  std::vector<MirrorTile> tiles_;
};

}  // namespace

std::unique_ptr<TileMatrices> matrices_of_mirror_sums(const TileSizes& sizes, const MirrorTiling& tiling) {
  return std::make_unique<MirrorMatrices>(sizes, tiling);
}

}  // namespace maxwell_dg::dg
