#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/config/absent.hpp"
#include "apps/config/yaml.hpp"
#include "core/quantity.hpp"
#include "tests/unit/config/config_files.hpp"

namespace maxwell_dg::config {
namespace {

using nlohmann::json;

json to_json(const Value& value) {
  switch (value.kind) {
    case Value::Kind::left_out:
    case Value::Kind::null: return nullptr;
    case Value::Kind::list: {
      json list = json::array();
      for (const Value& item : value.items) list.push_back(to_json(item));
      return list;
    }
    case Value::Kind::map: {
      json map = json::object();
      for (std::size_t i = 0; i < value.items.size(); ++i) map[value.keys[i].text] = to_json(value.items[i]);
      return map;
    }
    case Value::Kind::scalar: break;
  }
  if (!value.quoted && (value.text == "true" || value.text == "false")) return value.text == "true";
  const auto number = value.quoted ? std::nullopt : core::parse_number(value.text);
  return number ? json(*number) : json(value.text);
}

bool has_type(const json& instance, const std::string& type) {
  if (type == "object") return instance.is_object();
  if (type == "array") return instance.is_array();
  if (type == "string") return instance.is_string();
  if (type == "boolean") return instance.is_boolean();
  if (type == "number") return instance.is_number();
  if (type == "integer") return instance.is_number() && std::floor(instance.get<double>()) == instance.get<double>();
  return false;
}

bool valid(const json& schema, const json& instance);

bool valid_type(const json& schema, const json& instance) {
  if (!schema.contains("type")) return true;
  const json types = schema["type"].is_array() ? schema["type"] : json::array({schema["type"]});
  return std::any_of(types.begin(), types.end(), [&](const json& t) { return has_type(instance, t); });
}

bool valid_object(const json& schema, const json& instance) {
  for (const json& name : schema.value("required", json::array())) {
    if (!instance.contains(name.get<std::string>())) return false;
  }
  const json properties = schema.value("properties", json::object());
  for (const auto& [key, value] : instance.items()) {
    if (properties.contains(key)) {
      if (!valid(properties[key], value)) return false;
    } else if (schema.contains("additionalProperties")) {
      const json& rest = schema["additionalProperties"];
      if (rest.is_boolean() ? !rest.get<bool>() : !valid(rest, value)) return false;
    }
  }
  return true;
}

bool valid_array(const json& schema, const json& instance) {
  if (instance.size() < schema.value("minItems", std::size_t{0})) return false;
  if (schema.contains("maxItems") && instance.size() > schema["maxItems"]) return false;
  return !schema.contains("items") ||
         std::all_of(instance.begin(), instance.end(), [&](const json& i) { return valid(schema["items"], i); });
}

bool valid_number(const json& schema, double number) {
  if (schema.contains("minimum") && number < schema["minimum"]) return false;
  if (schema.contains("exclusiveMinimum") && number <= schema["exclusiveMinimum"]) return false;
  return !schema.contains("maximum") || number <= schema["maximum"];
}

/// As much of JSON Schema as the config's schema uses.
bool valid(const json& schema, const json& instance) {
  if (!valid_type(schema, instance)) return false;
  if (schema.contains("const") && instance != schema["const"]) return false;
  const auto fits = [&](const json& option) { return valid(option, instance); };
  const auto holds = [&](const char* key) { return std::count_if(schema[key].begin(), schema[key].end(), fits); };
  if (schema.contains("enum") && std::count(schema["enum"].begin(), schema["enum"].end(), instance) == 0) return false;
  if (schema.contains("anyOf") && holds("anyOf") == 0) return false;
  if (schema.contains("oneOf") && holds("oneOf") != 1) return false;
  if (instance.is_object()) return valid_object(schema, instance);
  if (instance.is_array()) return valid_array(schema, instance);
  if (instance.is_number()) return valid_number(schema, instance.get<double>());
  return !instance.is_string() || instance.get<std::string>().size() >= schema.value("minLength", std::size_t{0});
}

bool valid_yaml(const std::string& text) {
  return valid(json::parse(json_schema()), to_json(parse_yaml(text, "test")));
}

// Key names at every depth below "properties".
void collect(const json& schema, std::set<std::string>& names) {
  if (schema.is_object()) {
    for (const auto& [key, value] : schema.items()) {
      if (key == "properties") {
        for (const auto& [name, property] : value.items()) names.insert(name);
      }
      if (key != "default") collect(value, names);
    }
  } else if (schema.is_array()) {
    for (const json& item : schema) collect(item, names);
  }
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(Schema, is_json_and_has_every_key_of_the_reference) {
  std::set<std::string> in_schema, in_reference;
  collect(json::parse(json_schema()), in_schema);
  std::istringstream page(config_reference());
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string path = line.substr(3, line.find('`', 3) - 3);
    in_reference.insert(path.substr(path.rfind('.') + 1));
  }
  EXPECT_EQ(in_schema, in_reference);
  for (const char* key : {"units", "epsilon_r", "rho", "waveform", "bandwidth", "quantities", "at"}) {
    EXPECT_TRUE(in_schema.contains(key)) << key;
  }
}

TEST(Schema, agrees_with_the_loader_on_what_is_right) {
  for (const std::string& text : {minimal, everything}) {
    EXPECT_TRUE(valid_yaml(text));
    EXPECT_TRUE(valid_yaml(resolved_yaml(ConfigFile(text).load())));
  }
  EXPECT_TRUE(valid_yaml(
      "system: acoustics\nmesh: {box: {cells: [1, 1, 1]}}\ntime: {end: 1}\nmaterials: [{region: a, c: 3}]\n"));
}

TEST(Schema, agrees_with_the_loader_on_what_is_wrong) {
  for (const std::string wrong :
       {"solver: {order: 12}\n", "solver: {order: 2.5}\n", "solver: {ordr: 2}\n", "solver: {precision: half}\n",
        "solver: {flux: 2}\n", "pml: {}\n", "outputs: {fields: {}}\n", "outputs: {fields: {every: 1, count: 1}}\n",
        "sources: [{type: dipole}]\n", "system: acoustics\nsources: []\n", "initial_fields: {E: [\"0\"]}\n"}) {
    EXPECT_FALSE(valid_yaml(minimal + wrong)) << wrong;
    EXPECT_ANY_THROW(static_cast<void>(ConfigFile(minimal + wrong).load())) << wrong;
  }
  EXPECT_FALSE(valid_yaml("units: si\n"));
}

TEST(Schema, every_shipped_config_is_valid_and_loads) {
  const std::filesystem::path folder = std::filesystem::path(MAXWELL_DG_SOURCE_DIR) / "configs";
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++found;
    EXPECT_TRUE(valid_yaml(content_of(entry.path()))) << entry.path();
    EXPECT_NO_THROW(static_cast<void>(load_config(entry.path()))) << entry.path();
  }
  if (found == 0) GTEST_SKIP() << "no configs in " << folder;
}

TEST(Reference, no_key_or_word_of_it_is_said_not_to_exist) {
  std::istringstream page(config_reference());
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    const std::size_t end = line.find('`', 3);
    const std::string path = line.substr(3, end - 3),
                      allowed = line.substr(end + 3, line.find(" |", end + 3) - end - 3);
    const std::size_t dot = path.rfind('.');
    const std::string entry = dot == std::string::npos ? "" : path.substr(0, dot);
    EXPECT_EQ(absent_feature(entry, path.substr(dot + 1)), "") << path;  // npos + 1 is the beginning
    std::istringstream words(allowed);
    for (std::string word; std::getline(words, word, ',');) {
      EXPECT_EQ(absent_feature(entry, word.substr(word.find_first_not_of(' '))), "") << path << ": " << word;
    }
  }
  EXPECT_NE(absent_feature("ports.12", "Discrete"), "");
  EXPECT_EQ(absent_feature("boundaries.0", "gap"), "") << "of ports alone";
}

TEST(Reference, committed_page_is_what_the_program_writes) {
  const std::filesystem::path file = std::filesystem::path(MAXWELL_DG_SOURCE_DIR) / "docs" / "config_reference.md";
  if (std::getenv("MAXWELL_DG_UPDATE_DOCS") != nullptr) std::ofstream(file) << config_reference();
  EXPECT_EQ(content_of(file), config_reference())
      << "run this test once with MAXWELL_DG_UPDATE_DOCS=1 in the environment and commit the page";
}

}  // namespace
}  // namespace maxwell_dg::config
