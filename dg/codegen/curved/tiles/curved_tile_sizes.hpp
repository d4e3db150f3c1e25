#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "dg/codegen/curved/curved_kinds.hpp"
#include "dg/codegen/curved/tiles/curved_products.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/tile_factors.hpp"

namespace maxwell_dg::dg {

/// What can be chosen of a stage of curved elements by tiles.
struct CurvedTiles {
  bool has_tensor_cores = false;  ///< else plain arithmetic
  int elements = 16;              ///< of a group: 8 or a multiple of 16
  int warps = 4;
  int tiles_of_points = 1, tiles_of_nodes = 1;  ///< that a warp computes at once
  int resident_groups = 1;                      ///< that a multiprocessor should hold
  bool keeps_metric = false;                    ///< of nodes, in shared memory; else it is read again, if at all

  /// Its words are "products", "elements", "warps", "points", "nodes", "resident" and "metric". Throws
  /// std::invalid_argument where one is missing.
  [[nodiscard]] static CurvedTiles of(const CurvedVariant& variant);
  [[nodiscard]] CurvedVariant variant() const;
};

/// The numbers that the kernel, its matrices and the rules of what fits have in common.
struct CurvedTileSizes {
  CurvedTileSizes(const CurvedTiles& chosen, const CurvedProblem& problem, const CurvedSystem& system,
                  const CurvedProducts& products);

  CurvedTiles tiles;
  Dtype precision;
  int tile_elements, tile_nodes;  ///< 16 and 8, or 8 and 16 in a group of 8 elements
  int tile_rows;                  ///< of elements
  int nodes, points, face_nodes, face_points;
  int fields, traces, parts;
  int flux_values = 0;  ///< at a point of a face, the most
  // Rows of values in shared memory are padded to whole vectors.
  int field_nodes, jump_nodes, flux_points, change_points;
  int point_tasks, node_tasks, face_tiles;  ///< tiles, as many as a warp computes at once
  int changes, fluxes, metric, media, row;  ///< offsets in an element's row, and its size
  int media_of_element, media_of_face;      ///< numbers that are the same at all points
  bool sums_apart;                          ///< long sums lose accuracy on tensor cores

  [[nodiscard]] int items() const { return tiles.warps * 32; }
  [[nodiscard]] std::size_t shared_bytes() const;
  [[nodiscard]] FactorForm factor_form() const;
  /// Numbers of a point that are side by side in memory: with those of the next point they fill 16 bytes.
  [[nodiscard]] int numbers_at_once() const { return 8 / static_cast<int>(size_of(precision)); }
  /// What a row's last product reads beyond it.
  [[nodiscard]] static int end_of(int columns, int padded) { return step_columns * steps(columns) - padded; }
  /// Names of the kernel's text.
  [[nodiscard]] std::vector<std::pair<std::string, int>> names(const CurvedSystem& system) const;
};

/// Whether a stage of such sizes fits, on a device where one is given.
[[nodiscard]] Fit fits(const CurvedTileSizes& sizes, const core::DeviceInfo* device);

}  // namespace maxwell_dg::dg
