#pragma once

#include "dg/codegen/slicing.hpp"

namespace maxwell_dg::dg {

/// The slicing Schedule::Nodes: a stage is three kernels, a work-item computes a node.
[[nodiscard]] Slicing node_slicing();

}  // namespace maxwell_dg::dg
