#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dg/schedule/schedule.hpp"

namespace maxwell_dg::dg {

/// One thing to choose in a slicing, described once: which member of a schedule it is, its key in a tuner's
/// configuration, how it is written in a schedule's name, and a sentence that explains it. It is a number, or one of a
/// few ways.
struct Choice {
  /// One of these ways: its word in a configuration, its text in a name, and a sentence that explains it.
  struct Way {
    std::string_view word, in_name;
    std::string_view sentence{};
  };
  /// When a number is written in a name.
  enum class Written {
    always,
    unless_default,  ///< if it is not the slicing's default
    with_next,       ///< if this or the next number is not the default
  };
  std::string_view key;
  std::vector<Way> ways{};     ///< in the order of the enumerators; none for a number
  std::string_view letters{};  ///< in front of a number, in a name
  Written written = Written::always;
  int digits = 4;                   ///< of a number in a name, at most
  int (*value)(const Schedule&){};  ///< the number, or the index of the way
  void (*choose)(Schedule&, int value){};
  std::string (*words)(const Schedule&){};  ///< a sentence in place of the way's own; null: the way's own

  [[nodiscard]] bool is_number() const { return ways.empty(); }
  [[nodiscard]] const Way& way_of(const Schedule& schedule) const {
    return ways[static_cast<std::size_t>(value(schedule))];
  }
};

/// The choices of a schedule's slicing, in the order in which names have them. The first has the key "slicing".
[[nodiscard]] std::span<const Choice> choices_of(const Schedule& schedule);

/// The word of configurations and kernel templates for where matrices are read from: "streamed", "shared", "constant"
/// or "registers".
[[nodiscard]] std::string_view word_of(Schedule::Operators operators);

/// One schedule of each slicing, with default choices.
[[nodiscard]] std::vector<Schedule> every_slicing();

/// A schedule in sentences: what a work-item computes, how many elements a work-group has, how the state is stored.
[[nodiscard]] std::vector<std::string> in_words(const Schedule& schedule);

}  // namespace maxwell_dg::dg
