#pragma once

#include <variant>

#include "dg/codegen/elements/element_choices.hpp"
#include "dg/codegen/lanes/lane_choices.hpp"
#include "dg/codegen/nodes/node_choices.hpp"
#include "dg/codegen/tiles/tile_choices.hpp"

namespace maxwell_dg::dg {

/// All slicings: this list is where one is registered.
using AnySlicing = std::variant<slicings::Nodes, slicings::Tiles, slicings::Elements, slicings::Lanes>;

}  // namespace maxwell_dg::dg
