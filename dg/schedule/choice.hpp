#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// One choice of a slicing, described once: its place in a schedule, what a tuner's configuration calls it, what a name
/// has of it, and what it means. A number, or one of a few ways.
struct Choice {
  /// A way: its word in a configuration, what stands for it in a name, and what it means.
  struct Way {
    std::string_view word, in_name;
    std::string_view sentence{};
  };
  /// Which numbers a name has.
  enum class Written {
    always,
    unless_usual,  ///< not the one that the slicing has by default
    with_next,     ///< neither this nor the next one, where both are usual
  };
  std::string_view key;
  std::vector<Way> ways{};     ///< in the order of the enumerators; none for a number
  std::string_view letters{};  ///< before a number, in a name
  Written written = Written::always;
  int digits = 4;                   ///< of a number in a name, at most
  int (*value)(const Schedule&){};  ///< the number, or which way
  void (*choose)(Schedule&, int value){};
  std::string (*words)(const Schedule&){};  ///< a sentence, where the way's own does not do

  [[nodiscard]] bool is_number() const { return ways.empty(); }
  [[nodiscard]] const Way& way_of(const Schedule& schedule) const {
    return ways[static_cast<std::size_t>(value(schedule))];
  }
};

/// What there is to choose in a schedule's slicing, in the order of names. The first is the slicing itself, "slicing".
[[nodiscard]] std::span<const Choice> choices_of(const Schedule& schedule);

/// What configurations and kernel texts call the place that matrices are read from: "streamed", "shared", "constant",
/// "registers".
[[nodiscard]] std::string_view word_of(Schedule::Operators operators);

/// A schedule of each slicing, with what it has by default.
[[nodiscard]] std::vector<Schedule> every_slicing();

/// What a schedule's name says in short, in sentences: what a work-item computes, what a work-group has, and how the
/// state lies in memory.
[[nodiscard]] std::vector<std::string> in_words(const Schedule& schedule);

}  // namespace maxwell_dg::dg
