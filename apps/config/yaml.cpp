#include "apps/config/yaml.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "core/error.hpp"

namespace maxwell_dg::config {
namespace {

// Aliases are copied; the bound stops a small file from becoming a huge tree ("billion laughs").
constexpr std::size_t most_values = 100000;

/// Builds values from yaml-cpp's events, which, unlike its nodes, keep the order, duplicate keys and every mark.
class Builder : public YAML::EventHandler {
 public:
  Builder(const std::string& text, std::string source) : source_(std::move(source)) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines_.push_back(line);
  }

  Value take() { return std::move(document_); }
  [[nodiscard]] int documents() const { return documents_; }

  void OnDocumentStart(const YAML::Mark&) override { ++documents_; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { leaf({.place = place(mark)}, anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    Value value{.kind = Value::Kind::scalar, .text = text, .quoted = tag == "!", .place = place(mark)};
    value.place.text_column = text_column(value);
    leaf(std::move(value), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) fail(place(mark), "an alias inside of the node that it names");
    leaf(found->second, 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back({.value = {.kind = Value::Kind::list, .place = place(mark)}, .anchor = anchor});
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back({.value = {.kind = Value::Kind::map, .place = place(mark)}, .anchor = anchor});
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Value value;
    YAML::anchor_t anchor{};
    bool has_key{};  // a map whose last key still lacks its value
  };

  [[nodiscard]] Place place(const YAML::Mark& mark) const {
    return {.source = source_, .line = mark.line + 1, .column = mark.column + 1};
  }

  // Where the text of a scalar stands verbatim in its line: not if it is folded, or has escapes.
  [[nodiscard]] int text_column(const Value& value) const {
    const auto line = static_cast<std::size_t>(value.place.line - 1);
    const auto column = static_cast<std::size_t>(value.place.column - 1) + (value.quoted ? 1 : 0);
    if (line >= lines_.size() || lines_[line].size() < column) return 0;
    return lines_[line].compare(column, value.text.size(), value.text) == 0 ? static_cast<int>(column) + 1 : 0;
  }

  static std::size_t count(const Value& value) {
    std::size_t total = 1;
    for (const Value& item : value.items) total += count(item);
    return total;
  }

  void leaf(Value value, YAML::anchor_t anchor) {
    values_ += count(value);
    if (values_ > most_values) {
      fail(value.place, "more than " + std::to_string(most_values) + " values after aliases are expanded");
    }
    attach(std::move(value), anchor);
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    attach(std::move(closed.value), closed.anchor);
  }

  void attach(Value value, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = value;
    if (open_.empty()) {
      document_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.value.kind == Value::Kind::list) {
      parent.value.items.push_back(std::move(value));
    } else if (parent.has_key) {
      parent.value.items.push_back(std::move(value));
      parent.has_key = false;
    } else {
      if (value.kind != Value::Kind::scalar)
        fail(value.place, "found " + describe(value) + " as a key; allowed: a name");
      if (const int first = parent.value.find(value.text); first >= 0) {
        fail(value.place, "the key '" + value.text + "' appears twice; first in line " +
                              std::to_string(parent.value.keys[static_cast<std::size_t>(first)].place.line));
      }
      parent.has_key = true;
      parent.value.keys.push_back({value.text, value.place});
    }
  }

  [[noreturn]] static void fail(const Place& at, const std::string& message) {
    throw ConfigError(to_string(at) + ": " + message);
  }

  std::string source_;
  std::vector<std::string> lines_;
  Value document_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Value> anchors_;
  std::size_t values_{};
  int documents_{};
};

// YAML forbids tabs as indentation, and yaml-cpp's messages do not say so.
std::string tab_hint(const std::string& text, int line_number) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i <= line_number; ++i) std::getline(lines, line);
  const auto tab = line.find('\t');
  return tab < line.find_first_not_of(" \t") ? "; YAML is indented with blanks, not tabs" : "";
}

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
  if (std::filesystem::is_directory(file, error))
    throw ConfigError(name + ": is a folder; give the path of a YAML config");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  if (!stream) throw ConfigError(name + ": cannot be read; check its permissions");
  return parse_yaml(text.str(), name);
}

Value parse_yaml(const std::string& text, const std::string& source) {
  std::istringstream stream(text);
  Builder builder(text, source);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
      if (builder.documents() > 1) {
        throw ConfigError(source + ": more than one YAML document; a config is a single one (remove '---')");
      }
    }
  } catch (const YAML::Exception& error) {
    Place place{.source = source, .line = error.mark.line + 1, .column = error.mark.column + 1};
    if (error.mark.is_null()) place.line = 0;
    throw ConfigError(to_string(place) + ": not valid YAML: " + error.msg + tab_hint(text, error.mark.line));
  }
  return builder.take();
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
