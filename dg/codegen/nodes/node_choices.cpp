#include "dg/codegen/nodes/node_choices.hpp"

#include <string>
#include <vector>

#include "core/counted.hpp"
#include "dg/schedule/choice_tables.hpp"

namespace maxwell_dg::dg::slicings {

namespace {

using namespace choice_tables;
using Written = Choice::Written;

std::string slices_in_words(const std::string& kernel, const std::string& matrices, const Nodes::Slices& s) {
  return "The " + kernel + " kernel: a work-group has " + elements(s.elements()) + ", " + std::to_string(s.parallel) +
         " side by side, " + std::to_string(s.inlined) + " to a work-item, " + std::to_string(s.sequence) +
         " one after the other; it reads " + matrices + " " + from_where(s.operators) + ".";
}

std::vector<Choice> of_nodes() {
  return {
      slicing_itself("nodes",
                     [](const Schedule&) -> std::string {
                       return "A stage is three kernels, volume, surface and update. A work-item computes a node.";
                     }),
      chosen_at<&Nodes::node_padding>({.key = "padding", .letters = "_pad"}),
      chosen_at<&Nodes::block_elements>({.key = "block", .letters = "_b", .written = Written::unless_default}),
      chosen_at<&Nodes::volume, &Nodes::Slices::parallel>(
          {.key = "volume_parallel",
           .letters = "_v",
           .words =
               [](const Schedule& s) { return slices_in_words("volume", "Dr, Ds and Dt", s.as<Nodes>().volume); }}),
      chosen_at<&Nodes::volume, &Nodes::Slices::inlined>(
          {.key = "volume_inlined", .letters = "x", .written = Written::with_next}),
      chosen_at<&Nodes::volume, &Nodes::Slices::sequence>({.key = "volume_sequence", .letters = "x"}),
      chosen_at<&Nodes::surface, &Nodes::Slices::parallel>(
          {.key = "surface_parallel",
           .letters = "_s",
           .words = [](const Schedule& s) { return slices_in_words("surface", "LIFT", s.as<Nodes>().surface); }}),
      chosen_at<&Nodes::surface, &Nodes::Slices::inlined>(
          {.key = "surface_inlined", .letters = "x", .written = Written::with_next}),
      chosen_at<&Nodes::surface, &Nodes::Slices::sequence>({.key = "surface_sequence", .letters = "x"}),
      chosen_at<&Nodes::updated_at_once>({.key = "updated",
                                          .letters = "_u",
                                          .written = Written::unless_default,
                                          .words =
                                              [](const Schedule& s) {
                                                return "The update kernel: a work-item has " +
                                                       core::counted(s.as<Nodes>().updated_at_once, "value", "values") +
                                                       ".";
                                              }}),
      chosen_at<&Nodes::volume, &Nodes::Slices::operators>(
          {.key = "D", .ways = operators({"", "_Dshared", "_Dconst", "_Dregs"})}),
      chosen_at<&Nodes::surface, &Nodes::Slices::operators>(
          {.key = "LIFT", .ways = operators({"", "_LIFTshared", "_LIFTconst", "_LIFTregs"})}),
      chosen_at<&Nodes::connectivity>(connectivity()),
      chosen_at<&Nodes::fields>(
          {.key = "fields", .ways = {{"apart", ""}, {"together", "_together"}}, .words = [](const Schedule& schedule) {
             const auto& s = schedule.as<Nodes>();
             return std::string(s.fields == Nodes::Fields::together ? "The fields of a node lie side by side"
                                                                    : "The nodes of a field lie side by side") +
                    ", padded to a multiple of " + core::counted(s.node_padding, "node", "nodes") + ", in blocks of " +
                    elements(s.block_elements) + ".";
           }})};
}

}  // namespace

Traits traits_of(const Nodes& nodes) {
  return {.is_fused = false,
          .block_elements = nodes.block_elements,
          .node_padding = nodes.node_padding,
          .joins_fields = nodes.fields == Nodes::Fields::together};
}

std::span<const Choice> choices_of(const Nodes& /*nodes*/) {
  static const std::vector<Choice> all = of_nodes();
  return all;
}

}  // namespace maxwell_dg::dg::slicings
