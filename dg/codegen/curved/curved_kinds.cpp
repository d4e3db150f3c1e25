#include "dg/codegen/curved/curved_kinds.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "dg/codegen/curved/groups/group_generator.hpp"
#include "dg/codegen/curved/lanes/curved_lane_generator.hpp"
#include "dg/codegen/curved/tiles/curved_tile_generator.hpp"

namespace maxwell_dg::dg {

std::span<const CurvedKind> curved_kinds() {
  static const std::array all{curved_lanes(), curved_tiles(), curved_groups()};
  return all;
}

std::vector<CurvedVariant> variants_of_default_kind(const CurvedProblem& problem, const core::DeviceInfo& device) {
  for (const CurvedKind& kind : curved_kinds()) {
    std::vector<CurvedVariant> variants = kind.variants(problem, device);
    if (!variants.empty()) return variants;
  }
  throw std::logic_error("no kind of stage for curved elements fits " + device.name);
}

std::unique_ptr<CurvedGenerator> make_curved_generator(const CurvedProblem& problem, const CurvedVariant& variant) {
  const auto named = variant.find("kind");
  const auto kind = std::ranges::find_if(
      curved_kinds(), [&](const CurvedKind& k) { return named != variant.end() && named->second.text() == k.name; });
  if (kind == curved_kinds().end()) {
    throw std::invalid_argument("a stage of curved elements with '" + rtcg::written(variant) + "': no such kind");
  }
  return kind->make(problem, variant);
}

}  // namespace maxwell_dg::dg
