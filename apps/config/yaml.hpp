#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/config/config.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::config {

/// A key of a mapping.
struct KeyText {
  std::string text;
  Place place;
};

/// A YAML node with the place it stands at. yaml-cpp stays behind these functions.
struct Value {
  enum class Kind { null, scalar, list, map, left_out };  ///< the last: there, but to be read as if it were not
  Kind kind{Kind::null};
  std::string text{};           ///< of a scalar
  bool quoted{};                ///< a quoted scalar is a text even if it looks like a number
  std::string quantity{};       ///< "8.2 GHz": of a number that has a unit, the same with it
  bool prefers_quantity{};      ///< the quantity reads better than the number
  std::vector<Value> items{};   ///< of a list or a map, in the order of the file
  std::vector<KeyText> keys{};  ///< of a map: keys[i] names items[i]
  Place place{};

  /// Where a key stands in `keys`, -1 if nowhere or left out.
  [[nodiscard]] int find(std::string_view key) const;
  void add(std::string key, Value value);

  [[nodiscard]] static Value scalar(std::string text);  ///< a number or a word
  [[nodiscard]] static Value string(std::string text);  ///< a text, quoted
  /// A number, with a unit beside it where it is a quantity.
  [[nodiscard]] static Value number(double number, core::Dimension dimension = core::Dimension::none);
  [[nodiscard]] static Value list();
  [[nodiscard]] static Value map();
};

/// What a user would call it: "'4'", "a list", "a mapping", "nothing".
[[nodiscard]] std::string describe(const Value& value);

/// "file:line:column" as far as known.
[[nodiscard]] std::string to_string(const Place& place);

/// One YAML document. Throws ConfigError: no such file, no YAML, a key twice, more than one document.
[[nodiscard]] Value read_yaml(const std::filesystem::path& file);

/// The same from text; `source` names it in places and errors.
[[nodiscard]] Value parse_yaml(const std::string& text, const std::string& source);

/// Applies "key.path=value" to a document; "key.path=null" leaves the key out. Throws ConfigError.
void apply_override(Value& document, const std::string& assignment);

/// Replaces numbers by the quantities beside them, where those read better and at the key paths of `with_unit`. `path`
/// is the one of `value`.
void use_quantities(Value& value, const std::set<std::string>& with_unit, const std::string& path = {});

/// YAML text; what is quoted is written in double quotes.
[[nodiscard]] std::string to_yaml(const Value& value);

/// The same in one line.
[[nodiscard]] std::string to_flow(const Value& value);

}  // namespace maxwell_dg::config
