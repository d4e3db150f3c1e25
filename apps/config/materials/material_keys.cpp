#include "apps/config/materials/material_keys.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/config/dispersion_keys.hpp"
#include "apps/config/materials/loss_tangent.hpp"
#include "apps/config/materials/material_table.hpp"
#include "apps/config/materials/media.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;

struct ConstantRange {
  NumberRange numbers;
  bool may_be_tensor{};
  const bool* unbounded_if{};  ///< Material::active, where it lifts the bounds; it is read before the constant
};

/// A number, a formula of the place or a name of values in the mesh, or a tensor of these.
class ConstantType : public Type {
 public:
  ConstantType(MaterialConstant& target, ConstantRange range) : target_(target), range_(std::move(range)) {}

  void read(const Value& value, Reader& reader) const override {
    if (is_complex(value, reader)) return refuse_complex(value, reader);
    if (value.kind == Value::Kind::list && range_.may_be_tensor) return read_tensor(value, reader);
    target_.components.resize(1);
    read_number(value, reader, range_.numbers, allowed(), target_.components.front());
  }
  std::optional<Value> write() const override {
    if (target_.components.size() == 1) return write_number(target_.components.front(), range_.numbers.dimension);
    Value list = Value::list();
    for (const NumberByPlace& number : target_.components)
      list.items.push_back(write_number(number, range_.numbers.dimension));
    if (list.items.size() == 3) return list;
    Value rows = Value::list();
    for (std::size_t row = 0; row < 3; ++row) {
      rows.items.push_back(Value::list());
      for (std::size_t i = 0; i < 3; ++i) rows.items.back().items.push_back(list.items[3 * row + i]);
    }
    return rows;
  }
  std::string allowed() const override {
    return allowed_number() + ", an expression of x, y, z and constants, " +
           (range_.may_be_tensor
                ? "{from_mesh: NAME}, or a list of 3 of these (a diagonal tensor) or of 3 lists of 3 (a symmetric one)"
                : "or {from_mesh: NAME}");
  }
  Json schema() const override {
    const Json name{{"type", "object"},
                    {"required", {"from_mesh"}},
                    {"additionalProperties", {{"type", "string"}, {"minLength", 1}}},
                    {"maxProperties", 1}};
    NumberRange numbers = range_.numbers;
    if (range_.unbounded_if != nullptr) numbers.min = -std::numeric_limits<double>::infinity();
    double any{};
    Json options = Json::array({number(any, numbers)->schema(), Json{{"type", "string"}}, name});
    const auto list_of = [](const Json& items) {
      return Json{{"type", "array"}, {"items", items}, {"minItems", 3}, {"maxItems", 3}};
    };
    if (range_.may_be_tensor) {
      const Json component{{"anyOf", Json::array({Json{{"type", {"number", "string"}}}, name})}};
      options.push_back(list_of(component));
      options.push_back(list_of(list_of(component)));
    }
    return {{"anyOf", std::move(options)}};
  }

 private:
  [[nodiscard]] std::string allowed_number() const {
    double any{};
    return number(any, range_.numbers)->allowed();
  }

