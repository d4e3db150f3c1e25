#include "dg/mesh/file_kind.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

namespace maxwell_dg::dg {

std::optional<MeshFileKind> kind_of_mesh_file(const std::filesystem::path& file) {
  using Kind = MeshFileKind;
  constexpr std::array<std::pair<std::string_view, Kind>, 8> kinds{{{".h5", Kind::hdf5},
                                                                    {".msh", Kind::msh},
                                                                    {".geo", Kind::geo},
                                                                    {".step", Kind::step},
                                                                    {".stp", Kind::step},
                                                                    {".iges", Kind::iges},
                                                                    {".igs", Kind::iges},
                                                                    {".brep", Kind::brep}}};
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::ranges::find(kinds, std::string_view(extension), [](const auto& kind) { return kind.first; });
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace maxwell_dg::dg
