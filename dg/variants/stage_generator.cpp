#include "dg/variants/stage_generator.hpp"

#include <utility>

#include "dg/codegen/elements/element_generator.hpp"
#include "dg/codegen/lanes/lane_generator.hpp"
#include "dg/codegen/tiles/mirror_tile_generator.hpp"
#include "dg/codegen/tiles/tile_generator.hpp"

namespace maxwell_dg::dg {

std::unique_ptr<FusedGenerator> make_stage_generator(const LoweredSystem& lowered, FusedGenerator::Options options) {
  if (options.schedule.is<Schedule::Elements>()) {
    return std::make_unique<ElementGenerator>(lowered, std::move(options));
  }
  if (options.schedule.is<Schedule::Lanes>()) {
    return std::make_unique<LaneGenerator>(lowered, std::move(options));
  }
  if (options.schedule.as<Schedule::Tiles>().multiplies_mirror_sums()) {
    return std::make_unique<MirrorTileGenerator>(lowered, options);
  }
  return std::make_unique<TileGenerator>(lowered, std::move(options));
}

}  // namespace maxwell_dg::dg
