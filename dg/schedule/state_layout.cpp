#include "dg/schedule/state_layout.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

StateLayout::StateLayout(const Schedule& schedule, Dtype precision, std::size_t element_count, int field_count,
                         int nodes)
    : K(element_count),
      order{.fields = field_count, .side_by_side = schedule.side_by_side(field_count)},
      Np(nodes),
      block_elements(schedule.block_elements()),
      stored(round_up(element_count, static_cast<std::size_t>(std::max(schedule.lanes(), block_elements)))),
      row_nodes(round_up(block_elements * nodes, schedule.node_padding())) {
  if (field_count % order.side_by_side != 0) {
    throw std::invalid_argument("schedule " + schedule.name() + ": " + std::to_string(field_count) +
                                " fields cannot lie side by side in twos");
  }
  block_values = schedule.block_values(field_count * row_nodes, precision);
}

}  // namespace maxwell_dg::dg
