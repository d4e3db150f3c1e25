#include "dg/operator/state_layout.hpp"

#include <stdexcept>

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

StateLayout::StateLayout(const Schedule& schedule, std::size_t element_count, int field_count, int nodes)
    : K(element_count),
      order{.fields = field_count, .side_by_side = schedule.side_by_side(field_count)},
      Np(nodes),
      stored(round_up(element_count, static_cast<std::size_t>(schedule.lanes))),
      row_nodes(round_up(nodes, schedule.node_padding)) {
  if (field_count % order.side_by_side != 0) {
    throw std::invalid_argument("schedule " + schedule.name() + ": " + std::to_string(field_count) +
                                " fields cannot lie side by side in twos");
  }
  element_values = schedule.block_values(field_count * row_nodes);
}

}  // namespace maxwell_dg::dg
