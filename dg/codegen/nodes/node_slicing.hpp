#pragma once

#include "dg/codegen/slicing.hpp"

namespace maxwell_dg::dg {

/// Schedule::Nodes: three kernels a stage, a work-item a node.
[[nodiscard]] Slicing node_slicing();

}  // namespace maxwell_dg::dg
