#include "dg/schedule/configuration.hpp"

#include <algorithm>
#include <stdexcept>

#include "dg/schedule/choice.hpp"

namespace maxwell_dg::dg {

namespace {

std::invalid_argument no_way(const rtcg::Value& value, const Choice& choice) {
  return std::invalid_argument("'" + (value.is_text() ? value.text() : value.written()) + "' is no way to choose " +
                               std::string(choice.key));
}

void choose(Schedule& schedule, const Choice& choice, const rtcg::Value& value) {
  if (choice.is_number()) {
    if (!value.is_integer() || value.integer() < 1 || value.integer() > 9999) throw no_way(value, choice);
    choice.choose(schedule, static_cast<int>(value.integer()));
    return;
  }
  const auto way =
      value.is_text() ? std::ranges::find(choice.ways, value.text(), &Choice::Way::word) : choice.ways.end();
  if (way == choice.ways.end()) throw no_way(value, choice);
  choice.choose(schedule, static_cast<int>(way - choice.ways.begin()));
}

}  // namespace

rtcg::Configuration configuration_of(const Schedule& schedule) {
  rtcg::Configuration configuration;
  for (const Choice& choice : choices_of(schedule)) {
    configuration.emplace(choice.key, choice.is_number() ? rtcg::Value(choice.value(schedule))
                                                         : rtcg::Value(choice.way_of(schedule).word));
  }
  return configuration;
}

Schedule schedule_of(const rtcg::Configuration& configuration) {
  const rtcg::Value& slicing = configuration.at("slicing");
  std::vector<Schedule> all = every_slicing();
  const auto is_of_it = [&](const Schedule& s) {
    return slicing.is_text() && std::ranges::find(choices_of(s).front().ways, slicing.text(), &Choice::Way::word) !=
                                    choices_of(s).front().ways.end();
  };
  const auto schedule = std::ranges::find_if(all, is_of_it);
  if (schedule == all.end()) throw no_way(slicing, choices_of(all.front()).front());
  for (const Choice& choice : choices_of(*schedule)) {
    choose(*schedule, choice, configuration.at(std::string(choice.key)));
  }
  return *schedule;
}

}  // namespace maxwell_dg::dg
