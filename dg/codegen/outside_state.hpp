#pragma once

#include <string>

#include "core/dtype.hpp"
#include "dg/lowering/lowering.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// The kernel function that makes the outside trace at one node of a boundary face, by the condition that holds there:
///
///   outside_state(kind, q, c, n, x, t, q_p)
///
/// from the inside fields q[field], the element's constants c[constant], the normal n[3] and, where some condition
/// depends on place or time, the node's position x[3] and t. Writes q_p[i] for lowered.outside_fields[i]. All arrays
/// are private `boundary_real`s: double also where the fields are single if a condition depends on place or time,
/// because phases are made of them.
[[nodiscard]] std::string outside_state_function(const LoweredSystem& lowered, Dtype precision);

/// What the template outside_state.kernel, which is this function, is given as `outside`.
[[nodiscard]] rtcg::Record outside_state_values(const LoweredSystem& lowered, Dtype precision);

}  // namespace maxwell_dg::dg
