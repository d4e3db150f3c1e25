#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "apps/config/guess.hpp"
#include "apps/config/type.hpp"

namespace maxwell_dg::config {

namespace {

class Integer : public Type {
 public:
  Integer(int& target, IntegerRange range) : target_(target), range_(range) {}

  void read(const Value& value, Reader& reader) const override {
    int number{};
    const char* const end = value.text.data() + value.text.size();
    const auto [stop, error] = std::from_chars(value.text.data(), end, number);
    const bool is_integer = value.kind == Value::Kind::scalar && !value.quoted && error == std::errc{} && stop == end;
    if (!is_integer || number < range_.min || number > range_.max) return reader.wrong(value, allowed(), hint(value));
    target_ = number;
  }
  std::optional<Value> write() const override { return Value::scalar(std::to_string(target_)); }
  std::string allowed() const override {
    const bool bounded = range_.max != std::numeric_limits<int>::max();
    return bounded ? "an integer from " + std::to_string(range_.min) + " to " + std::to_string(range_.max)
                   : "an integer of at least " + std::to_string(range_.min);
  }
  Json schema() const override { return {{"type", "integer"}, {"minimum", range_.min}, {"maximum", range_.max}}; }

 private:
  /// Of a whole number that is written as a text, or with a point.
  [[nodiscard]] std::string hint(const Value& value) const {
    const auto number = value.kind == Value::Kind::scalar ? core::parse_number(value.text) : std::nullopt;
    const bool fits = number && std::floor(*number) == *number && *number >= range_.min && *number <= range_.max;
    if (!fits) return "";
    return "; did you mean " + core::format_number(*number) + (value.quoted ? ", without quotes?" : "?");
  }

  int& target_;
  IntegerRange range_;
};

class Number : public Type {
 public:
  Number(double& target, NumberRange range) : target_(target), range_(std::move(range)) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind != Value::Kind::scalar || value.text.empty()) return reader.wrong(value, allowed());
    for (const auto& [word, number] : range_.words) {
      if (value.text == word) {
        target_ = number;
        return;
      }
    }
    const auto number = value.quoted ? std::nullopt : core::parse_number(value.text);
    if (number) return accept(*number, value, reader);
    if (!has_unit()) return reader.wrong(value, allowed(), hint(value));
    if (reader.config().units == Units::normalized && !range_.is_of_the_clock) {
      return reader.wrong(value, "a bare number, because units are normalized");
    }
    try {
      accept(core::parse_quantity(value.text, range_.dimension), value, reader);
      reader.note_unit();
    } catch (const std::invalid_argument& error) {
      reader.error(value.place, error.what());
    }
  }
  std::optional<Value> write() const override {
    for (const auto& [word, number] : range_.words) {
      if (number == target_) return Value::scalar(word);
    }
    return Value::number(target_, range_.dimension);
  }
  std::string allowed() const override {
    const std::string name(core::name_of(range_.dimension));
    std::string text = (name == "impedance" || name == "inductance" ? "an " : "a ") + name;
    if (std::isfinite(range_.min) && std::isfinite(range_.max)) {
      text += (range_.above_min ? " above " : " from ") + core::format_number(range_.min) +
              (range_.above_min ? ", up to " : " to ") + core::format_number(range_.max);
    } else if (std::isfinite(range_.min)) {
      text += (range_.above_min ? " above " : " of at least ") + core::format_number(range_.min);
    }
    if (has_unit()) {
      text += " (" + std::string(core::unit_of(range_.dimension)) + ", or a text such as \"" +
              std::string(core::example_of(range_.dimension)) + "\")";
    }
    return range_.words.empty() ? text : joined(words()) + ", or " + text;
  }
  Json schema() const override {
    Json number{{"type", has_unit() ? Json{"number", "string"} : Json("number")}};
    if (std::isfinite(range_.min)) number[range_.above_min ? "exclusiveMinimum" : "minimum"] = range_.min;
    if (std::isfinite(range_.max)) number["maximum"] = range_.max;
    if (range_.words.empty()) return number;
    return {{"anyOf", Json::array({Json{{"enum", words()}}, number})}};
  }

 private:
  [[nodiscard]] bool has_unit() const { return range_.dimension != core::Dimension::none; }
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> list;
    for (const auto& [word, number] : range_.words) list.push_back(word);
    return list;
  }
  [[nodiscard]] std::string hint(const Value& value) const {
    if (value.quoted && core::parse_number(value.text)) return "; write it without quotes";
    if (value.text.find(',') != std::string::npos) return "; decimals are written with a point, as in 1.5";
    return guess(value.text, words());
  }
  void accept(double number, const Value& value, Reader& reader) const {
    const bool below = range_.above_min ? number <= range_.min : number < range_.min;
    if (below || number > range_.max) return reader.wrong(value, allowed());
    target_ = number;
  }

  double& target_;
  NumberRange range_;
};

class Level : public Type {
 public:
  Level(double& target, double min, double max) : target_(target), min_(min), max_(max) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind != Value::Kind::scalar) return reader.wrong(value, allowed());
    std::string text = value.text;
    const bool has_unit = text.ends_with("dB");
    if (has_unit) text.resize(text.size() - 2);
    while (has_unit && text.ends_with(' ')) text.pop_back();
    const auto number = value.quoted && !has_unit ? std::nullopt : core::parse_number(text);
    if (!number || !(*number >= min_ && *number <= max_)) return reader.wrong(value, allowed());
    target_ = *number;
  }
  std::optional<Value> write() const override { return Value::string(core::format_number(target_) + " dB"); }
  std::string allowed() const override {
    return "a level from " + core::format_number(min_) + " to " + core::format_number(max_) +
           " (dB, or a text such as \"-50 dB\")";
  }
  Json schema() const override { return {{"type", Json{"number", "string"}}, {"minimum", min_}, {"maximum", max_}}; }

 private:
  double& target_;
  double min_, max_;
};

}  // namespace

TypePtr level(double& target, double min, double max) {
  return std::make_shared<Level>(target, min, max);
}
TypePtr integer(int& target, IntegerRange range) {
  return std::make_shared<Integer>(target, range);
}
TypePtr number(double& target, NumberRange range) {
  return std::make_shared<Number>(target, std::move(range));
}
NumberRange range_of(const dg::System::Meaning& meaning) {
  using Range = dg::System::Meaning::Range;
  NumberRange range{.dimension = meaning.dimension};
  if (meaning.range != Range::any) range.min = 0;
  range.above_min = meaning.range == Range::positive;
  return range;
}
TypePtr positive(double& target, core::Dimension dimension) {
  return number(target, {.dimension = dimension, .min = 0.0, .above_min = true});
}

}  // namespace maxwell_dg::config
