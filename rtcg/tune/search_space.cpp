#include "rtcg/tune/search_space.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/digest.hpp"

namespace maxwell_dg::rtcg {

namespace {

constexpr std::size_t most_points = 10'000'000;

}  // namespace

std::string written(const Configuration& configuration) {
  std::string text;
  for (const auto& [name, value] : configuration) {
    text += (text.empty() ? "" : " ") + name + "=" + (value.is_text() ? value.text() : value.written());
  }
  return text;
}

std::span<const std::uint16_t> SearchPoints::choice(std::size_t point) const {
  return std::span(choices_).subspan(point * parameters_.size(), parameters_.size());
}

void SearchPoints::add(std::span<const std::uint16_t> choice) {
  choices_.insert(choices_.end(), choice.begin(), choice.end());
  ++size_;
}

Configuration SearchPoints::operator[](std::size_t point) const {
  Configuration configuration;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    configuration[parameters_[i].first] = parameters_[i].second[choice(point)[i]];
  }
  return configuration;
}

std::optional<std::size_t> SearchPoints::find(const Configuration& configuration) const {
  std::vector<std::uint16_t> wanted;
  for (const auto& [name, values] : parameters_) {
    const auto given = configuration.find(name);
    if (given == configuration.end()) return std::nullopt;
    const auto value = std::ranges::find(values, given->second);
    if (value == values.end()) return std::nullopt;
    wanted.push_back(static_cast<std::uint16_t>(value - values.begin()));
  }
  if (configuration.size() != wanted.size()) return std::nullopt;
  for (std::size_t point = 0; point < size_; ++point) {
    if (std::ranges::equal(choice(point), wanted)) return point;
  }
  return std::nullopt;
}

bool SearchPoints::are_neighbours(std::size_t a, std::size_t b) const {
  const auto of_a = choice(a);
  const auto of_b = choice(b);
  int differences = 0;
  for (std::size_t i = 0; i < of_a.size() && differences < 2; ++i) differences += of_a[i] != of_b[i] ? 1 : 0;
  return differences == 1;
}

SearchSpace& SearchSpace::add(std::string name, std::vector<Value> values) {
  const auto is_it = [&](const Parameter& parameter) { return parameter.first == name; };
  if (std::ranges::any_of(parameters_, is_it) || constants_.contains(name)) {
    throw std::invalid_argument("search space: '" + name + "' is there already");
  }
  if (values.empty() || values.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw std::invalid_argument("search space: '" + name + "' has no values, or more than 65535");
  }
  parameters_.emplace_back(std::move(name), std::move(values));
  return *this;
}

SearchSpace& SearchSpace::constant(std::string name, Value value) {
  constants_[std::move(name)] = std::move(value);
  return *this;
}

SearchSpace& SearchSpace::require(std::string_view expression) {
  Requirement requirement{.expression =
                              Expression(expression, {.name = "requirement '" + std::string(expression) + "'"})};
  const NameScope nothing{.values = constants_};
  for (const std::string& name : requirement.expression.names()) {
    if (nothing.find_value(name) != nullptr || nothing.find_function(name) != nullptr) continue;
    const auto parameter = std::ranges::find(parameters_, name, &Parameter::first);
    if (parameter == parameters_.end()) {
      requirement.expression.fail("no parameter or constant '" + name + "' in this search space");
    }
    const auto needed = static_cast<std::size_t>(parameter - parameters_.begin()) + 1;
    requirement.parameters_needed = std::max(requirement.parameters_needed, needed);
  }
  requirements_.push_back(std::move(requirement));
  return *this;
}

SearchSpace& SearchSpace::only_if(std::string name, const std::vector<std::string>& needed,
                                  std::function<bool(const Configuration&)> condition) {
  std::size_t count = 0;
  for (const std::string& parameter : needed) {
    expect_parameter(parameter);
    const auto found = std::ranges::find(parameters_, parameter, &Parameter::first);
    count = std::max(count, static_cast<std::size_t>(found - parameters_.begin()) + 1);
  }
  conditions_.push_back({.name = std::move(name), .parameters_needed = count, .holds = std::move(condition)});
  return *this;
}

void SearchSpace::expect_parameter(const std::string& name) const {
  if (std::ranges::find(parameters_, name, &Parameter::first) != parameters_.end()) return;
  throw std::invalid_argument("search space: no parameter '" + name + "'");
}

