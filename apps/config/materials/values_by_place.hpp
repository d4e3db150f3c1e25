#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/config/findings.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::config {

/// " at (0, 1, 2) in region 'glass'": a place in a cell, for messages.
[[nodiscard]] std::string place_in(const dg::Mesh& mesh, const dg::Point& p, std::size_t cell);

/// What numbers by place are in a mesh, in the config's units. `key` is that of such a number; where the mesh lacks the
/// values that it names, a finding is added.
class ValuesByPlace {
 public:
  /// All outlive it.
  ValuesByPlace(const Config& config, const dg::Mesh& mesh, Findings& findings);
  ~ValuesByPlace();
  ValuesByPlace(const ValuesByPlace&) = delete;
  ValuesByPlace& operator=(const ValuesByPlace&) = delete;

  /// Writes values[k] in some cells k: of a formula the mean over the cell, (sum_i w_i f(x_i)) / sum_i w_i over the
  /// nodes of the solver's order with w_i = sum_j M_ij, exact where the polynomials of that order are; some weights are
  /// negative, so it is held between the least and the largest f(x_i). Of values at vertices their mean. False where
  /// there was a finding. O(cells x nodes) for formulas.
  bool take_means(const NumberByPlace& given, const std::string& key, std::span<const std::size_t> cells,
                  std::vector<double>& values);

  struct AtPoints {
    std::vector<double> values;  ///< [cell][volume point]
    bool vary = false;           ///< within cells
  };
  /// In some curved cells of a discretization, of formulas and of values at vertices, which are linear between these;
  /// nothing where there was a finding. A formula must be finite at the nodes of the cells, too, among which are their
  /// vertices: that it is infinite on a face or at a corner, no point inside tells.
  [[nodiscard]] std::optional<AtPoints> at_points(const NumberByPlace& given, const std::string& key,
                                                  const dg::Discretization& discretization,
                                                  std::span<const std::size_t> cells);

 private:
  class CellMeans;
  /// Null where the mesh has no values of this name.
  [[nodiscard]] const std::vector<double>* of_cells(const FromMesh& named) const;
  [[nodiscard]] const std::vector<double>* of_vertices(const FromMesh& named) const;
  void add_lacking(const FromMesh& named, const std::string& key);

  const Config& config_;
  const dg::Mesh& mesh_;
  Findings& findings_;
  std::unique_ptr<CellMeans> means_;  ///< made where it is first needed
};

}  // namespace maxwell_dg::config
