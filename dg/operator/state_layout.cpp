#include "dg/operator/state_layout.hpp"

namespace maxwell_dg::dg {

StateLayout::StateLayout(const Schedule& schedule, std::size_t elements, int field_count, int nodes)
    : K(elements),
      fields(field_count),
      Np(nodes),
      Np_padded((nodes + schedule.node_padding - 1) / schedule.node_padding * schedule.node_padding),
      lanes(schedule.lanes) {}

}  // namespace maxwell_dg::dg
