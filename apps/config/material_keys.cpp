#include "apps/config/material_keys.hpp"

#include <cctype>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/config/dispersion_keys.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;

struct ConstantRange {
  NumberRange numbers;
  const bool* unbounded_if{};  ///< Material::active, where it lifts the bounds; it is read before the constant
};

/// A number, a formula of the place, or a name of values in the mesh.
class ConstantType : public Type {
 public:
  ConstantType(MaterialConstant& target, ConstantRange range) : target_(target), range_(std::move(range)) {}

  void read(const Value& value, Reader& reader) const override {
    if (value.kind == Value::Kind::map) return read_name(value, reader);
    if (value.kind != Value::Kind::scalar) return reader.wrong(value, allowed());
    target_.from_mesh.reset();
    target_.components.resize(1);
    read_profile(value, reader, target_.components.front());
  }
  std::optional<Value> write() const override {
    if (target_.from_mesh) {
      Value map = Value::map();
      map.add("from_mesh", Value::string(*target_.from_mesh));
      return map;
    }
    return write_profile(target_.components.front());
  }
  std::string allowed() const override {
    return allowed_number() + ", an expression of x, y, z and constants, or {from_mesh: NAME}";
  }
  Json schema() const override {
    const Json name{{"type", "object"},
                    {"required", {"from_mesh"}},
                    {"additionalProperties", {{"type", "string"}, {"minLength", 1}}},
                    {"maxProperties", 1}};
    NumberRange numbers = range_.numbers;
    if (range_.unbounded_if != nullptr) numbers.min = -std::numeric_limits<double>::infinity();
    double any{};
    return {{"anyOf", Json::array({number(any, numbers)->schema(), Json{{"type", "string"}}, name})}};
  }

 private:
  [[nodiscard]] std::string allowed_number() const {
    double any{};
    return number(any, range_.numbers)->allowed();
  }

  void read_name(const Value& value, Reader& reader) const {
    const int at = value.find("from_mesh");
    if (at < 0 || value.items.size() != 1) return reader.wrong(value, allowed());
    const Value& name = value.items[static_cast<std::size_t>(at)];
    const Reader::Step step(reader, "from_mesh", name.place);
    target_.components.clear();
    text(target_.from_mesh.emplace(), "the name of values in the mesh file")->read(name, reader);
  }

  void read_profile(const Value& value, Reader& reader, Profile& profile) const {
    if (!is_number(value)) return formula(profile.emplace<Formula>(), {})->read(value, reader);
    auto& x = profile.emplace<double>();
    const std::size_t errors = reader.errors();
    number(x, {.dimension = range_.numbers.dimension})->read(value, reader);
    const bool too_small = range_.numbers.above_min ? x <= range_.numbers.min : x < range_.numbers.min;
    if (reader.errors() > errors || !too_small || is_unbounded()) return;
    const bool may_be = range_.unbounded_if != nullptr;
    reader.wrong(value, allowed_number(), may_be ? "; a medium that puts energy in has active: true beside it" : "");
  }

  static Value write_profile(const Profile& profile) {
    if (const auto* x = std::get_if<double>(&profile)) return Value::scalar(core::format_number(*x));
    return Value::string(std::get<Formula>(profile));
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

TypePtr constant(Material& material, const std::string& name, double standard, ConstantRange range) {
  MaterialConstant& target =
      material.constants.try_emplace(name, MaterialConstant{.components = {standard}, .from_mesh = {}}).first->second;
  return std::make_shared<ConstantType>(target, std::move(range));
}

ConstantRange above_zero(Dimension dimension = Dimension::none) {
  return {.numbers = {.dimension = dimension, .min = 0.0, .above_min = true}};
}

ConstantRange at_least_zero(Dimension dimension, const bool& unless) {
  return {.numbers = {.dimension = dimension, .min = 0.0}, .unbounded_if = &unless};
}

Object material_keys(Material& m, SystemKind system) {
  std::vector<Key> keys{{"region", region_names(m.region), "volume regions of this material", required}};
  if (system == SystemKind::maxwell) {
    keys.push_back({"active", boolean(m.active), "whether `sigma` may be below 0: the medium then puts energy in"});
    keys.push_back({"epsilon_r", constant(m, "epsilon_r", 1.0, above_zero()), "relative permittivity"});
    keys.push_back({"mu_r", constant(m, "mu_r", 1.0, above_zero()), "relative permeability"});
    keys.push_back({"sigma", constant(m, "sigma", 0.0, at_least_zero(Dimension::conductivity, m.active)),
                    "electric conductivity"});
    keys.push_back(dispersion_key(m.dispersion));
  } else {
    keys.push_back({"rho", constant(m, "rho", 1.0, above_zero(Dimension::density)), "density"});
    keys.push_back({"c", constant(m, "c", 1.0, above_zero(Dimension::speed)), "speed of sound"});
  }
  return {.keys = std::move(keys)};
}

}  // namespace

Key materials_key(Config& config, SystemKind system) {
  return {"materials",
          list<Material>(config.materials, 1, [system](Material& m) { return object(material_keys(m, system)); }),
          "every volume region must be covered by exactly one entry; constant in each tetrahedron: of an expression "
          "the mean over it",
          required};
}

}  // namespace maxwell_dg::config
