#include "dg/operator/state_layout.hpp"

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

StateLayout::StateLayout(const Schedule& schedule, std::size_t elements, int field_count, int nodes)
    : K(elements), fields(field_count), Np(nodes), lanes(schedule.lanes) {
  const int padded = round_up(nodes, schedule.node_padding);
  const bool by_nodes = schedule.slicing == Schedule::Slicing::lanes_in_vectors;
  field_stride = by_nodes ? 1 : padded;
  node_stride = by_nodes ? fields : 1;
  block_values = schedule.block_values(fields * padded * lanes);
}

}  // namespace maxwell_dg::dg
