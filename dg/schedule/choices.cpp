// The choices of each slicing.
#include <initializer_list>
#include <type_traits>
#include <utility>

#include "dg/schedule/choice.hpp"

namespace maxwell_dg::dg {

namespace {

using Nodes = Schedule::Nodes;
using Tiles = Schedule::Tiles;
using Elements = Schedule::Elements;
using Lanes = Schedule::Lanes;
using Written = Choice::Written;

template <class S, class M>
S owner(M S::*);

/// The member of a schedule's slicing that a path of member pointers leads to: (slicing.*First).*Rest ...
template <auto First, auto... Rest>
auto& member_of(auto& schedule) {
  auto& choices = std::get<decltype(owner(First))>(schedule.slicing);
  return ((choices.*First).*....*Rest);
}

template <auto... Path>
Choice chosen_at(Choice choice) {
  choice.value = [](const Schedule& s) { return static_cast<int>(member_of<Path...>(s)); };
  choice.choose = [](Schedule& s, int value) {
    auto& member = member_of<Path...>(s);
    member = static_cast<std::remove_reference_t<decltype(member)>>(value);
  };
  return choice;
}

/// The first choice of a slicing that has one name only.
Choice slicing_itself(std::string_view name, std::string (*words)(const Schedule&)) {
  return {.key = "slicing",
          .ways = {{name, name}},
          .value = [](const Schedule&) { return 0; },
          .choose = [](Schedule&, int) {},
          .words = words};
}

std::string counted(int count, const std::string& thing, const std::string& things) {
  return std::to_string(count) + " " + (count == 1 ? thing : things);
}

std::string elements(int count) {
  return counted(count, "element", "elements");
}

std::string from_where(Schedule::Operators operators) {
  switch (operators) {
    case Schedule::Operators::streamed: return "from global memory, through the caches";
    case Schedule::Operators::shared: return "from shared memory, to which each work-group copies them first";
    case Schedule::Operators::constant: return "from constant memory";
    case Schedule::Operators::registers: return "from registers: a work-item keeps the row of its node";
  }
  return {};
}

std::string slices_in_words(const std::string& kernel, const std::string& matrices, const Nodes::Slices& s) {
  return "The " + kernel + " kernel: a work-group has " + elements(s.elements()) + ", " + std::to_string(s.parallel) +
         " side by side, " + std::to_string(s.inlined) + " to a work-item, " + std::to_string(s.sequence) +
         " one after the other; it reads " + matrices + " " + from_where(s.operators) + ".";
}

std::string resident_in_words(int groups) {
  return "At least " + counted(groups, "work-group", "work-groups") +
         " of it should fit on a multiprocessor at a time.";
}

template <auto Member>
Choice parts(std::string_view together, std::string_view apart) {
  return chosen_at<Member>({.key = "parts", .ways = {{"together", "", together}, {"apart", "_apart", apart}}});
}

template <auto Member>
Choice basis() {
  return chosen_at<Member>(
      {.key = "basis",
       .ways = {{"cartesian", "", "Vectors are stored by their components along x, y and z."},
                {"element", "_basis", "Vectors are stored in the basis of each element's edges."},
                {"interleaved", "_interleaved",
                 "Vectors are stored in the basis of each element's edges, the components of two vectors of a kind "
                 "side by side."}}});
}

template <auto Member>
Choice connectivity() {
  return chosen_at<Member>(
      {.key = "connectivity",
       .ways = {{"face", "", "Outside traces are found by the neighbour's number and its face."},
                {"node", "_nodemap", "Outside traces are found by an index for each node of a face."}}});
}

/// The ways of Operators, with their texts in names; a slicing may lack the last ones.
std::vector<Choice::Way> operators(std::initializer_list<std::string_view> in_names) {
  std::vector<Choice::Way> ways;
  for (const std::string_view in_name : in_names) {
    ways.push_back({word_of(static_cast<Schedule::Operators>(ways.size())), in_name});
  }
  return ways;
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
                                                       counted(s.as<Nodes>().updated_at_once, "value", "values") + ".";
                                              }}),
      chosen_at<&Nodes::volume, &Nodes::Slices::operators>(
          {.key = "D", .ways = operators({"", "_Dshared", "_Dconst", "_Dregs"})}),
      chosen_at<&Nodes::surface, &Nodes::Slices::operators>(
          {.key = "LIFT", .ways = operators({"", "_LIFTshared", "_LIFTconst", "_LIFTregs"})}),
      connectivity<&Nodes::connectivity>(),
      chosen_at<&Nodes::fields>(
          {.key = "fields", .ways = {{"apart", ""}, {"together", "_together"}}, .words = [](const Schedule& schedule) {
             const auto& s = schedule.as<Nodes>();
             return std::string(s.fields == Nodes::Fields::together ? "The fields of a node lie side by side"
                                                                    : "The nodes of a field lie side by side") +
                    ", padded to a multiple of " + counted(s.node_padding, "node", "nodes") + ", in blocks of " +
                    elements(s.block_elements) + ".";
           }})};
}

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
                                      return "A work-group of " + counted(s.warps, "warp", "warps") + " has " +
                                             elements(s.elements) + "; a warp computes tiles of " +
                                             (s.elements == 8 ? "8 elements x 16 nodes." : "16 elements x 8 nodes.");
                                    }}),
      chosen_at<&Tiles::resident_groups>(
          {.key = "resident",
           .letters = "_r",
           .words = [](const Schedule& s) { return resident_in_words(s.as<Tiles>().resident_groups); }}),
      parts<&Tiles::parts>("Each warp computes all fields.",
                           "Fields that share no derivative have warps of their own."),
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
      connectivity<&Tiles::connectivity>(),
      chosen_at<&Tiles::rows>(
          {.key = "rows",
           .ways = {{"apart", "", "In memory elements lie as far apart as they are read without conflicts of banks."},
                    {"tight", "_tight", "In memory elements lie one after the other."},
                    {"blocked", "_blocked", "In memory the elements of a work-group lie together, field by field."}}}),
      basis<&Tiles::basis>()};
}

