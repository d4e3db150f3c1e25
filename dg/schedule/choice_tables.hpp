#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "dg/schedule/choice.hpp"
#include "dg/schedule/schedule.hpp"

/// What the descriptions of choices (slicings::choices_of) are made of.
namespace maxwell_dg::dg::choice_tables {

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
[[nodiscard]] Choice slicing_itself(std::string_view name, std::string (*words)(const Schedule&));

/// "1 element", "2 elements"
[[nodiscard]] std::string elements(int count);
[[nodiscard]] std::string from_where(Schedule::Operators operators);
[[nodiscard]] std::string resident_in_words(int groups);

// Choices that several slicings have, without the member that they choose.
[[nodiscard]] Choice parts(std::string_view together, std::string_view apart);
[[nodiscard]] Choice basis();
[[nodiscard]] Choice connectivity();
/// The ways of Operators, with their texts in names; a slicing may lack the last ones.
[[nodiscard]] std::vector<Choice::Way> operators(std::initializer_list<std::string_view> in_names);

}  // namespace maxwell_dg::dg::choice_tables
