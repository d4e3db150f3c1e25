#include "dg/codegen/tiles/tile_choices.hpp"

#include <string>
#include <vector>

#include "core/counted.hpp"
#include "dg/schedule/choice_tables.hpp"

namespace maxwell_dg::dg::slicings {

namespace {

using namespace choice_tables;
using Written = Choice::Written;

std::vector<Choice> of_tiles() {
  return {
      chosen_at<&Tiles::products>(
          {.key = "slicing",
           .ways = {{"tiles", "tiles", "A stage is one kernel. Matrices are multiplied by tiles, by multiply-add."},
                    {"tensor", "tensor", "A stage is one kernel. Tensor cores multiply the matrices, by tiles."}}}),
      chosen_at<&Tiles::elements>({.key = "elements", .letters = "_e"}),
      chosen_at<&Tiles::warps>({.key = "warps",
                                .letters = "_w",
                                .words =
                                    [](const Schedule& schedule) {
                                      const auto& s = schedule.as<Tiles>();
                                      return "A work-group of " + core::counted(s.warps, "warp", "warps") + " has " +
                                             elements(s.elements) + "; a warp computes tiles of " +
                                             (s.elements == 8 ? "8 elements x 16 nodes." : "16 elements x 8 nodes.");
                                    }}),
      chosen_at<&Tiles::resident_groups>(
          {.key = "resident",
           .letters = "_r",
           .words = [](const Schedule& s) { return resident_in_words(s.as<Tiles>().resident_groups); }}),
      chosen_at<&Tiles::parts>(
          parts("Each warp computes all fields.", "Fields that share no derivative have warps of their own.")),
      chosen_at<&Tiles::operands>(
          {.key = "operands",
           .ways = {{"warp", "", "Every warp makes the factors of its products from the fields."},
                    {"group", "_group", "The factors of the products are made once, in shared memory."},
                    {"mirror", "_mirror",
                     "Products are of mirror sums (docs/decisions/019-mirror-sums.md), a quarter of the operations."},
                    {"mirrorfirst", "_mirrorfirst",
                     "Products are of mirror sums (docs/decisions/019-mirror-sums.md), a quarter of the operations; "
                     "the volume term's come before the neighbours' traces."}}}),
      chosen_at<&Tiles::fluxes>({.key = "fluxes",
                                 .ways = {{"node", "", "A work-item computes the flux at one node of a face."},
                                          {"face", "_faces", "A work-item computes the fluxes of whole faces."}}}),
      chosen_at<&Tiles::matrices>(
          {.key = "matrices",
           .ways = {{"turn", "", "Matrices are fetched step by step."},
                    {"twos", "_twos",
                     "Matrices are fetched step by step, beside the products of the other step of two."},
                    {"lift", "_liftahead", "LIFT is prefetched a step ahead; Dr, Ds and Dt are fetched in turn."},
                    {"ahead", "_ahead", "Matrices are prefetched a step ahead."}}}),
      chosen_at<&Tiles::operators>(
          {.key = "operators",
           .ways = operators({"", "_shared", "_constant"}),
           .words =
               [](const Schedule& s) { return "Matrices are read " + from_where(s.as<Tiles>().operators) + "."; }}),
      chosen_at<&Tiles::connectivity>(connectivity()),
      chosen_at<&Tiles::rows>(
          {.key = "rows",
           .ways = {{"apart", "", "In memory elements lie as far apart as they are read without conflicts of banks."},
                    {"tight", "_tight", "In memory elements lie one after the other."},
                    {"blocked", "_blocked", "In memory the elements of a work-group lie together, field by field."}}}),
      chosen_at<&Tiles::basis>(basis())};
}

}  // namespace

Traits traits_of(const Tiles& tiles) {
  using Distance = Traits::Distance;
  return {.block_elements = tiles.rows == Tiles::Rows::blocked ? tiles.elements : 1,
          .has_mirror_sums = tiles.multiplies_mirror_sums(),
          .distance = tiles.rows == Tiles::Rows::apart ? Distance::without_conflicts : Distance::whole_vectors,
          .fluxes = tiles.fluxes == Tiles::Fluxes::by_face ? Traits::Fluxes::of_faces : Traits::Fluxes::at_nodes};
}

std::span<const Choice> choices_of(const Tiles& /*tiles*/) {
  static const std::vector<Choice> all = of_tiles();
  return all;
}

}  // namespace maxwell_dg::dg::slicings
