// What descriptions of choices have in common, and what is told of them.
#include <initializer_list>
#include <utility>

#include "core/counted.hpp"
#include "dg/schedule/choice_tables.hpp"

namespace maxwell_dg::dg {

namespace choice_tables {

Choice slicing_itself(std::string_view name, std::string (*words)(const Schedule&)) {
  return {.key = "slicing",
          .ways = {{name, name}},
          .value = [](const Schedule&) { return 0; },
          .choose = [](Schedule&, int) {},
          .words = words};
}

std::string elements(int count) {
  return core::counted(count, "element", "elements");
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

std::string resident_in_words(int groups) {
  return "At least " + core::counted(groups, "work-group", "work-groups") +
         " of it should fit on a multiprocessor at a time.";
}

Choice parts(std::string_view together, std::string_view apart) {
  return {.key = "parts", .ways = {{"together", "", together}, {"apart", "_apart", apart}}};
}

Choice basis() {
  return {.key = "basis",
          .ways = {{"cartesian", "", "Vectors are stored by their components along x, y and z."},
                   {"element", "_basis", "Vectors are stored in the basis of each element's edges."},
                   {"interleaved", "_interleaved",
                    "Vectors are stored in the basis of each element's edges, the components of two vectors of a kind "
                    "side by side."}}};
}

Choice connectivity() {
  return {.key = "connectivity",
          .ways = {{"face", "", "Outside traces are found by the neighbour's number and its face."},
                   {"node", "_nodemap", "Outside traces are found by an index for each node of a face."}}};
}

std::vector<Choice::Way> operators(std::initializer_list<std::string_view> in_names) {
  std::vector<Choice::Way> ways;
  for (const std::string_view in_name : in_names) {
    ways.push_back({word_of(static_cast<Schedule::Operators>(ways.size())), in_name});
  }
  return ways;
}

}  // namespace choice_tables

namespace {

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
  return std::visit([](const auto& slicing) -> std::span<const Choice> { return choices_of(slicing); },
                    schedule.slicing);
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