std::vector<Choice> of_elements() {
  return {slicing_itself("elements",
                         [](const Schedule& s) {
                           return "A stage is one kernel. A work-item computes an element; a work-group has " +
                                  elements(s.as<Elements>().elements) + ". Matrices are literals of the text.";
                         }),
          chosen_at<&Elements::elements>({.key = "elements", .letters = "_e"}),
          chosen_at<&Elements::resident_groups>(
              {.key = "resident",
               .letters = "_r",
               .words = [](const Schedule& s) { return resident_in_words(s.as<Elements>().resident_groups); }}),
          parts<&Elements::parts>("Each work-item computes all fields.",
                                  "Fields that share no derivative have work-items of their own."),
          basis<&Elements::basis>()};
}

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
                                                         counted(s.as<Lanes>().nodes_at_once, "node", "nodes") +
                                                         " are in registers at a time.";
                                                }}),
          parts<&Lanes::parts>("All fields are computed together.",
                               "Fields that share no derivative are computed one after the other.")};
}

std::span<const Choice> choices(const Nodes&) {
  static const std::vector<Choice> all = of_nodes();
  return all;
}

std::span<const Choice> choices(const Tiles&) {
  static const std::vector<Choice> all = of_tiles();
  return all;
}

std::span<const Choice> choices(const Elements&) {
  static const std::vector<Choice> all = of_elements();
  return all;
}

std::span<const Choice> choices(const Lanes&) {
  static const std::vector<Choice> all = of_lanes();
  return all;
}

template <class... S>
std::vector<Schedule> one_each(const std::variant<S...>&) {
  return {Schedule{S{}}...};
}

}  // namespace

std::string_view word_of(Schedule::Operators operators) {
  switch (operators) {
    case Schedule::Operators::streamed: return "streamed";
    case Schedule::Operators::shared: return "shared";
    case Schedule::Operators::constant: return "constant";
    case Schedule::Operators::registers: return "registers";
  }
  return {};
}

std::span<const Choice> choices_of(const Schedule& schedule) {
  return std::visit([](const auto& slicing) { return choices(slicing); }, schedule.slicing);
}

std::vector<Schedule> every_slicing() {
  return one_each(Schedule{}.slicing);
}

std::vector<std::string> in_words(const Schedule& schedule) {
  std::vector<std::string> sentences;
  for (const Choice& choice : choices_of(schedule)) {
    std::string sentence;
    if (choice.words != nullptr) {
      sentence = choice.words(schedule);
    } else if (!choice.is_number()) {
      sentence = choice.way_of(schedule).sentence;
    }
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace maxwell_dg::dg
