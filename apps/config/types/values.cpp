#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "apps/config/guess.hpp"
#include "apps/config/keys.hpp"
#include "apps/config/type.hpp"
#include "core/syntax/lexer.hpp"
#include "core/utf8.hpp"
#include "dg/symbolic/parser.hpp"

namespace maxwell_dg::config {

void Type::list_keys(const std::string&, std::vector<ReferenceRow>&) const {}

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : separator) + word;
  return list;
}

namespace {

class Boolean : public Type {
 public:
  explicit Boolean(bool& target) : target_(target) {}

  void read(const Value& value, Reader& reader) const override {
    const bool is_plain = value.kind == Value::Kind::scalar && !value.quoted;
    if (!is_plain || (value.text != "true" && value.text != "false")) {
      const bool is_quoted = value.quoted && (value.text == "true" || value.text == "false");
      return reader.wrong(value, allowed(), is_quoted ? "; write it without quotes" : guess_of_truth(value.text));
    }
    target_ = value.text == "true";
  }
  std::optional<Value> write() const override { return Value::scalar(target_ ? "true" : "false"); }
  std::string allowed() const override { return "true or false"; }
  Json schema() const override { return {{"type", "boolean"}}; }

 private:
  bool& target_;
};

/// Texts of a config go into messages and files: notes what would be more there than one line of text.
bool is_one_line(const Value& value, Reader& reader) {
  const bool is = is_printable_line(value.text);
  if (!is) reader.error(value.place, "must be one line of UTF-8, without control characters");
  return is;
}

class Ignored : public Type {
 public:
  void read(const Value&, Reader&) const override {}
  std::optional<Value> write() const override { return std::nullopt; }
  std::string allowed() const override { return "anything"; }
  Json schema() const override { return Json::object(); }
};

class Text : public Type {
 public:
  Text(std::string& target, std::string allowed) : target_(target), allowed_(std::move(allowed)) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind != Value::Kind::scalar || value.text.empty()) return reader.wrong(value, allowed_);
    if (is_one_line(value, reader)) target_ = value.text;
  }
  std::optional<Value> write() const override { return Value::string(target_); }
  std::string allowed() const override { return allowed_; }
  Json schema() const override { return {{"type", "string"}, {"minLength", 1}}; }

 private:
  std::string& target_;
  std::string allowed_;
};

class Name : public Text {
 public:
  explicit Name(std::string& target) : Text(target, "a name") {}

  void read(const Value& value, Reader& reader) const override {
    if (value.text.find_first_of(",\"\t\r\n") != std::string::npos) {
      return reader.error(value.place, "must not hold commas, quotes or line breaks");
    }
    const auto is_in = [](char c, std::string_view set) { return set.find(c) != std::string_view::npos; };
    if (!value.text.empty() && is_in(value.text.front(), "=+-@")) {
      return reader.error(value.place, "must not begin with =, +, - or @: spreadsheets would take it for a formula");
    }
    if (!value.text.empty() && (is_in(value.text.front(), " ") || is_in(value.text.back(), " "))) {
      return reader.error(value.place, "must not begin or end with a blank");
    }
    Text::read(value, reader);
  }
};

class PathType : public Type {
 public:
  PathType(std::filesystem::path& target, Relative relative, std::string allowed)
      : target_(target), relative_(relative), allowed_(std::move(allowed)) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind != Value::Kind::scalar || value.text.empty()) return reader.wrong(value, allowed_);
    target_ = value.text;
    if (relative_ == Relative::to_config && target_.is_relative()) {
      target_ = (reader.config().file.parent_path() / target_).lexically_normal();
    }
  }
  std::optional<Value> write() const override {
    // The resolved config lies elsewhere than the one it came from.
    const bool absolute = relative_ == Relative::to_config && !target_.empty();
    return Value::string(absolute ? std::filesystem::absolute(target_).lexically_normal().string() : target_.string());
  }
  std::string allowed() const override { return allowed_; }
  Json schema() const override { return {{"type", "string"}, {"minLength", 1}}; }

 private:
  std::filesystem::path& target_;
  Relative relative_;
  std::string allowed_;
};

class RegionNamesType : public Type {
 public:
  explicit RegionNamesType(RegionNames& target) : target_(target) {}

  void read(const Value& value, Reader& reader) const override {
    target_.clear();
    std::unordered_set<std::string> seen;
    const bool is_list = value.kind == Value::Kind::list && !value.items.empty();
    if (!is_list) return add(value, seen, reader);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const Reader::Step step(reader, std::to_string(i), value.items[i].place);
      add(value.items[i], seen, reader);
    }
  }
  std::optional<Value> write() const override {
    if (target_.size() == 1) return Value::string(target_.front());
    Value list = Value::list();
    for (const std::string& name : target_) list.items.push_back(Value::string(name));
    return list;
  }
  std::string allowed() const override {
    return "a name, a list of names, or \"*\" for all that is not named elsewhere";
  }
  Json schema() const override {
    const Json name{{"type", "string"}, {"minLength", 1}};
    return {{"anyOf", Json::array({name, Json{{"type", "array"}, {"items", name}, {"minItems", 1}}})}};
  }

 private:
  void add(const Value& value, std::unordered_set<std::string>& seen, Reader& reader) const {
    if (value.kind != Value::Kind::scalar || value.text.empty()) return reader.wrong(value, allowed());
    if (!is_one_line(value, reader)) return;
    if (!seen.insert(value.text).second) {
      return reader.error(value.place, "the name '" + value.text + "' appears twice");
    }
    target_.push_back(value.text);
  }

  RegionNames& target_;
};

