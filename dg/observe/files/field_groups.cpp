#include "dg/observe/files/field_groups.hpp"

#include <algorithm>
#include <cstddef>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

bool is_vector(std::span<const std::string> three) {
  const std::string& x = three[0];
  if (x.size() < 2 || x.back() != 'x') return false;
  const std::string stem = x.substr(0, x.size() - 1);
  return three[1] == stem + 'y' && three[2] == stem + 'z';
}

}  // namespace

std::vector<FieldGroup> field_groups(std::span<const std::string> fields) {
  std::vector<FieldGroup> groups;
  for (std::size_t f = 0; f < fields.size();) {
    const int first = static_cast<int>(f);
    if (f + 3 <= fields.size() && is_vector(fields.subspan(f, 3))) {
      groups.push_back({fields[f].substr(0, fields[f].size() - 1), {first, first + 1, first + 2}});
      f += 3;
    } else {
      groups.push_back({fields[f], {first}});
      f += 1;
    }
  }
  return groups;
}

std::vector<FieldGroup> select_field_groups(std::span<const std::string> fields, std::span<const std::string> names) {
  std::vector<FieldGroup> all = field_groups(fields);
  if (names.empty()) return all;
  std::vector<FieldGroup> selected;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const FieldGroup& group) { return group.name == name; });
    if (found == all.end()) {
      std::string known;
      for (const FieldGroup& group : all) known += (known.empty() ? "" : ", ") + group.name;
      throw ConfigError("'" + name + "' is not a field of this system; its fields are " + known);
    }
    selected.push_back(*found);
  }
  return selected;
}

}  // namespace maxwell_dg::dg
