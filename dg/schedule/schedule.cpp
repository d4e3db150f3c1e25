#include "dg/schedule/schedule.hpp"

#include <algorithm>
#include <regex>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace maxwell_dg::dg {

namespace {

// So far apart, rows on the chip are read without conflicts of banks: in memory as well, a group's are one copy.
constexpr int padding_apart = 8, remainder_apart = 4;

/// A choice between a few ways: their words in a configuration, and what a name ends with for each, both in the order
/// of the enumerators. Names have no ending for the first.
struct Choice {
  struct Way {
    std::string_view word, ending;
  };
  std::string_view key;
  std::vector<Way> ways;
  int (*way_of)(const Schedule&);
  void (*choose)(Schedule&, int way, Dtype precision);
};

template <auto Member>
Choice choice(std::string_view key, std::vector<Choice::Way> ways) {
  using E = std::remove_reference_t<decltype(std::declval<Schedule&>().*Member)>;
  return {.key = key,
          .ways = std::move(ways),
          .way_of = [](const Schedule& s) { return static_cast<int>(s.*Member); },
          .choose = [](Schedule& s, int way, Dtype) { s.*Member = static_cast<E>(way); }};
}

/// From where an operation with a kernel of its own reads its matrices, called `key`.
template <auto Operation>
Choice operators_of(std::string_view key, std::vector<Choice::Way> ways) {
  return {
      .key = key,
      .ways = std::move(ways),
      .way_of = [](const Schedule& s) { return static_cast<int>((s.*Operation).operators); },
      .choose = [](Schedule& s, int way, Dtype) { (s.*Operation).operators = static_cast<Schedule::Operators>(way); }};
}

/// What there is to choose, in the order of the endings.
std::span<const Choice> choices_of(Schedule::Slicing slicing) {
  static const Choice parts = choice<&Schedule::parts>("parts", {{"together", ""}, {"apart", "_apart"}});
  static const Choice basis =
      choice<&Schedule::basis>("basis", {{"cartesian", ""}, {"element", "_basis"}, {"interleaved", "_interleaved"}});
  static const Choice rows{.key = "rows",
                           .ways = {{"apart", ""}, {"tight", "_tight"}, {"blocked", "_blocked"}},
                           .way_of =
                               [](const Schedule& s) {
                                 if (s.is_blocked()) return 2;
                                 return s.block_remainder == 0 ? 1 : 0;
                               },
                           .choose =
                               [](Schedule& s, int way, Dtype precision) {
                                 s.block_padding = way == 0 ? padding_apart : 16 / static_cast<int>(size_of(precision));
                                 s.block_remainder = way == 0 ? remainder_apart : 0;
                                 s.block_elements = way == 2 ? s.elements_per_group : 1;
                               }};
  static const Choice connectivity =
      choice<&Schedule::connectivity>("connectivity", {{"face", ""}, {"node", "_nodemap"}});
  static const std::vector<Choice> of_lanes{parts}, of_elements{parts, basis},
      of_tiles{
          parts,
          choice<&Schedule::operands>(
              "operands", {{"warp", ""}, {"chip", "_chip"}, {"mirror", "_mirror"}, {"mirrorfirst", "_mirrorfirst"}}),
          choice<&Schedule::fluxes>("fluxes", {{"node", ""}, {"face", "_faces"}}),
          choice<&Schedule::matrices>("matrices",
                                      {{"turn", ""}, {"twos", "_twos"}, {"lift", "_liftahead"}, {"ahead", "_ahead"}}),
          choice<&Schedule::operators>("operators",
                                       {{"streamed", ""}, {"shared", "_shared"}, {"constant", "_constant"}}),
          connectivity,
          rows,
          basis},
      of_nodes{
          operators_of<&Schedule::volume>(
              "D", {{"streamed", ""}, {"shared", "_Dshared"}, {"constant", "_Dconst"}, {"registers", "_Dregs"}}),
          operators_of<&Schedule::surface>(
              "LIFT",
              {{"streamed", ""}, {"shared", "_LIFTshared"}, {"constant", "_LIFTconst"}, {"registers", "_LIFTregs"}}),
          connectivity, choice<&Schedule::fields>("fields", {{"apart", ""}, {"together", "_together"}})};
  switch (slicing) {
    case Schedule::Slicing::lanes_in_vectors: return of_lanes;
    case Schedule::Slicing::elements_in_parallel: return of_elements;
    case Schedule::Slicing::element_tiles: return of_tiles;
    case Schedule::Slicing::nodes_in_parallel: return of_nodes;
  }
  return {};
}

/// "4x2x1": parallel, inlined, sequence; "4" for 4x1x1.
std::string written(const Schedule::Slices& slices) {
  const std::string parallel = std::to_string(slices.parallel);
  if (slices.inlined == 1 && slices.sequence == 1) return parallel;
  return parallel + "x" + std::to_string(slices.inlined) + "x" + std::to_string(slices.sequence);
}

/// Of a part of a name that may be left out.
int number_or(int otherwise, const std::string& written) {
  return written.empty() ? otherwise : std::stoi(written);
}

/// Makes the choices that a name's endings say; false where they are none.
bool choose_by_endings(Schedule& schedule, std::string_view endings, Dtype precision) {
  for (const Choice& choice : choices_of(schedule.slicing)) {
    int way = 0;
    for (std::size_t i = 1; i < choice.ways.size(); ++i) {
      if (endings.starts_with(choice.ways[i].ending)) way = static_cast<int>(i);
    }
    endings.remove_prefix(choice.ways[static_cast<std::size_t>(way)].ending.size());
    choice.choose(schedule, way, precision);
  }
  return endings.empty();
}

}  // namespace

