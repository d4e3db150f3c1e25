#include "dg/codegen/nodes/node_sizes.hpp"

#include "core/round_up.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

NodeSizes::NodeSizes(const Schedule::Nodes& nodes, int fields, int N, Dtype precision)
    : shared_fields(nodes.volume.at_once() * fields * node_count(N)),
      shared_fluxes(nodes.surface.at_once() * fields * 4 * face_node_count(N)) {
  const int Np = node_count(N);
  const auto demand = [&](const Schedule::Nodes::Slices& slices, int staged, int matrix) {
    const bool is_shared = slices.operators == Schedule::Operators::shared;
    if (slices.operators == Schedule::Operators::constant) table_bytes += index(matrix) * size_of(precision);
    return GroupDemand{.items = round_up(slices.parallel * Np, 32),
                       .shared_bytes = index(staged + (is_shared ? matrix : 0)) * size_of(precision)};
  };
  volume = demand(nodes.volume, shared_fields, 3 * Np * Np);
  surface = demand(nodes.surface, shared_fluxes, 4 * face_node_count(N) * Np);
}

Fit fits(const NodeSizes& sizes, const core::DeviceInfo* device) {
  if (Fit tables = tables_fit(sizes.table_bytes); !tables) return tables;
  if (Fit volume = group_fits(sizes.volume, device); !volume) return volume;
  return group_fits(sizes.surface, device);
}

}  // namespace maxwell_dg::dg
