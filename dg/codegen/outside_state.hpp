#pragma once

#include "core/dtype.hpp"
#include "dg/lowering/lowering.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// What outside_state.kernel is given as `outside`: the kernel function that makes the outside trace at one node of a
/// boundary face, by the condition that holds there:
///
///   outside_state(kind, q, c, n, x, t, q_p)
///
/// from the inside fields q[field], the element's constants c[constant], the normal n[3] and, where some condition
/// depends on place or time, the node's position x[3] and t. Writes q_p[i] for lowered.outside_fields[i]. All arrays
/// are private `boundary_real`s: double also where the fields are single if a condition depends on place or time,
/// because phases are made of them.
[[nodiscard]] rtcg::Record outside_state_values(const LoweredSystem& lowered, Dtype precision);

}  // namespace maxwell_dg::dg
