#include "apps/config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

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
    bool has_key{};
    std::string key{};
    Place key_place{};
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
    for (const Entry& entry : value.entries) total += count(entry.value);
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
      parent.value.entries.push_back({std::move(parent.key), parent.key_place, std::move(value)});
      parent.has_key = false;
    } else {
      if (value.kind != Value::Kind::scalar) fail(value.place, "found " + describe(value) + " as a key; allowed: a name");
      if (const Entry* twice = parent.value.find(value.text)) {
        fail(value.place, "the key '" + value.text + "' appears twice; first in line " +
                              std::to_string(twice->place.line));
      }
      parent.has_key = true;
      parent.key = value.text;
      parent.key_place = value.place;
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

std::string double_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", byte);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string key_text(const std::string& key) {
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  return plain ? key : double_quoted(key);
}

bool has_maps(const Value& value) {
  return value.kind == Value::Kind::map || std::any_of(value.items.begin(), value.items.end(), has_maps);
}

void write_block(std::string& out, const Value& value, const std::string& indent);

void write_after_key(std::string& out, const Value& value, const std::string& indent) {
  const bool block = (value.kind == Value::Kind::map && !value.entries.empty()) ||
                     (value.kind == Value::Kind::list && has_maps(value));
  if (!block) {
    out += " " + to_flow(value) + "\n";
    return;
  }
  out += "\n";
  write_block(out, value, indent + "  ");
}

void write_block(std::string& out, const Value& value, const std::string& indent) {
  for (const Entry& entry : value.entries) {
    out += indent + key_text(entry.key) + ":";
    write_after_key(out, entry.value, indent);
  }
  for (const Value& item : value.items) {
    std::string block;
    write_block(block, item, indent + "  ");
    // "- " takes the place of the first line's last two blanks.
    if (!block.empty()) out += indent + "- " + block.substr(indent.size() + 2);
    if (block.empty()) out += indent + "- " + to_flow(item) + "\n";
  }
}

// The child that one step of a key path names; maps grow what they lack.
Value& descend(Value& parent, const std::string& step, const std::string& assignment) {
  const auto fail = [&](const std::string& message) -> Value& { throw ConfigError("--set " + assignment + ": " + message); };
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
  parent.kind = Value::Kind::map;
  for (Entry& entry : parent.entries) {
    if (entry.key == step) return entry.value;
  }
  const Place place{.source = "--set"};
  parent.entries.push_back({step, place, {.place = place}});
  return parent.entries.back().value;
}

void place_everywhere(Value& value, const Place& place) {
  value.place = place;
  for (Value& item : value.items) place_everywhere(item, place);
  for (Entry& entry : value.entries) {
    entry.place = place;
    place_everywhere(entry.value, place);
  }
}

}  // namespace

const Entry* Value::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Value Value::scalar(std::string text) { return {.kind = Kind::scalar, .text = std::move(text)}; }
Value Value::string(std::string text) { return {.kind = Kind::scalar, .text = std::move(text), .quoted = true}; }
Value Value::list() { return {.kind = Kind::list}; }
Value Value::map() { return {.kind = Kind::map}; }

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null: return "nothing";
    case Value::Kind::list: return "a list";
    case Value::Kind::map: return "a mapping";
    case Value::Kind::scalar: break;
  }
  if (value.text.empty()) return "an empty text";
  constexpr std::size_t enough = 60;
  std::string text = value.text.substr(0, enough);
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return (value.quoted ? "the text '" : "'") + text + (value.text.size() > enough ? "...'" : "'");
}

std::string to_string(const Place& place) {
  if (place.line == 0) return place.source;
  return place.source + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

Value read_yaml(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw ConfigError(name + ": no such file; give the path of a YAML config");
  if (std::filesystem::is_directory(file, error)) throw ConfigError(name + ": is a folder; give the path of a YAML config");
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
    throw ConfigError(to_string(place) + ": not valid YAML: " + error.msg);
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
  Value* target = &document;
  std::istringstream path(assignment.substr(0, equals));
  for (std::string step; std::getline(path, step, '.');) {
    if (step.empty()) throw ConfigError("--set " + assignment + ": the key path has an empty step");
    target = &descend(*target, step, assignment);
  }
  *target = std::move(value);
}

std::string to_flow(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null: return "null";
    case Value::Kind::scalar: return value.quoted ? double_quoted(value.text) : value.text;
    case Value::Kind::list: {
      std::string text;
      for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + to_flow(item);
      return "[" + text + "]";
    }
    case Value::Kind::map: {
      std::string text;
      for (const Entry& entry : value.entries) {
        text += (text.empty() ? "" : ", ") + key_text(entry.key) + ": " + to_flow(entry.value);
      }
      return "{" + text + "}";
    }
  }
  return {};
}

std::string to_yaml(const Value& value) {
  std::string out;
  write_block(out, value, "");
  return out;
}

}  // namespace maxwell_dg::config
