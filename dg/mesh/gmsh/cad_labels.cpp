// What needs no Gmsh of the import of CAD files.
#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "dg/mesh/gmsh/cad_import.hpp"

namespace maxwell_dg::dg {
namespace {

/// Numbers of an assembly's parts, kinds of shapes, and what OpenCASCADE calls its own.
bool is_name(const std::string& text) {
  static constexpr std::array<std::string_view, 7> kinds{"SOLID", "COMPSOLID", "COMPOUND", "SHELL",
                                                         "FACE",  "NONE",      "Shapes"};
  const bool is_number = std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  return !is_number && std::ranges::find(kinds, text) == kinds.end() &&
         !text.starts_with("Open CASCADE STEP translator");
}

}  // namespace

std::string name_in_label(const std::string& label) {
  std::string name, part;
  for (std::istringstream parts(label); std::getline(parts, part, '/');) {
    if (is_name(part)) name = part;
  }
  return name;
}

bool has_word(const std::string& words, const std::string& word) {
  std::istringstream list(words);
  for (std::string one; list >> one;) {
    if (one == word) return true;
  }
  return false;
}

void require_open_cascade(const std::string& build_options) {
  if (has_word(build_options, "OpenCASCADE")) return;
  throw MeshError(
      "it needs Gmsh with OpenCASCADE, and this Gmsh was built without; run `maxwell_dg --convert` on a machine whose "
      "Gmsh has it (of Debian, or from PyPI) and use the .h5");
}

}  // namespace maxwell_dg::dg
