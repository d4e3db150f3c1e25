#include "dg/codegen/lanes/lane_choices.hpp"

#include <string>
#include <vector>

#include "core/counted.hpp"
#include "dg/schedule/choice_tables.hpp"

namespace maxwell_dg::dg::slicings {

namespace {

using namespace choice_tables;
using Written = Choice::Written;

std::vector<Choice> of_lanes() {
  return {slicing_itself("lanes",
                         [](const Schedule& s) {
                           return "A stage is one kernel. A work-item computes a block of " +
                                  elements(s.as<Lanes>().lanes) +
                                  ", one SIMD lane each. In memory each element is by itself, the fields of a node "
                                  "side by side.";
                         }),
          chosen_at<&Lanes::lanes>({.key = "lanes", .digits = 2}),
          chosen_at<&Lanes::nodes_at_once>({.key = "nodes",
                                            .letters = "_n",
                                            .digits = 2,
                                            .words =
                                                [](const Schedule& s) {
                                                  return "Sums of at most " +
                                                         core::counted(s.as<Lanes>().nodes_at_once, "node", "nodes") +
                                                         " are in registers at a time.";
                                                }}),
          chosen_at<&Lanes::parts>(parts("All fields are computed together.",
                                         "Fields that share no derivative are computed one after the other."))};
}

}  // namespace

Traits traits_of(const Lanes& lanes) {
  return {.lanes = lanes.lanes, .joins_fields = true, .has_mirror_sums = true};
}

std::span<const Choice> choices_of(const Lanes& /*lanes*/) {
  static const std::vector<Choice> all = of_lanes();
  return all;
}

}  // namespace maxwell_dg::dg::slicings
