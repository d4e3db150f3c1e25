#pragma once

#include "core/dtype.hpp"
#include "dg/lowering/lowering.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// The template value `outside` of outside_state.kernel, which defines the function
///
///   outside_state(kind, q, c, n, x, t, q_p)
///
/// It computes the outside trace at one node of a boundary face by boundary condition number `kind`, from the inside
/// fields q[field], the element's constants c[constant], the normal n[3] and, if some condition depends on position or
/// time, the node's position x[3] and the time t. It writes q_p[i] for field lowered.outside_fields[i]. All arrays are
/// private and of type `boundary_real`. That is double if some condition depends on position or time, even if fields
/// are single: phases of waves need it.
[[nodiscard]] rtcg::Record outside_state_values(const LoweredSystem& lowered, Dtype precision);

}  // namespace maxwell_dg::dg
