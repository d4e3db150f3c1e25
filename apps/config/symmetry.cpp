#include "apps/config/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/quantity.hpp"
#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg::config {
namespace {

using dg::maxwell::SymmetryPlane;

std::string key_of(std::size_t plane) {
  return "symmetry." + std::to_string(plane) + ".plane";
}

/// Adds a finding where one of the named surfaces has faces in a plane.
void refuse_names(const Config& config, const dg::Mesh& mesh, const dg::Connectivity& connectivity,
                  const std::vector<int>& planes, const std::string& key, const RegionNames& names,
                  Findings& findings) {
  for (const std::string& name : names) {
    std::size_t in_plane = 0, all = 0;
    int plane = -1;
    for (std::size_t b = 0; b < planes.size(); ++b) {
      const std::int32_t surface = connectivity.boundary_faces[b].surface;
      if (surface < 0 || mesh.surfaces[dg::index(surface)] != name) continue;
      ++all;
      if (planes[b] < 0) continue;
      ++in_plane;
      plane = planes[b];
    }
    if (in_plane == 0) continue;
    const std::string which = in_plane == all
                                  ? "'" + name + "' lies"
                                  : std::to_string(in_plane) + " of " + std::to_string(all) + " exterior faces of '" +
                                        name + (in_plane == 1 ? "' lies" : "' lie");
    findings.add(key, which + " in the plane of symmetry " + name_of(config.symmetry[dg::index(plane)]) +
                          ", which needs no condition: " +
                          (in_plane == all ? "leave the name out" : "give them a name of their own in the mesh"));
  }
}

bool lies_in(const SymmetryPlane& plane, const dg::Mesh& mesh, const std::string& surface, double tolerance) {
  return std::ranges::any_of(mesh.surface_faces, [&](const dg::Mesh::SurfaceFace& face) {
    return mesh.surfaces[dg::index(face.surface)] == surface && std::ranges::all_of(face.vertices, [&](std::int32_t v) {
             return std::abs(mesh.vertices[dg::index(v)].at(plane.axis)) < tolerance;
           });
  });
}

/// Adds a finding where a periodic surface lies in the plane: such surfaces are joined, so no exterior face is there.
bool refuse_periodic(const Config& config, const dg::Mesh& mesh, const SymmetryPlane& plane, double tolerance,
                     Findings& findings) {
  bool found = false;
  for (const BoundaryEntry<Periodic>& pair : boundaries_of<Periodic>(config)) {
    const std::string &first = pair.region.front(), &second = pair.value.with;
    const bool is_first = lies_in(plane, mesh, first, tolerance);
    if (!is_first && !lies_in(plane, mesh, second, tolerance)) continue;
    found = true;
    const std::string wall = plane.kind == SymmetryPlane::Kind::electric ? "pec" : "pmc";
    findings.add(pair.key + (is_first ? ".region" : ".with"),
                 "'" + (is_first ? first : second) + "' lies in the plane of symmetry " + name_of(plane) +
                     ", and cannot be periodic, too: leave this plane out of `symmetry`; or, of half a cell without a "
                     "phase, leave this boundary out and give '" +
                     (is_first ? second : first) + "', the cell's other plane of symmetry, type " + wall);
  }
  return found;
}

}  // namespace

std::vector<int> symmetry_faces(const Config& config, const dg::Mesh& mesh, const dg::Connectivity& connectivity,
                                const dg::BoundingBox& box, bool is_part, Findings& findings) {
  std::vector<int> planes(connectivity.boundary_faces.size(), -1);
  if (config.symmetry.empty()) return planes;
  const double tolerance = dg::maxwell::symmetry_tolerance(box);
  for (std::size_t i = 0; i < config.symmetry.size(); ++i) {
    const SymmetryPlane& plane = config.symmetry[i];
    const double low = box.min[plane.axis], high = box.max[plane.axis];
    if (low < -tolerance && high > tolerance) {
      findings.add(key_of(i), "the mesh lies on both sides of " + name_of(plane) + ", from " + core::brief(low) +
                                  " to " + core::brief(high) + unit_in(config.units, " m") +
                                  ": mesh the part on one side, or leave this plane out");
      continue;
    }
    bool is_met = false;
    for (std::size_t b = 0; b < planes.size(); ++b) {
      const dg::Connectivity::BoundaryFace& face = connectivity.boundary_faces[b];
      if (!lies_in(plane, mesh, dg::index(face.cell), face.face, tolerance)) continue;
      planes[b] = static_cast<int>(i);
      is_met = true;
    }
    const bool is_periodic = refuse_periodic(config, mesh, plane, tolerance, findings);
    if (!is_met && !is_periodic && !is_part) {
      findings.add(key_of(i), "no exterior face of the mesh lies in the plane " + name_of(plane) +
                                  "; planes of symmetry lead through the origin, to which the mesh must be moved");
    }
  }
  for (std::size_t i = 0; i < config.boundaries.size(); ++i) {
    refuse_names(config, mesh, connectivity, planes, "boundaries." + std::to_string(i) + ".region",
                 config.boundaries[i].region, findings);
  }
  for (std::size_t i = 0; i < config.ports.size(); ++i) {
    refuse_names(config, mesh, connectivity, planes, "ports." + std::to_string(i) + ".boundary",
                 {config.ports[i].boundary}, findings);
  }
  for (std::size_t i = 0; i < config.elements.size(); ++i) {
    refuse_names(config, mesh, connectivity, planes, "elements." + std::to_string(i) + ".boundary",
                 {config.elements[i].boundary}, findings);
  }
  return planes;
}

}  // namespace maxwell_dg::config
