#pragma once

#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/region_set.hpp"

/// The cells and faces of a mesh that a config means by names.
namespace maxwell_dg::config {

/// How Gmsh is told names. `kind`: "surface" or "volume region".
[[nodiscard]] std::string physical_group(const std::string& kind, const std::string& name);
/// What to say of a name that is none of `names`, those that the mesh has.
[[nodiscard]] std::string unknown_name(const std::string& kind, const std::string& name,
                                       const std::vector<std::string>& names);

/// [cell] is it of one of these regions ("*": of any)? Throws ConfigError at `key` for a region that the mesh lacks.
[[nodiscard]] std::vector<bool> region_cells(const Config& config, const std::string& key, const RegionNames& regions,
                                             const dg::Mesh& mesh);

/// These regions ("*": all), for walls behind which there may be one.
[[nodiscard]] dg::RegionSet region_set(const RegionNames& regions, const dg::Mesh& mesh);

/// Faces with what they belong to.
struct SurfaceFaces {
  std::vector<dg::ElementFace> faces;  ///< those inside the mesh twice, once from each side
  std::vector<int> surface;            ///< [face] index into Mesh::surfaces
};
/// Of these surfaces ("*": of any). Throws ConfigError at `key` for a surface that the mesh lacks.
[[nodiscard]] SurfaceFaces surface_faces(const Config& config, const std::string& key, const RegionNames& surfaces,
                                         const dg::Mesh& mesh);

}  // namespace maxwell_dg::config
