#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "apps/config/yaml.hpp"
#include "core/utf8.hpp"

/// Values as text: YAML, and what people call them.
namespace maxwell_dg::config {
namespace {

std::string double_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : as_utf8(text)) {
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
  const bool block =
      (value.kind == Value::Kind::map && !value.items.empty()) || (value.kind == Value::Kind::list && has_maps(value));
  if (!block) {
    out += " " + to_flow(value) + "\n";
    return;
  }
  out += "\n";
  write_block(out, value, indent + "  ");
}

void write_block(std::string& out, const Value& value, const std::string& indent) {
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const Value& item = value.items[i];
    if (value.kind == Value::Kind::map) {
      out += indent + key_text(value.keys[i].text) + ":";
      write_after_key(out, item, indent);
    } else if (item.items.empty() || item.kind != Value::Kind::map) {
      out += indent + "- " + to_flow(item) + "\n";
    } else {
      // "- " takes the place of the first line's last two blanks.
      std::string block;
      write_block(block, item, indent + "  ");
      out += indent + "- " + block.substr(indent.size() + 2);
    }
  }
}

}  // namespace

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
    case Value::Kind::left_out: return "nothing";
    case Value::Kind::list: return "a list";
    case Value::Kind::map: return "a mapping";
    case Value::Kind::scalar: break;
  }
  if (value.text.empty()) return "an empty text";
  constexpr std::size_t enough = 60;
  std::string text = value.text.substr(0, enough);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return (value.quoted ? "the text '" : "'") + text + (value.text.size() > enough ? "...'" : "'");
}

std::string to_flow(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null:
    case Value::Kind::left_out: return "null";
    case Value::Kind::scalar: return value.quoted ? double_quoted(value.text) : value.text;
    case Value::Kind::list: {
      std::string text;
      for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + to_flow(item);
      return "[" + text + "]";
    }
    case Value::Kind::map: {
      std::string text;
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        text += (text.empty() ? "" : ", ") + key_text(value.keys[i].text) + ": " + to_flow(value.items[i]);
      }
      return "{" + text + "}";
    }
  }
  return {};
}

Value Value::number(double number, core::Dimension dimension) {
  constexpr double least = 1e-3, largest = 1e4;  // what is read well without a prefix
  Value value = scalar(core::format_number(number));
  const double size = std::abs(number);
  if (dimension == core::Dimension::none) return value;
  value.quantity = core::format_quantity(number, dimension);
  const bool is_exact = core::parse_quantity(value.quantity, dimension) == number;
  if (!is_exact) value.quantity = value.text + " " + std::string(core::unit_of(dimension));
  value.prefers_quantity = is_exact && number != 0 && (size < least || size >= largest);
  return value;
}

void use_quantities(Value& value, const std::set<std::string>& with_unit, const std::string& path) {
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const std::string step = value.kind == Value::Kind::map ? value.keys[i].text : std::to_string(i);
    use_quantities(value.items[i], with_unit, path.empty() ? step : path + "." + step);
  }
  const bool is_wanted = value.prefers_quantity || with_unit.contains(path);
  if (is_wanted && !value.quantity.empty()) value = Value::string(value.quantity);
}

std::string to_yaml(const Value& value) {
  std::string out;
  write_block(out, value, "");
  return out;
}

}  // namespace maxwell_dg::config
