#include "apps/config/mesh_keys.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "apps/config/resolve.hpp"
#include "dg/mesh/file_kind.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;

Object box_keys(MeshBox& box) {
  return {.keys = {{"min", vector3(box.min, Dimension::length), "the corner with the smallest coordinates"},
                   {"max", vector3(box.max, Dimension::length), "the opposite corner"},
                   {"cells",
                    fixed_list<std::array<int, 3>>(box.cells,
                                                   [](int& n) {
                                                     return integer(n, {1, 10000});
                                                   }),
                    "cuboids along x, y, z; each is cut into six tetrahedra", required}},
          .check = [&box](Reader& reader) {
            double tetrahedra = 6;
            for (std::size_t i = 0; i < 3; ++i) {
              const std::string axis = std::to_string(i);
              if (!(box.max[i] > box.min[i])) {
                reader.error(reader.place_of("max." + axis), "must be above min." + axis, "max." + axis);
              }
              tetrahedra *= box.cells[i];
            }
            if (tetrahedra > 5e8) reader.error(reader.place_of("cells"), "more than 5e8 tetrahedra", "cells");
          }};
}

/// What a key of `mesh` is for.
enum class For { files, geometries };

void refuse(const MeshSource& mesh, const char* key, For what, Reader& reader) {
  const auto kind = mesh.box ? std::nullopt : dg::kind_of_mesh_file(mesh.file.value_or(""));
  if (mesh.box) {
    reader.error(reader.place_of(key), "belongs to mesh.file; the box has its own size and cells", key);
  } else if (what == For::geometries && kind && !dg::is_geometry(*kind)) {
    const std::string name = mesh.file->filename().string();
    reader.error(reader.place_of(key),
                 "is for files that the program meshes (.geo, .step, .iges, .brep); " + name +
                     " is a mesh already, with elements of its own: leave it out",
                 key);
  }
}

Object mesh_keys(MeshSource& mesh) {
  return {
      .keys = {{"file",
                optional(mesh.file,
                         [](std::filesystem::path& file) {
                           return path(file, Relative::to_config,
                                       "the path of a .msh, .geo, .step, .iges, .brep or .h5 file");
                         }),
                "mesh to read; a relative path starts in the config's folder. Gmsh `.msh` (2.2, 4.1), `.h5`; "
                "`.geo` (Gmsh) and `.step`, `.stp`, `.iges`, `.igs`, `.brep` (CAD) are meshed by the program"},
               {"scale", optional(mesh.scale, [](double& scale) { return positive(scale); }),
                "metres per mesh unit of the file; of a STEP or IGES file only where its own unit is not meant",
                Key::Presence::optional, "1; the unit that a STEP or IGES file says"},
               {"order",
                optional(mesh.order,
                         [](int& order) {
                           return integer(order, {1, 9});
                         }),
                "order of the geometry where the program meshes: from 2 on elements follow curved surfaces; 1: "
                "straight elements",
                Key::Presence::optional, "`solver.order` for CAD files; what the script of a `.geo` says"},
               {"size", optional(mesh.size, [](double& size) { return positive(size, Dimension::length); }),
                "length of edges to aim at where the program meshes; where a `.geo` asks for smaller ones it gets them",
                Key::Presence::optional, "Gmsh's choice; what the script of a `.geo` says"},
               {"box", optional(mesh.box, [](MeshBox& box) { return object(box_keys(box)); }),
                "instead of a file: a box with the volume `interior` and the faces `x_min` to `z_max`"},
               {"slices_above", integer(mesh.slices_above, {0, std::numeric_limits<int>::max()}),
                "of a box or an `.h5` file with more elements than this, each of several ranks reads a slice, and none "
                "holds the whole mesh: it is divided along its space-filling curve. Where the whole mesh is "
                "needed all the same, the log says why. See [Clusters](clusters.md#large-meshes)"}},
      .exactly_one = {"file", "box"},
      .check = [&mesh](Reader& reader) {
        if (mesh.scale) refuse(mesh, "scale", For::files, reader);
        if (mesh.order) refuse(mesh, "order", For::geometries, reader);
        if (mesh.size) refuse(mesh, "size", For::geometries, reader);
      }};
}

}  // namespace

Key mesh_key(MeshSource& mesh) {
  return {"mesh", object(mesh_keys(mesh)), "the mesh of tetrahedra", required, "", "{file: mine.msh, scale: 0.001}"};
}

bool has_own_unit(const MeshSource& mesh) {
  const auto kind = dg::kind_of_mesh_file(mesh.file.value_or(""));
  return kind == dg::MeshFileKind::step || kind == dg::MeshFileKind::iges;
}

dg::MeshReading mesh_reading(const Config& config) {
  const MeshSource& mesh = config.mesh;
  dg::MeshReading how{
      .scale = mesh.scale, .trust_geometry = mesh.trust_geometry, .order = mesh.order, .size = mesh.size};
  const auto kind = dg::kind_of_mesh_file(mesh.file.value_or(""));
  if (!how.order && kind && dg::is_cad(*kind)) how.order = config.solver.order;
  const bool means_metres = has_own_unit(mesh) && config.units == Units::si;
  if (!how.scale && mesh.file && !means_metres) how.scale = 1;
  return how;
}

dg::Mesh source_mesh(const Config& config) {
  const MeshSource& source = config.mesh;
  if (source.in_memory) return *source.in_memory;
  return source.box ? dg::make_box({source.box->min, source.box->max, source.box->cells})
                    : dg::read_mesh(*source.file, mesh_reading(config));
}

dg::Mesh make_mesh(const Config& config, const RegionsToCurve& to_curve) {
  dg::Mesh mesh = source_mesh(config);
  std::vector<bool> regions = varying_regions(config, mesh.regions);
  if (to_curve) regions = to_curve(mesh, regions);
  if (!regions.empty()) {
    std::vector<bool> cells;
    for (const std::int32_t region : mesh.cell_region) cells.push_back(regions[static_cast<std::size_t>(region + 1)]);
    dg::count_as_curved(mesh, cells);
  }
  join_surfaces(config, mesh);
  return mesh;
}

void join_surfaces(const Config& config, dg::Mesh& mesh) {
  dg::join_periodic(mesh, periodic_pairs(config, mesh.surfaces));
  mesh.walls = walls(config, mesh.surfaces);
}

void complete_mesh(Config& config) {
  const dg::MeshReading how = mesh_reading(config);
  config.mesh.scale = how.scale;
  config.mesh.order = how.order;
}

std::vector<dg::PeriodicPair> periodic_pairs(const Config& config, const std::vector<std::string>& surfaces) {
  std::vector<dg::PeriodicPair> pairs;
  const auto has = [&](const std::string& name) { return std::ranges::count(surfaces, name) > 0; };
  for (const BoundaryEntry<Periodic>& pair : boundaries_of<Periodic>(config)) {
    const std::string &first = pair.region.front(), &second = pair.value.with;
    if (!has(first) || !has(second)) continue;  // a name that the mesh lacks is one of the findings of `resolve`
    const std::string place = config.blame(pair.key, "");
    pairs.push_back({first, second, place.substr(0, place.rfind(": "))});
  }
  return pairs;
}

}  // namespace maxwell_dg::config
