#include "dg/operator/state_layout.hpp"

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

StateLayout::StateLayout(const Schedule& schedule, std::size_t element_count, int field_count, int nodes)
    : K(element_count),
      fields(field_count),
      Np(nodes),
      stored(round_up(element_count, static_cast<std::size_t>(schedule.lanes))) {
  const int padded = round_up(nodes, schedule.node_padding);
  const bool by_nodes = schedule.slicing == Schedule::Slicing::lanes_in_vectors;
  field_stride = by_nodes ? 1 : padded;
  node_stride = by_nodes ? fields : 1;
  element_values = schedule.block_values(fields * padded);
}

}  // namespace maxwell_dg::dg
