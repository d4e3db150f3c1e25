#include "apps/config/yaml.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "core/error.hpp"

namespace maxwell_dg::config {
namespace {

// The child that one step of a key path names; maps grow what they lack.
Value& descend(Value& parent, const std::string& step, const std::string& assignment) {
  const auto fail = [&](const std::string& message) -> Value& {
    throw ConfigError("--set " + assignment + ": " + message);
  };
  if (parent.kind == Value::Kind::list) {
    std::size_t index{};
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (error != std::errc{} || end != step.data() + step.size()) {
      return fail("'" + step + "' does not number an item of a list; allowed: 0 to " +
                  std::to_string(parent.items.size() - (parent.items.empty() ? 0 : 1)));
    }
    if (index >= parent.items.size()) {
      return fail("item " + step + " does not exist; the list has " + std::to_string(parent.items.size()) +
                  " (numbered from 0)");
    }
    return parent.items[index];
  }
  if (parent.kind == Value::Kind::scalar) {
    return fail("'" + step + "' cannot be set inside of the value " + describe(parent));
  }
  parent.kind = Value::Kind::map;  // of nothing, too
  for (std::size_t i = 0; i < parent.keys.size(); ++i) {
    if (parent.keys[i].text == step) return parent.items[i];
  }
  parent.add(step, {.place = {.source = "--set"}});
  parent.keys.back().place = parent.items.back().place;
  return parent.items.back();
}

void place_everywhere(Value& value, const Place& place) {
  value.place = place;
  for (Value& item : value.items) place_everywhere(item, place);
  for (KeyText& key : value.keys) key.place = place;
}

}  // namespace

int Value::find(std::string_view key) const {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const KeyText& k) { return k.text == key; });
  if (found == keys.end()) return -1;
  const auto at = found - keys.begin();
  return items[static_cast<std::size_t>(at)].kind == Kind::left_out ? -1 : static_cast<int>(at);
}

void Value::add(std::string key, Value value) {
  keys.push_back({std::move(key), value.place});
  items.push_back(std::move(value));
}

Value Value::scalar(std::string text) {
  return {.kind = Kind::scalar, .text = std::move(text)};
}
Value Value::string(std::string text) {
  return {.kind = Kind::scalar, .text = std::move(text), .quoted = true};
}
Value Value::list() {
  return {.kind = Kind::list};
}
Value Value::map() {
  return {.kind = Kind::map};
}

std::string to_string(const Place& place) {
  if (place.line == 0) return place.source;
  return place.source + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

Value read_yaml(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw ConfigError(name + ": no such file; give the path of a YAML config");
  if (std::filesystem::is_directory(file, error)) {
    const std::filesystem::path resolved = file / "config.resolved.yaml";
    throw ConfigError(name + ": is a folder; give the path of a YAML config" +
                      (std::filesystem::exists(resolved, error) ? ", such as " + resolved.string() : ""));
  }
  if (const std::string kind = file.extension().string(); kind == ".msh" || kind == ".geo" || kind == ".h5") {
    throw ConfigError(name + ": is a mesh; give the path of a YAML config, which names its mesh by mesh.file");
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) throw ConfigError(name + ": cannot be read; check its permissions");
  return parse_yaml(text.str(), name);
}

void apply_override(Value& document, const std::string& assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw ConfigError("--set " + assignment + ": allowed: key.path=value, as in solver.order=3");
  }
  Value value = parse_yaml(assignment.substr(equals + 1), "--set " + assignment);
  place_everywhere(value, {.source = "--set"});
  // An empty value is a mistake; one that says null is meant.
  if (value.kind == Value::Kind::null && equals + 1 < assignment.size()) value.kind = Value::Kind::left_out;
  Value* target = &document;
  std::istringstream path(assignment.substr(0, equals));
  for (std::string step; std::getline(path, step, '.');) {
    if (step.empty()) throw ConfigError("--set " + assignment + ": the key path has an empty step");
    target = &descend(*target, step, assignment);
  }
  *target = std::move(value);
}

}  // namespace maxwell_dg::config
