#pragma once

#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// A quantity by its name in configs: the vector E of the fields Ex, Ey, Ez, or a scalar.
struct FieldGroup {
  std::string name;
  std::vector<int> fields;  ///< one or three indices into System::fields
};

/// The name of the surface current, a quantity that surfaces may have besides the fields (SurfaceSeries).
inline constexpr const char* surface_current = "J";

/// Three adjacent fields that differ in a trailing x, y, z form a vector; every other field is a scalar.
[[nodiscard]] std::vector<FieldGroup> field_groups(std::span<const std::string> fields);

/// The groups of these names, in that order; all groups if `names` is empty.
/// Throws ConfigError for a name that the system does not have; the message lists those it has.
[[nodiscard]] std::vector<FieldGroup> select_field_groups(std::span<const std::string> fields,
                                                          std::span<const std::string> names);

}  // namespace maxwell_dg::dg