// The parser's finding, at its character where the scalar stands verbatim in the file.
void report(const dg::symbolic::ExpressionError& error, const Value& value, Reader& reader) {
  Place place = value.place;
  std::string where = " (character " + std::to_string(error.column()) + " of '" + value.text + "')";
  if (place.text_column > 0) {
    place.column = place.text_column + static_cast<int>(error.column()) - 1;
    where.clear();
  }
  reader.error(place, error.what() + where);
}

class FormulaType : public Type {
 public:
  FormulaType(Formula& target, FormulaNames names) : target_(target), names_(names) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind != Value::Kind::scalar) return reader.wrong(value, allowed());
    try {
      const dg::symbolic::Expr parsed = dg::symbolic::parse(value.text, reader.names(names_.coordinates, names_.time));
      if (parsed.op() == dg::symbolic::Op::constant && !std::isfinite(parsed.value())) {
        return reader.error(value.place, "'" + value.text + "' is not a finite number");
      }
      target_ = value.text;
    } catch (const dg::symbolic::ExpressionError& error) {
      report(error, value, reader);
    }
  }
  std::optional<Value> write() const override { return Value::string(target_); }
  std::string allowed() const override {
    const std::string coordinates = names_.coordinates ? "x, y, z" : "";
    const std::string time = names_.time ? (names_.coordinates ? ", t" : "t") : "";
    return "an expression of " + coordinates + time + " and constants";
  }
  Json schema() const override { return {{"type", {"string", "number"}}}; }

 private:
  Formula& target_;
  FormulaNames names_;
};

class Constants : public Type {
 public:
  explicit Constants(std::vector<std::pair<std::string, double>>& target) : target_(target) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind != Value::Kind::map) return reader.wrong(value, allowed());
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const KeyText& key = value.keys[i];
      const Reader::Step step(reader, key.text, key.place);
      if (!is_name(key.text)) {
        reader.error(key.place, "is not a valid name; allowed: letters, digits and '_', not starting with a digit");
        continue;
      }
      const auto& reserved = reserved_names();
      if (std::find(reserved.begin(), reserved.end(), key.text) != reserved.end()) {
        reader.error(key.place, "the name is taken by expressions; choose another one");
        continue;
      }
      // One with an error is kept too, so that expressions that use it are not blamed.
      target_.emplace_back(key.text, number(value.items[i], reader));
    }
  }
  std::optional<Value> write() const override {
    if (target_.empty()) return std::nullopt;
    Value map = Value::map();
    for (const auto& [name, number] : target_) map.add(name, Value::scalar(core::format_number(number)));
    return map;
  }
  std::string allowed() const override { return "a mapping of names to numbers or expressions of earlier names"; }
  Json schema() const override {
    return {{"type", "object"}, {"additionalProperties", {{"type", {"number", "string"}}}}};
  }

 private:
  static bool is_name(const std::string& text) {
    return !text.empty() && core::begins_name(text[0]) && std::ranges::all_of(text, core::continues_name);
  }
  static double number(const Value& value, Reader& reader) {
    if (value.kind != Value::Kind::scalar) {
      reader.wrong(value, "a number, or an expression of earlier constants");
      return 0.0;
    }
    try {
      const double result =
          dg::symbolic::evaluate(dg::symbolic::parse(value.text, reader.names(false, false)), {}, 0.0);
      if (std::isfinite(result)) return result;
      reader.error(value.place, "'" + value.text + "' is not a finite number");
    } catch (const dg::symbolic::ExpressionError& error) {
      report(error, value, reader);
    }
    return 0.0;
  }

  std::vector<std::pair<std::string, double>>& target_;
};

class WordType : public Type {
 public:
  explicit WordType(WordAccess access) : access_(std::move(access)) {}

  void read(const Value& value, Reader& reader) const override {
    const auto found = std::find(access_.words.begin(), access_.words.end(), value.text);
    if (value.kind != Value::Kind::scalar || found == access_.words.end()) {
      return reader.wrong(value, allowed(), guess(value.text, access_.words));
    }
    access_.set(static_cast<std::size_t>(found - access_.words.begin()));
  }
  std::optional<Value> write() const override { return Value::scalar(access_.get()); }
  std::string allowed() const override { return joined(access_.words); }
  Json schema() const override { return {{"enum", access_.words}}; }

 private:
  WordAccess access_;
};

}  // namespace

TypePtr boolean(bool& target) {
  return std::make_shared<Boolean>(target);
}
TypePtr ignored() {
  return std::make_shared<Ignored>();
}
TypePtr text(std::string& target, std::string allowed) {
  return std::make_shared<Text>(target, std::move(allowed));
}
TypePtr name(std::string& target) {
  return std::make_shared<Name>(target);
}
TypePtr path(std::filesystem::path& target, Relative relative, std::string allowed) {
  return std::make_shared<PathType>(target, relative, std::move(allowed));
}
TypePtr region_names(RegionNames& target) {
  return std::make_shared<RegionNamesType>(target);
}
TypePtr formula(Formula& target, FormulaNames names) {
  return std::make_shared<FormulaType>(target, names);
}
TypePtr constants(std::vector<std::pair<std::string, double>>& target) {
  return std::make_shared<Constants>(target);
}
TypePtr word(WordAccess access) {
  return std::make_shared<WordType>(std::move(access));
}
TypePtr word(std::string& target, const std::vector<std::string>& words) {
  std::vector<Word<std::string>> pairs;
  for (const std::string& w : words) pairs.push_back({w, w});
  return word(target, pairs);
}

}  // namespace maxwell_dg::config
