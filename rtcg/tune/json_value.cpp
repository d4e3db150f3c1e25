#include "rtcg/tune/json_value.hpp"

#include <cstdint>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Json = nlohmann::ordered_json;  // the one kind that the library compiles

Json json_of(const Value& value) {
  if (value.is_boolean()) return value.boolean();
  if (value.is_integer()) return value.integer();
  if (value.is_real()) return value.number();
  if (value.is_text()) return value.text();
  Json json;
  if (value.is_list()) {
    json = Json::array();
    for (const Value& item : value.list()) json.push_back(json_of(item));
    return json;
  }
  json = Json::object();
  for (const auto& [name, field] : value.record()) json[name] = json_of(field);
  return json;
}

Value value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) {
    Value::List items;
    for (const Json& item : json) items.push_back(value_of(item));
    return items;
  }
  if (!json.is_object()) throw std::invalid_argument("null has no value");
  Record fields;
  for (const auto& [name, field] : json.items()) fields[name] = value_of(field);
  return fields;
}

}  // namespace

std::string to_json(const Value& value) {
  return json_text(json_of(value), -1);
}

std::optional<Value> from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  try {
    return value_of(json);
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // a null, or a number that is too large
  }
}

}  // namespace maxwell_dg::rtcg
