#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/curved/curved_cells.hpp"

namespace maxwell_dg::dg {

/// Some cells of a mesh, with vertices by their numbers in the file.
struct CellRows {
  std::vector<std::int32_t> numbers;  ///< [cell] in the whole mesh
  std::vector<std::array<std::int32_t, 4>> vertices;
  std::vector<std::int32_t> region;
  CurvedCells curved;
  std::map<std::string, std::vector<double>> values;  ///< Mesh::cell_values

  [[nodiscard]] std::size_t size() const { return numbers.size(); }
  /// Some of them, in this order.
  [[nodiscard]] CellRows picked(std::span<const std::int32_t> cells) const;
  /// Others behind them.
  void append(const CellRows& others);
};

/// [cell][vertex] as one list.
[[nodiscard]] std::vector<std::int32_t> numbers_of_vertices(const CellRows& cells);

/// [rank] What each rank has for this one: of its `cells` those whose indices are in lists[this rank]. All ranks have
/// the same names of values, and the same order of curved cells. Collective.
[[nodiscard]] std::vector<CellRows> exchange(const CellRows& cells, std::span<const std::vector<std::int32_t>> lists,
                                             int curved_order, const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
