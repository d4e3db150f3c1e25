#include "apps/config/identity.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <string_view>

#include "apps/config/keys.hpp"
#include "apps/config/type.hpp"
#include "apps/config/yaml.hpp"

namespace maxwell_dg::config {
namespace {

/// Keys that may change, with all below them.
using FreeKeys = std::span<const std::string_view>;

/// Between a run and its continuation. The first five change no result, the next two only what the end is compared
/// with.
constexpr std::array<std::string_view, 15> free_keys{"device",
                                                     "mesh",
                                                     "checkpoint",
                                                     "outputs.directory",
                                                     "solver.tuning_seconds",
                                                     "reference_solution",
                                                     "imaginary.reference_solution",
                                                     "time",
                                                     "solver.order",
                                                     "solver.precision",
                                                     "solver.cfl",
                                                     "solver.integrator",
                                                     "outputs.fields",
                                                     "outputs.surface_fields",
                                                     "outputs.energy"};
constexpr FreeKeys without_effect = FreeKeys(free_keys).first(5), with_effect_at_the_end = FreeKeys(free_keys).first(7);

void add_lines(const Value& value, const std::string& path, FreeKeys free, std::string& text) {
  if (std::ranges::find(free, path) != free.end()) return;
  const auto below = [&](const std::string& step) { return path.empty() ? step : path + "." + step; };
  if (value.kind == Value::Kind::map) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      add_lines(value.items[i], below(value.keys[i].text), free, text);
    }
  } else if (value.kind == Value::Kind::list) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      add_lines(value.items[i], below(std::to_string(i)), free, text);
    }
  } else if (value.kind == Value::Kind::scalar) {
    text += path + ": " + to_flow(value) + "\n";
  }
}

std::string lines_of(const Config& config, FreeKeys free) {
  Config copy = config;  // a description is bound to what it may also change
  std::string text;
  add_lines(*object(config_keys(copy))->write(), "", free, text);
  return text;
}

std::map<std::string, std::string> by_key(const std::string& text) {
  std::map<std::string, std::string> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) result[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return result;
}

}  // namespace

std::string identity(const Config& config) {
  return lines_of(config, free_keys);
}

std::string settings_until_the_end(const Config& config) {
  return lines_of(config, with_effect_at_the_end);
}

std::string result_settings(const Config& config) {
  return lines_of(config, without_effect);
}

std::string differences(const std::string& was, const std::string& is) {
  constexpr std::size_t most = 4;
  const std::map<std::string, std::string> before = by_key(was), now = by_key(is);
  std::set<std::string> keys;
  for (const auto& [key, value] : before) keys.insert(key);
  for (const auto& [key, value] : now) keys.insert(key);
  const auto value_of = [](const std::map<std::string, std::string>& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::string("not there") : found->second;
  };
  std::string text;
  std::size_t count = 0;
  for (const std::string& key : keys) {
    const std::string old_value = value_of(before, key), new_value = value_of(now, key);
    if (old_value == new_value || ++count > most) continue;
    text += (text.empty() ? "" : "; ") + key + " is " + new_value + ", it was " + old_value;
  }
  return count > most ? text + "; and " + std::to_string(count - most) + " more" : text;
}

}  // namespace maxwell_dg::config