std::string Schedule::name() const {
  const auto number = [](const char* letter, int value) { return letter + std::to_string(value); };
  std::string text;
  switch (slicing) {
    case Slicing::nodes_in_parallel:
      text = number("nodes_pad", node_padding) + (block_elements == 1 ? "" : number("_b", block_elements)) + "_v" +
             written(volume) + "_s" + written(surface) +
             (updated_at_once == usually_updated_at_once ? "" : number("_u", updated_at_once));
      break;
    case Slicing::lanes_in_vectors: text = number("lanes", lanes) + number("_n", nodes_at_once); break;
    case Slicing::elements_in_parallel:
      text = number("elements_e", elements_per_group) + number("_r", resident_groups);
      break;
    case Slicing::element_tiles:
      text = (products == Products::tensor_cores ? "tensor" : "tiles") + number("_e", elements_per_group) +
             number("_w", warps) + number("_r", resident_groups);
      break;
  }
  for (const Choice& choice : choices_of(slicing)) {
    text += choice.ways[static_cast<std::size_t>(choice.way_of(*this))].ending;
  }
  return text;
}

std::map<std::string, std::string> Schedule::choices() const {
  std::map<std::string, std::string> words;
  for (const Choice& choice : choices_of(slicing)) {
    words.emplace(choice.key, choice.ways[static_cast<std::size_t>(choice.way_of(*this))].word);
  }
  return words;
}

void Schedule::choose(const std::function<std::string(const std::string& key)>& word_of, Dtype precision) {
  for (const Choice& choice : choices_of(slicing)) {
    const std::string word = word_of(std::string(choice.key));
    const auto way = std::ranges::find(choice.ways, word, &Choice::Way::word);
    if (way == choice.ways.end()) {
      throw std::invalid_argument("'" + word + "' is no way to choose " + std::string(choice.key));
    }
    choice.choose(*this, static_cast<int>(way - choice.ways.begin()), precision);
  }
}

Schedule Schedule::named(const std::string& name, Dtype precision) {
  static const std::regex tiles("(tensor|tiles)_e([1-9][0-9]{0,3})_w([1-9][0-9]{0,3})_r([1-9][0-9]{0,3})(_[a-z_]*)?");
  static const std::regex elements("elements_e([1-9][0-9]{0,3})_r([1-9][0-9]{0,3})(_[a-z_]*)?");
  static const std::string slices = "([1-9][0-9]{0,3})(?:x([1-9][0-9]{0,3})x([1-9][0-9]{0,3}))?";
  static const std::regex nodes("nodes_pad([1-9][0-9]{0,3})(?:_b([1-9][0-9]{0,3}))?_v" + slices + "_s" + slices +
                                "(?:_u([1-9][0-9]{0,3}))?(_[A-Za-z_]*)?");
  static const std::regex lanes("lanes([1-9][0-9]?)_n([1-9][0-9]?)(_[a-z_]*)?");
  std::smatch part;
  Schedule schedule;
  bool is_one = true;
  if (std::regex_match(name, part, tiles)) {
    schedule = {.slicing = Slicing::element_tiles,
                .elements_per_group = std::stoi(part[2]),
                .products = part[1] == "tensor" ? Products::tensor_cores : Products::multiply_add,
                .warps = std::stoi(part[3]),
                .resident_groups = std::stoi(part[4])};
  } else if (std::regex_match(name, part, elements)) {
    schedule = {.slicing = Slicing::elements_in_parallel,
                .block_padding = 16 / static_cast<int>(size_of(precision)),
                .elements_per_group = std::stoi(part[1]),
                .resident_groups = std::stoi(part[2])};
  } else if (std::regex_match(name, part, nodes)) {
    schedule = {.slicing = Slicing::nodes_in_parallel,
                .node_padding = std::stoi(part[1]),
                .block_elements = number_or(1, part[2]),
                .volume = {std::stoi(part[3]), number_or(1, part[4]), number_or(1, part[5])},
                .surface = {std::stoi(part[6]), number_or(1, part[7]), number_or(1, part[8])},
                .updated_at_once = number_or(usually_updated_at_once, part[9])};
  } else if (std::regex_match(name, part, lanes)) {
    schedule = {.slicing = Slicing::lanes_in_vectors, .lanes = std::stoi(part[1]), .nodes_at_once = std::stoi(part[2])};
  } else {
    is_one = false;
  }
  if (is_one && choose_by_endings(schedule, part[part.size() - 1].str(), precision)) return schedule;
  throw std::invalid_argument("'" + name + "' is no variant; they look like " +
                              "tensor_e16_w4_r3, tiles_e32_w8_r2_apart_chip, tensor_e8_w6_r4_mirrorfirst, "
                              "tensor_e16_w2_r6_faces_tight, tensor_e8_w8_r2_ahead_basis, elements_e64_r6_basis, "
                              "elements_e64_r4_apart_interleaved, nodes_pad1_v4_s4 or lanes16_n3");
}

}  // namespace maxwell_dg::dg