  /// "2 - 0.1j", [2, -0.1], {re: 2, im: -0.1}: what programs for one frequency take.
  [[nodiscard]] static bool is_complex(const Value& value, Reader& reader) {
    if (value.kind == Value::Kind::list) return value.items.size() == 2;
    if (value.kind == Value::Kind::map) {
      return std::ranges::any_of(value.keys, [](const KeyText& key) {
        return key.text == "im" || key.text == "imag" || key.text == "imaginary";
      });
    }
    const std::string& text = value.text;
    const auto& names = reader.names(true, false);
    const auto in_word = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find_first_of("ij"); at != std::string::npos; at = text.find_first_of("ij", at + 1)) {
      const bool begins = at == 0 || !in_word(text[at - 1]);
      const bool ends = at + 1 == text.size() ||
                        !(in_word(text[at + 1]) || std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0);
      if (begins && ends && !names.contains(text.substr(at, 1))) return true;
    }
    return false;
  }

  void refuse_complex(const Value& value, Reader& reader) const {
    const bool electric = range_.may_be_tensor && reader.path().ends_with("epsilon_r");
    reader.error(
        value.place,
        "found " + describe(value) + ", which looks like a complex number; that holds at one frequency alone" +
            (electric ? ". Give losses by sigma (2 pi f epsilon_0 times the imaginary part, at frequency f) or "
                        "by dispersion"
                      : "; a real number is needed"));
  }

  static void read_name(const Value& value, Reader& reader, const std::string& allowed, NumberByPlace& number) {
    const int at = value.find("from_mesh");
    if (at < 0 || value.items.size() != 1) return reader.wrong(value, allowed);
    const Value& name = value.items[static_cast<std::size_t>(at)];
    const Reader::Step step(reader, "from_mesh", name.place);
    text(number.emplace<FromMesh>().name, "the name of values in the mesh file")->read(name, reader);
  }

  void read_tensor(const Value& value, Reader& reader) const {
    const bool has_rows = !value.items.empty() && value.items.front().kind == Value::Kind::list;
    const auto has_three = [](const Value& v) { return v.kind == Value::Kind::list && v.items.size() == 3; };
    const bool fits = has_three(value) && (!has_rows || std::all_of(value.items.begin(), value.items.end(), has_three));
    if (!fits) return reader.wrong(value, allowed());
    target_.components.resize(has_rows ? 9 : 3);
    const std::size_t errors = reader.errors();
    for (std::size_t row = 0; row < 3; ++row) {
      const Value& item = value.items[row];
      const Reader::Step step(reader, std::to_string(row), item.place);
      if (!has_rows) read_component(item, reader, true, target_.components[row]);
      for (std::size_t i = 0; has_rows && i < 3; ++i) {
        const Reader::Step inner(reader, std::to_string(i), item.items[i].place);
        read_component(item.items[i], reader, i == row, target_.components[3 * row + i]);
      }
    }
    if (has_rows && reader.errors() == errors) require_positive(value, reader);
  }

  void read_component(const Value& value, Reader& reader, bool diagonal, NumberByPlace& number) const {
    read_number(value, reader, diagonal ? range_.numbers : NumberRange{},
                "a number, an expression of x, y, z, or {from_mesh: NAME}", number);
  }

  /// Where all components are numbers, the tensor is looked at here; else in each element.
  void require_positive(const Value& value, Reader& reader) const {
    Eigen::Matrix3d tensor;
    for (int i = 0; i < 9; ++i) {
      const auto* number = std::get_if<double>(&target_.components[static_cast<std::size_t>(i)]);
      if (number == nullptr) return;
      tensor(i / 3, i % 3) = *number;
    }
    const std::string wrong = tensor_complaint(tensor);
    if (!wrong.empty()) reader.error(value.place, wrong);
  }

  /// `allowed`: of this place.
  void read_number(const Value& value, Reader& reader, const NumberRange& range, const std::string& allowed,
                   NumberByPlace& target) const {
    if (value.kind == Value::Kind::map) return read_name(value, reader, allowed, target);
    if (value.kind != Value::Kind::scalar) return reader.wrong(value, allowed);
    if (!is_number(value)) return formula(target.emplace<Formula>(), {})->read(value, reader);
    auto& x = target.emplace<double>();
    const std::size_t errors = reader.errors();
    number(x, {.dimension = range.dimension})->read(value, reader);
    const bool too_small = range.above_min ? x <= range.min : x < range.min;
    if (reader.errors() > errors || !too_small || is_unbounded()) return;
    const bool may_be = range_.unbounded_if != nullptr;
    reader.wrong(value, allowed_number(), may_be ? "; a medium that puts energy in has active: true beside it" : "");
  }

  static Value write_number(const NumberByPlace& number, Dimension dimension) {
    if (const auto* x = std::get_if<double>(&number)) return Value::number(*x, dimension);
    if (const auto* formula = std::get_if<Formula>(&number)) return Value::string(*formula);
    Value map = Value::map();
    map.add("from_mesh", Value::string(std::get<FromMesh>(number).name));
    return map;
  }

  /// Also a number with a unit: "5 mS/m" is no expression.
  [[nodiscard]] bool is_number(const Value& value) const {
    if (!value.quoted && core::parse_number(value.text)) return true;
    if (range_.numbers.dimension == Dimension::none) return false;
    std::size_t end = value.text.find_first_not_of("+-.0123456789eE");
    if (end == 0 || end == std::string::npos || !core::parse_number(value.text.substr(0, end))) return false;
    end = value.text.find_first_not_of(' ', end);
    return end != std::string::npos && std::isalpha(static_cast<unsigned char>(value.text[end])) != 0;
  }

  [[nodiscard]] bool is_unbounded() const { return range_.unbounded_if != nullptr && *range_.unbounded_if; }

  MaterialConstant& target_;
  ConstantRange range_;
};

