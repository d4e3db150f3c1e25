#include <algorithm>

#include <nlohmann/json.hpp>

#include "apps/config/absent.hpp"
#include "apps/config/guess.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {
namespace {

Json to_json(const Value& value) {
  if (value.kind == Value::Kind::list) {
    Json list = Json::array();
    for (const Value& item : value.items) list.push_back(to_json(item));
    return list;
  }
  if (value.kind == Value::Kind::map) {
    Json map = Json::object();
    for (std::size_t i = 0; i < value.items.size(); ++i) map[value.keys[i].text] = to_json(value.items[i]);
    return map;
  }
  if (!value.quoted && (value.text == "true" || value.text == "false")) return value.text == "true";
  const Json number = value.quoted ? Json(Json::value_t::discarded) : Json::parse(value.text, nullptr, false);
  return number.is_number() ? number : Json(value.text);
}

class ObjectType : public Type {
 public:
  explicit ObjectType(Object description) : object_(std::move(description)) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind != Value::Kind::map) return reader.wrong(value, allowed(), hint(value));
    if (refuse_absent(value, reader)) return;
    const std::size_t errors_before = reader.errors();
    read_keys(object_.keys, value, reader);
    std::vector<std::string> known = names(object_.keys);
    bool all_keys_are_known = true;
    if (object_.choice) {
      known.push_back(object_.choice->name);
      if (read_choice(value, reader)) {
        const auto more = chosen().keys();
        read_keys(more, value, reader);
        for (const std::string& name : names(more)) known.push_back(name);
      } else {
        all_keys_are_known = false;
        for (const Choice::Alternative& alternative : object_.choice->alternatives) {
          for (const std::string& name : names(alternative.keys())) known.push_back(name);
        }
      }
    }
    const std::size_t errors_of_keys = reader.errors();
    refuse_unknown(value, known, all_keys_are_known, reader);
    // A mistyped key is not missing as well.
    if (reader.errors() == errors_of_keys) require_exactly_one(value, reader);
    if (object_.check && reader.errors() == errors_before) object_.check(reader);
  }

  std::optional<Value> write() const override {
    Value map = Value::map();
    const auto add = [&](const std::vector<Key>& keys) {
      for (const Key& key : keys) {
        if (auto value = key.type->write()) map.add(key.name, std::move(*value));
      }
    };
    if (object_.choice) map.add(object_.choice->name, Value::scalar(object_.choice->word.get()));
    add(object_.keys);
    if (object_.choice) add(chosen().keys());
    return map;
  }

  std::string allowed() const override {
    std::vector<std::string> known = names(object_.keys);
    if (object_.choice) {
      known.push_back(object_.choice->name);
      for (const auto& alternative : object_.choice->alternatives) {
        for (const std::string& name : names(alternative.keys())) {
          if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
        }
      }
    }
    return "a mapping with the keys " + joined(known);
  }

  Json schema() const override {
    if (!object_.choice) return plain_schema(object_.keys);
    const Choice& choice = *object_.choice;
    Json branches = Json::array();
    const std::string standard = choice.word.get();
    for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
      std::vector<Key> keys = object_.keys;
      for (Key& key : choice.alternatives[i].keys()) keys.push_back(std::move(key));
      Json branch = plain_schema(keys);
      const std::string& word = choice.word.words[i];
      branch["title"] = choice.name + ": " + word;
      branch["description"] = choice.alternatives[i].doc;
      branch["properties"][choice.name] = {{"const", word}, {"description", choice.doc}};
      const bool may_be_left_out = choice.presence == Key::Presence::optional && word == standard;
      if (!may_be_left_out) branch["required"].push_back(choice.name);
      branches.push_back(std::move(branch));
    }
    return {{"type", "object"}, {"oneOf", std::move(branches)}};
  }

  void list_keys(const std::string& path, std::vector<ReferenceRow>& rows) const override {
    if (object_.choice) list_choice(path, rows);
    for (const Key& key : object_.keys) list_key(path, key, rows);
    if (object_.choice) list_alternatives(path, rows);
  }

 private:
  static std::string below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }
  static std::vector<std::string> names(const std::vector<Key>& keys) {
    std::vector<std::string> list;
    for (const Key& key : keys) list.push_back(key.name);
    return list;
  }

  /// Of the choice's word alone, where a mapping is needed.
  [[nodiscard]] std::string hint(const Value& value) const {
    if (!object_.instead_of_mapping.empty()) return "; " + object_.instead_of_mapping;
    if (!object_.choice || value.kind != Value::Kind::scalar) return "";
    const Choice& choice = *object_.choice;
    const bool is_word = std::ranges::count(choice.word.words, value.text) > 0;
    return is_word ? "; did you mean {" + choice.name + ": " + value.text + "}?" : "";
  }

  [[nodiscard]] const Choice::Alternative& chosen() const {
    const auto& words = object_.choice->word.words;
    const auto found = std::find(words.begin(), words.end(), object_.choice->word.get());
    return object_.choice->alternatives.at(static_cast<std::size_t>(found - words.begin()));
  }

  static void read_keys(const std::vector<Key>& keys, const Value& value, Reader& reader) {
    for (const Key& key : keys) {
      const int at = value.find(key.name);
      if (at >= 0) {
        const Value& item = value.items[static_cast<std::size_t>(at)];
        const Reader::Step step(reader, key.name, item.place);
        key.type->read(item, reader);
      } else if (key.presence == Key::Presence::required) {
        const std::string example = key.example.empty() ? "" : "; for example " + key.name + ": " + key.example;
        reader.error(value.place, "missing; allowed: " + key.type->allowed() + example, key.name);
      }
    }
  }

  // Whether the alternative is known.
  bool read_choice(const Value& value, Reader& reader) const {
    const Choice& choice = *object_.choice;
    const std::size_t errors_before = reader.errors();
    read_keys({{choice.name, word(choice.word), choice.doc, choice.presence}}, value, reader);
    return reader.errors() == errors_before;
  }

  // A key of another alternative is known, but has no place here.
  [[nodiscard]] std::string belonging(const std::string& key) const {
    if (!object_.choice) return {};
    const Choice& choice = *object_.choice;
    std::vector<std::string> words;
    for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
      const auto there = names(choice.alternatives[i].keys());
      if (std::find(there.begin(), there.end(), key) != there.end()) words.push_back(choice.word.words[i]);
    }
    return words.empty() ? "" : choice.name + ": " + joined(words, " or ");
  }

  void refuse_unknown(const Value& value, const std::vector<std::string>& known, bool all_keys_are_known,
                      Reader& reader) const {
    for (const KeyText& key : value.keys) {
      if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
      const std::string home = belonging(key.text);
      if (!home.empty()) {
        if (all_keys_are_known) reader.error(key.place, "belongs to " + home + " alone", key.text);
        continue;
      }
      if (reader.path().empty() && key.text.starts_with("x-")) {
        reader.error(key.place, "unknown key; values for aliases have their place under 'anchors'", key.text);
        continue;
      }
      if (const auto instead = absent_feature(reader.path(), key.text); !instead.empty()) {
        reader.error(key.place, "unknown key; " + instead, key.text);
        continue;
      }
      std::string hint = guess(key.text, known);
      if (hint.empty()) hint = place_of_key(key.text, reader.config().systems);
      reader.error(key.place, "unknown key" + (hint.empty() ? "; allowed: " + joined(known) : hint), key.text);
    }
  }

  [[nodiscard]] bool is_known(const std::string& key) const {
    const auto is_key = [&](const Key& k) { return k.name == key; };
    return std::ranges::any_of(object_.keys, is_key) || (object_.choice && object_.choice->name == key) ||
           !belonging(key).empty();
  }

  /// Whether an entry of a list asks for something that does not exist; then that is the one error, in place of one for
  /// each of its keys.
  bool refuse_absent(const Value& value, Reader& reader) const {
    const std::string& path = reader.path();
    if (path.empty() || path.find_first_not_of("0123456789", path.rfind('.') + 1) != std::string::npos) return false;
    for (std::size_t i = 0; i < value.keys.size(); ++i) {
      const std::string& key = value.keys[i].text;
      const Value& item = value.items[i];
      const bool says_what = key == "type" || key == "kind" || key == "mode" || key == "model" ||
                             (key == "name" && path.starts_with("materials"));
      const bool is_allowed = object_.choice && key == object_.choice->name &&
                              std::ranges::count(object_.choice->word.words, item.text) > 0;
      if (says_what && !is_allowed && item.kind == Value::Kind::scalar) {
        if (const auto instead = absent_feature(path, item.text); !instead.empty()) {
          reader.error(item.place, "found '" + item.text + "'; " + instead, key);
          return true;
        }
      }
      if (is_known(key)) continue;
      if (const auto instead = absent_feature(path, key); !instead.empty()) {
        reader.error(value.keys[i].place, "unknown key; " + instead, key);
        return true;
      }
    }
    return false;
  }

  void require_exactly_one(const Value& value, Reader& reader) const {
    if (object_.exactly_one.empty()) return;
    std::vector<std::string> there;
    for (const std::string& name : object_.exactly_one) {
      if (value.find(name) >= 0) there.push_back(name);
    }
    if (there.size() == 1) return;
    const std::string found = there.empty() ? "found none" : "found " + joined(there, " and ");
    reader.error(value.place, found + "; exactly one of " + joined(object_.exactly_one, " and ") + " is needed");
  }

  [[nodiscard]] Json plain_schema(const std::vector<Key>& keys) const {
    Json properties = Json::object();
    Json needed = Json::array();
    for (const Key& key : keys) {
      Json property = key.type->schema();
      property["description"] = key.doc;
      if (key.presence == Key::Presence::required) {
        needed.push_back(key.name);
      } else if (const auto value = key.type->write(); value && key.standard.empty()) {
        property["default"] = to_json(*value);
      }
      properties[key.name] = std::move(property);
    }
    Json schema{{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    schema["required"] = std::move(needed);
    for (const std::string& name : object_.exactly_one) schema["oneOf"].push_back({{"required", {name}}});
    return schema;
  }

  void list_choice(const std::string& path, std::vector<ReferenceRow>& rows) const {
    const Choice& choice = *object_.choice;
    std::string doc = choice.doc;
    for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
      doc += (i == 0 ? ". `" : "; `") + choice.word.words[i] + "`: " + choice.alternatives[i].doc;
    }
    const bool needed = choice.presence == Key::Presence::required;
    const std::string standard = needed ? "required" : "`" + choice.word.get() + "`";
    rows.push_back({below(path, choice.name), joined(choice.word.words), standard, doc});
  }

  static void list_key(const std::string& path, const Key& key, std::vector<ReferenceRow>& rows) {
    std::vector<ReferenceRow> inside;
    key.type->list_keys(below(path, key.name), inside);
    std::string standard = "none";
    if (key.presence == Key::Presence::required) {
      standard = "required";
    } else if (!key.standard.empty()) {
      standard = key.standard;
    } else if (const auto value = key.type->write(); value && inside.empty()) {
      standard = "`" + to_flow(*value) + "`";
    } else if (value) {
      standard = "see below";
    }
    rows.push_back({below(path, key.name), inside.empty() ? key.type->allowed() : "keys below", standard, key.doc});
    rows.insert(rows.end(), inside.begin(), inside.end());
  }

  // Keys that several alternatives have alike are listed once.
  void list_alternatives(const std::string& path, std::vector<ReferenceRow>& rows) const {
    const Choice& choice = *object_.choice;
    struct Seen {
      ReferenceRow row;
      std::vector<std::string> words;
    };
    std::vector<Seen> seen;
    for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
      std::vector<ReferenceRow> own;
      for (const Key& key : choice.alternatives[i].keys()) list_key(path, key, own);
      for (const ReferenceRow& row : own) {
        const auto twin = std::find_if(seen.begin(), seen.end(), [&](const Seen& s) {
          return s.row.path == row.path && s.row.allowed == row.allowed && s.row.standard == row.standard &&
                 s.row.doc == row.doc;
        });
        if (twin != seen.end()) {
          twin->words.push_back(choice.word.words[i]);
        } else {
          seen.push_back({row, {choice.word.words[i]}});
        }
      }
    }
    const auto everywhere = [&](const Seen& s) { return s.words.size() == choice.alternatives.size(); };
    for (const Seen& s : seen) {
      // What holds of a key holds of those below it.
      const bool said = std::any_of(seen.begin(), seen.end(), [&](const Seen& above) {
        return !everywhere(above) && s.row.path.starts_with(above.row.path + ".");
      });
      rows.push_back(s.row);
      if (!everywhere(s) && !said) rows.back().doc = "(" + choice.name + ": " + joined(s.words) + ") " + s.row.doc;
    }
  }

  Object object_;
};

}  // namespace

TypePtr object(Object description) {
  return std::make_shared<ObjectType>(std::move(description));
}

}  // namespace maxwell_dg::config
