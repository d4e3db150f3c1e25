#pragma once

#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// A quantity as users name it: the vector E made of Ex, Ey, Ez, or a scalar alone.
struct FieldGroup {
  std::string name;
  std::vector<int> fields;  ///< one or three indices into System::fields
};

/// Three adjacent fields that differ in a trailing x, y, z form a vector; every other field is a scalar.
[[nodiscard]] std::vector<FieldGroup> field_groups(std::span<const std::string> fields);

/// The groups of the given names, in that order; all of them when `names` is empty.
/// Throws ConfigError for a name that the system does not have, listing those it has.
[[nodiscard]] std::vector<FieldGroup> select_field_groups(std::span<const std::string> fields,
                                                          std::span<const std::string> names);

}  // namespace maxwell_dg::dg