/// Fills in the constants that are read after it.
class NameType : public Type {
 public:
  NameType(std::string& name, Material& material) : name_(name), material_(material), word_(word(name, names())) {}

  void read(const Value& value, Reader& reader) const override {
    const std::size_t errors = reader.errors();
    word_->read(value, reader);
    if (reader.errors() > errors) return;
    const KnownMaterial* const known = known_material(name_);
    if (known->sigma != 0 && reader.config().units == Units::normalized) {
      return reader.error(value.place, "the conductivity of " + name_ +
                                           " is in S/m, which normalized units do not have; give sigma instead");
    }
    for (const auto& [constant, number] :
         {std::pair{"epsilon_r", known->epsilon_r}, {"mu_r", known->mu_r}, {"sigma", known->sigma}}) {
      material_.constants[constant].components = {number};
    }
  }
  std::optional<Value> write() const override { return Value::string(name_); }
  std::string allowed() const override { return word_->allowed(); }
  Json schema() const override { return word_->schema(); }

 private:
  static std::vector<std::string> names() {
    std::vector<std::string> list;
    for (const KnownMaterial& known : known_materials()) list.emplace_back(known.name);
    return list;
  }

  std::string& name_;
  Material& material_;
  TypePtr word_;
};

TypePtr constant(Material& material, const std::string& name, double standard, ConstantRange range) {
  MaterialConstant& target =
      material.constants.try_emplace(name, MaterialConstant{.components = {standard}}).first->second;
  return std::make_shared<ConstantType>(target, std::move(range));
}

Key constant_key(Material& m, const dg::System::Parameter& parameter, const KnownSystem& system) {
  const bool may_be_negative_if_active =
      system.is_maxwell && parameter.meaning.range == dg::System::Meaning::Range::at_least_zero;
  return {parameter.name,
          constant(m, parameter.name, parameter.default_value,
                   {.numbers = range_of(parameter.meaning),
                    .may_be_tensor = std::ranges::count(system.tensors, parameter.name) > 0,
                    .unbounded_if = may_be_negative_if_active ? &m.active : nullptr}),
          parameter.meaning.doc};
}

Object material_keys(Material& m, const KnownSystem& system) {
  std::vector<Key> keys{{"region", region_names(m.region), "volume regions of this material", required}};
  if (system.is_maxwell) {
    keys.push_back({"name", optional(m.name, [&m](std::string& name) { return std::make_shared<NameType>(name, m); }),
                    "name of a material in the table below, which gives the constants that are left out here"});
    keys.push_back({"active", boolean(m.active), "allows a `sigma` below 0: a gain medium, which adds energy"});
  }
  for (const dg::System::Parameter& parameter : system.standard.parameters) {
    keys.push_back(constant_key(m, parameter, system));
  }
  using Within = Material::WithinElements;
  keys.push_back(
      {"profile", word<Within>(m.within_elements, {{"constant", Within::constant}, {"smooth", Within::smooth}}),
       "what tetrahedra take of an expression, or of values at vertices: `constant`: each its mean; `smooth`: "
       "all, so that the medium varies within them: an expression to the order of the fields, values at vertices "
       "linearly between them, so to the square of the element size"});
  if (!system.is_maxwell) return {.keys = std::move(keys)};
  keys.push_back(dispersion_key(m.dispersion));
  keys.push_back(loss_tangent_key(m));
  return {.keys = std::move(keys), .check = [&m](Reader& reader) { check_loss_tangent(m, reader); }};
}

}  // namespace

Key materials_key(Config& config, const KnownSystem& system) {
  return {"materials",
          list<Material>(config.materials, 1, [&system](Material& m) { return object(material_keys(m, system)); }),
          "media. Exactly one entry must cover each volume region. Values are constant in each tetrahedron, the "
          "mean of an expression, but for `profile: smooth`",
          required,
          "",
          "[{region: \"*\", epsilon_r: 1}]"};
}

}  // namespace maxwell_dg::config