SearchSpace& SearchSpace::operation(std::string name, std::vector<std::string> parameters) {
  for (const std::string& parameter : parameters) expect_parameter(parameter);
  for (const Operation& other : operations_) {
    if (other.name == name) throw std::invalid_argument("search space: operation '" + name + "' is there already");
    for (const std::string& parameter : parameters) {
      if (std::ranges::find(other.parameters, parameter) == other.parameters.end()) continue;
      throw std::invalid_argument("search space: '" + parameter + "' of operation '" + name + "' is one of '" +
                                  other.name + "' already");
    }
  }
  operations_.push_back({.name = std::move(name), .parameters = std::move(parameters)});
  return *this;
}

// Only requirements whose last name was bound just now: the others were asked before.
bool SearchSpace::meets(const NameScope& scope, std::size_t depth) const {
  const bool meets_requirements = std::ranges::all_of(requirements_, [&](const Requirement& requirement) {
    if (requirement.parameters_needed != depth) return true;
    const Value holds = requirement.expression.evaluate(scope);
    if (!holds.is_boolean()) requirement.expression.fail("expected a bool, found " + holds.description());
    return holds.boolean();
  });
  return meets_requirements && std::ranges::all_of(conditions_, [&](const Condition& condition) {
           return condition.parameters_needed != depth || condition.holds(scope.values);
         });
}

void SearchSpace::extend(NameScope& scope, std::vector<std::uint16_t>& choice, SearchPoints& found) const {
  const std::size_t depth = choice.size();
  if (!meets(scope, depth)) return;
  if (depth == parameters_.size()) {
    if (found.size() == most_points) throw std::length_error("search space: more than ten million points");
    found.add(choice);
    return;
  }
  const auto& [name, values] = parameters_[depth];
  for (std::size_t i = 0; i < values.size(); ++i) {
    scope.values[name] = values[i];
    choice.push_back(static_cast<std::uint16_t>(i));
    extend(scope, choice, found);
    choice.pop_back();
  }
  scope.values.erase(name);
}

SearchPoints SearchSpace::points() const {
  const NameScope outer{.values = constants_};
  NameScope scope{.outer = &outer};
  SearchPoints found(parameters_);
  std::vector<std::uint16_t> choice;
  extend(scope, choice, found);
  return found;
}

bool SearchSpace::contains(const Configuration& configuration) const {
  if (configuration.size() != parameters_.size()) return false;
  for (const auto& [name, values] : parameters_) {
    const auto value = configuration.find(name);
    if (value == configuration.end() || std::ranges::find(values, value->second) == values.end()) return false;
  }
  const NameScope outer{.values = constants_};
  const NameScope scope{.values = configuration, .outer = &outer};
  for (std::size_t depth = 0; depth <= parameters_.size(); ++depth) {
    if (!meets(scope, depth)) return false;
  }
  return true;
}

SearchSpace SearchSpace::restricted(const Configuration& at, std::span<const std::string> varying) const {
  for (const std::string& name : varying) expect_parameter(name);
  SearchSpace part = *this;
  for (auto& [name, values] : part.parameters_) {
    const auto value = at.find(name);
    if (value == at.end() || std::ranges::find(values, value->second) == values.end()) {
      throw std::invalid_argument("search space: '" + written(at) + "' has no '" + name +
                                  "', or a value of it that is " + "not there");
    }
    if (std::ranges::find(varying, name) == varying.end()) values = {value->second};
  }
  return part;
}

std::string SearchSpace::digest() const {
  Sha256 digest;
  digest.add_field("search space 1");
  for (const auto& [name, values] : parameters_) digest.add_field(name + " " + Value(values).written());
  digest.add_field(Value(constants_).written());
  for (const Requirement& requirement : requirements_) digest.add_field(requirement.expression.text());
  for (const Condition& condition : conditions_) digest.add_field("only if " + condition.name);
  // Nothing where there are none: answers stored before there were operations are still found.
  for (const auto& [name, of_it] : operations_) {
    digest.add_field("operation " + name);
    for (const std::string& parameter : of_it) digest.add_field(parameter);
  }
  return digest.hex();
}

}  // namespace maxwell_dg::rtcg
