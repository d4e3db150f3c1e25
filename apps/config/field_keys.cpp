#include "apps/config/field_keys.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace maxwell_dg::config {
namespace {

Object formulas_keys(FieldFormulas& formulas, const KnownSystem& system, FormulaNames names) {
  Object result;
  for (const auto& [field, components] : system.fields()) {
    auto& target = formulas[field];
    if (target.size() != components) target.assign(components, "0");
    const auto component = [names](Formula& f) { return formula(f, names); };
    result.keys.push_back(
        {field, components == 1 ? component(target.front()) : fixed_list<std::vector<Formula>>(target, component),
         components == 1 ? "the scalar field" : "the field's x, y and z components"});
  }
  return result;
}

Key reference_key(std::optional<FieldFormulas>& reference, const KnownSystem& system, const std::string& doc) {
  return {"reference_solution",
          optional(reference, [&system](FieldFormulas& f) { return object(formulas_keys(f, system, {.time = true})); }),
          doc};
}

}  // namespace

Key initial_fields_key(Config& config, const KnownSystem& system) {
  return {"initial_fields", object(formulas_keys(config.initial_fields, system, {})),
          "fields at t = 0; those left out are zero"};
}

Key reference_solution_key(Config& config, const KnownSystem& system) {
  return reference_key(config.reference_solution, system,
                       "exact solution; the error norms at the end of the run are written to summary.json");
}

Key imaginary_key(Config& config, const KnownSystem& system) {
  const auto keys = [&system](ImaginaryPart& part) {
    return object({.keys = {{"initial_fields", object(formulas_keys(part.initial_fields, system, {})), "at t = 0"},
                            reference_key(part.reference_solution, system, "exact solution")}});
  };
  return {"imaginary", optional(config.imaginary, keys),
          "imaginary parts of the fields, which are complex if periodic surfaces have a `phase`"};
}

void check_complex(const Config& config, Reader& reader) {
  const bool is_complex = config.has_phases();
  const auto refuse = [&](const std::string& key, const std::string& why) {
    reader.error(reader.place_of(key), why, key);
  };
  const std::string real = "is for complex fields, and no periodic boundary has a phase";
  if (config.imaginary && !is_complex) refuse("imaginary", real);
  for (const auto& [key, current] : sources_of<Current>(config)) {
    const bool has_imaginary =
        std::ranges::any_of(current.imaginary_density, [](const Formula& f) { return f != "0"; });
    if (has_imaginary && !is_complex) refuse(key + ".imaginary_density", real);
  }
  if (!is_complex) return;
  for (std::size_t i = 0; i < config.sources.size(); ++i) {
    const Source& source = config.sources[i];
    if (std::holds_alternative<Current>(source) || std::holds_alternative<Dipole>(source)) continue;
    refuse(
        "sources." + std::to_string(i) + ".type",
        "cannot be used with a phase between periodic surfaces; a current with imaginary_density sends a wave of this "
        "phase, a dipole sends all waves of this phase");
  }
  const std::string lost = "is for real fields, and a periodic boundary has a phase; probes.csv has both parts";
  if (config.outputs.frequency_fields) refuse("outputs.frequency_fields", lost);
  if (config.outputs.far_field) refuse("outputs.far_field", lost);
}

}  // namespace maxwell_dg::config
