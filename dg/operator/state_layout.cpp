#include "dg/operator/state_layout.hpp"

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

StateLayout::StateLayout(const Schedule& schedule, std::size_t elements, int field_count, int nodes)
    : K(elements),
      fields(field_count),
      Np(nodes),
      Np_padded(round_up(nodes, schedule.node_padding)),
      lanes(schedule.lanes),
      block_values(schedule.block_values(field_count * Np_padded * schedule.lanes)) {}

}  // namespace maxwell_dg::dg
