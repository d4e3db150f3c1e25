#pragma once

#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::dg {

/// How a stage of curved elements is computed, in a run whose Schedule is that of straight ones: its "kind", and what
/// this kind lets choose (dg/codegen/curved/curved_kinds.hpp).
using CurvedVariant = rtcg::Configuration;

}  // namespace maxwell_dg::dg
