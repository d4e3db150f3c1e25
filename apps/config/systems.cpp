#include "apps/config/systems.hpp"

#include "dg/acoustics/acoustics.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/observe/files/field_groups.hpp"

namespace maxwell_dg::config {

std::shared_ptr<const Systems> known_systems() {
  using Choices = KnownSystem::Choices;
  static const auto systems = std::make_shared<const Systems>(
      Systems{{.name = "maxwell",
               .doc = "Maxwell's equations for E and H",
               .make =
                   [](const Choices& choices) {
                     return dg::maxwell::system({.alpha = choices.alpha, .anisotropic = choices.anisotropic});
                   },
               .is_maxwell = true,
               .tensors = {"epsilon_r", "mu_r"}},
              {.name = "acoustics", .doc = "linear acoustics for p and u", .make = [](const Choices& choices) {
                 return dg::acoustics::system({.alpha = choices.alpha});
               }}});
  return systems;
}

std::vector<std::pair<std::string, std::size_t>> KnownSystem::fields() const {
  std::vector<std::pair<std::string, std::size_t>> result;
  for (const dg::FieldGroup& group : dg::field_groups(standard.fields)) {
    result.emplace_back(group.name, group.fields.size());
  }
  return result;
}

std::vector<std::string> KnownSystem::field_names() const {
  std::vector<std::string> names;
  for (const auto& [field, components] : fields()) names.push_back(field);
  return names;
}

}  // namespace maxwell_dg::config
