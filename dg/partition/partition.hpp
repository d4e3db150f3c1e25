#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::dg {

/// How a mesh is divided.
enum class PartitionMethod {
  best,   ///< by both of the others, and that one is taken whose parts have fewer faces cut, by the part that has most,
          ///< for which all others wait; by the curve where METIS would take too long
  metis,  ///< METIS's k-way method
  curve   ///< equal pieces of the space-filling curve through the centroids of elements
};
[[nodiscard]] std::string_view name_of(PartitionMethod method);

/// What a partition looks at of a discretization, or of a mesh that has none: a host may hold the mesh alone. Refers to
/// it.
struct DividedMesh {
  DividedMesh(const Discretization& discretization)  // NOLINT(google-explicit-constructor): a view of it
      : mesh(discretization.mesh),
        connectivity(discretization.connectivity),
        places(discretization.complex_view.places()) {}
  /// Of real fields.
  DividedMesh(const Mesh& real_mesh, const Connectivity& connectivity_of_mesh)
      : mesh(real_mesh), connectivity(connectivity_of_mesh), places(real_mesh.cells.size()) {}

  [[nodiscard]] std::size_t K() const { return mesh.cells.size(); }

  const Mesh& mesh;
  const Connectivity& connectivity;
  std::size_t places;  ///< ComplexView::places
};

/// What a partition costs. Of complex fields a face counts once for both copies.
struct PartitionQuality {
  std::size_t faces_cut{};        ///< faces between elements of different parts
  std::size_t most_faces_cut{};   ///< of these, at the part that has most
  std::size_t most_neighbours{};  ///< other parts that one part shares faces with, at most
  double imbalance{};             ///< the weight of the heaviest part over the mean
};

struct Partition {
  std::vector<int> rank_of_element;  ///< [element] 0, 1 ... parts - 1; equal for both copies of complex fields
  PartitionMethod method{};          ///< not `best`: which one it was
  PartitionQuality quality;
};

/// The same in every run: divides the elements of a mesh into parts of about equal weight that share few faces. No part
/// is empty. `weights`: [element] what it costs, above 0 (dg/partition/element_costs.hpp); empty: all cost the same.
/// All faces weigh the same, as elements of one order send equally much through each.
///
/// Needs 160 bytes an element, by METIS. Throws ConfigError where there are more parts than elements (places, of
/// complex fields), or for PartitionMethod::metis in a build without METIS; std::invalid_argument for fewer than one
/// part, or weights that do not fit. A build without METIS takes the curve for the best one, and logs it.
[[nodiscard]] Partition partition(const DividedMesh& mesh, int parts, PartitionMethod method = PartitionMethod::best,
                                  std::span<const double> weights = {});

/// Throws what `partition` throws for such arguments, and does nothing else.
void check_partition(const DividedMesh& mesh, int parts, PartitionMethod method, std::span<const double> weights);

/// Of any division into parts.
[[nodiscard]] PartitionQuality quality_of(const DividedMesh& mesh, std::span<const int> rank_of_element, int parts,
                                          std::span<const double> weights = {});

}  // namespace maxwell_dg::dg
