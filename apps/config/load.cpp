#include "apps/config/load.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "apps/config/keys.hpp"
#include "apps/config/materials/material_table.hpp"
#include "apps/config/mesh_keys.hpp"
#include "apps/config/reader.hpp"
#include "apps/config/type.hpp"
#include "apps/config/yaml.hpp"
#include "core/json_text.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::config {
namespace {

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

std::string materials_table() {
  std::string page =
      "\n## Materials by name\n\n"
      "Values that `materials.N.name` stands for, at room temperature and without dispersion. A volume of metal makes\n"
      "the time step tiny; a `pec` or `impedance` boundary in its place does not. The loss tangent (0: none is known)\n"
      "counts where `loss_tangent: {from, to}` names the band in which it holds.\n\n"
      "| name | epsilon_r | mu_r | sigma [S/m] | loss tangent | source |\n|---|---|---|---|---|---|\n";
  for (const KnownMaterial& m : known_materials()) {
    page += "| " + std::string(m.name);
    for (const double x : {m.epsilon_r, m.mu_r, m.sigma, m.loss_tangent}) page += " | " + core::format_number(x);
    page += " | " + std::string(m.source) + " |\n";
  }
  return page;
}

void set_source(Value& value, const std::string& name) {
  value.place.source = name;
  for (Value& item : value.items) set_source(item, name);
  for (KeyText& key : value.keys) key.place.source = name;
}

Config read_config(const Value& document, const std::filesystem::path& file, std::shared_ptr<const Systems> systems) {
  Config config = empty_config(std::move(systems));
  config.file = file;
  Reader reader(config);
  object(config_keys(config))->read(document, reader);
  reader.throw_findings();
  if (config.outputs.directory.empty()) config.outputs.directory = std::filesystem::path("out") / file.stem();
  return config;
}

}  // namespace

Config load_config(const std::filesystem::path& file, std::span<const std::string> overrides,
                   std::shared_ptr<const Systems> systems) {
  Value document = read_yaml(file);
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  if (document.place.line == 0) document.place.source = file.string();

  return read_config(document, file, std::move(systems));
}

Config config_of(Value document, const std::string& name, std::shared_ptr<const Systems> systems) {
  set_source(document, name);
  return read_config(document, name, std::move(systems));
}

Config mesh_config(const std::filesystem::path& mesh, std::span<const std::string> overrides) {
  Value keys = Value::map(), document = Value::map();
  keys.add("file", Value::string(std::filesystem::absolute(mesh).string()));
  document.add("mesh", std::move(keys));
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  Config config = empty_config(known_systems());
  Reader reader(config);
  object({.keys = {mesh_key(config.mesh)}})->read(document, reader);
  reader.throw_findings();
  return config;
}

std::string resolved_yaml(const Config& config) {
  Config copy = config;  // a description is bound to what it may also change
  Value document = *object(config_keys(copy))->write();
  if (config.units == Units::si) use_quantities(document, config.with_unit);
  return to_yaml(document);
}

std::string json_schema(std::shared_ptr<const Systems> systems) {
  Config config = empty_config(std::move(systems));
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "maxwell_dg config"}};
  schema.update(object(config_keys(config))->schema());
  return json_text(schema);
}

std::string config_reference(std::shared_ptr<const Systems> systems) {
  Config config = empty_config(std::move(systems));
  std::vector<ReferenceRow> rows;
  object(config_keys(config))->list_keys("", rows);
  std::string page =
      "# Config reference\n\n"
      "The program writes this page from the description by which it checks a config; `maxwell_dg --schema` prints\n"
      "the same as JSON Schema, for editors. `N` in a key path numbers the items of a list from 0, as in\n"
      "`--set materials.0.sigma=1`. With `units: normalized` every quantity is a bare number.\n\n"
      "| key | allowed values | default | meaning |\n|---|---|---|---|\n";
  for (const ReferenceRow& row : rows) {
    page += "| `" + row.path + "` | " + escaped(row.allowed) + " | " + row.standard + " | " + escaped(row.doc) + " |\n";
  }
  const bool has_named = std::ranges::any_of(*config.systems, &KnownSystem::is_maxwell);
  return has_named ? page + materials_table() : page;
}

}  // namespace maxwell_dg::config
