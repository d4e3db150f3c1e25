#include "apps/config/named_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "apps/config/type.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "dg/mesh/surface_sides.hpp"

namespace maxwell_dg::config {

std::string physical_group(const std::string& kind, const std::string& name) {
  return "in Gmsh by a physical group, such as Physical " + std::string(kind == "surface" ? "Surface" : "Volume") +
         "(\"" + name + "\") = {1};";
}

std::string unknown_name(const std::string& kind, const std::string& name, const std::vector<std::string>& names) {
  if (names.empty()) {
    return "the mesh has no " + kind + " '" + name + "', nor any other with a name: give it one, " +
           physical_group(kind, name);
  }
  return "the mesh has no " + kind + " '" + name + "'; it has: " + joined(names) + core::did_you_mean(name, names);
}

namespace {

bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

SurfaceFaces surface_faces(const Config& config, const std::string& key, const RegionNames& surfaces,
                           const dg::Mesh& mesh) {
  for (const std::string& name : surfaces) {
    if (name == "*" || has(mesh.surfaces, name)) continue;
    throw ConfigError(config.blame(key, unknown_name("surface", name, mesh.surfaces)));
  }
  std::vector<bool> is_wanted;
  for (const std::string& name : mesh.surfaces) is_wanted.push_back(has(surfaces, "*") || has(surfaces, name));
  const dg::NamedFaceSearch named(mesh.surface_faces, mesh.vertices.size());
  SurfaceFaces result;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t face = 0; face < 4; ++face) {
      const auto& [a, b, c] = dg::face_vertices.at(face);
      const auto found = named.find({mesh.cells[k].at(a), mesh.cells[k].at(b), mesh.cells[k].at(c)});
      if (!found) continue;
      const std::int32_t surface = mesh.surface_faces[*found].surface;
      if (!is_wanted[static_cast<std::size_t>(surface)]) continue;
      result.faces.push_back({k, static_cast<int>(face)});
      result.surface.push_back(surface);
    }
  }
  return result;
}

dg::RegionSet region_set(const RegionNames& regions, const dg::Mesh& mesh) {
  dg::RegionSet set{.named = {}, .unnamed = has(regions, "*")};
  for (const std::string& name : mesh.regions) set.named.push_back(set.unnamed || has(regions, name));
  return set;
}

std::vector<bool> region_cells(const Config& config, const std::string& key, const RegionNames& regions,
                               const dg::Mesh& mesh) {
  for (const std::string& name : regions) {
    if (name == "*" || has(mesh.regions, name)) continue;
    throw ConfigError(config.blame(key, unknown_name("volume region", name, mesh.regions)));
  }
  const dg::RegionSet set = region_set(regions, mesh);
  std::vector<bool> chosen;
  for (const std::int32_t region : mesh.cell_region) {
    chosen.push_back(set.contains(region));
  }
  return chosen;
}

}  // namespace maxwell_dg::config
