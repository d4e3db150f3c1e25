#include "dg/mesh/gmsh/cad_import.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gmsh.h>

#include "core/counted.hpp"
#include "core/error.hpp"
#include "dg/mesh/gmsh/complaint.hpp"
#include "dg/mesh/gmsh/step_face_names.hpp"

namespace maxwell_dg::dg {
namespace {

/// By number of the entity.
using Names = std::map<int, std::string>;

const char* format_of(MeshFileKind kind) {
  return kind == MeshFileKind::step ? "step" : kind == MeshFileKind::iges ? "iges" : "brep";
}

gmsh::vectorpair solids_of(const std::filesystem::path& file, MeshFileKind kind) {
  const std::string remedy =
      "is it a " + std::string(format_of(kind)) + " file, and whole? Export it anew from the CAD program";
  gmsh::vectorpair shapes;
  try {
    gmsh::model::occ::importShapes(file.string(), shapes, true, format_of(kind));
  } catch (...) {  // of a type that depends on Gmsh's version; its log says the same
    throw_gmsh_error("OpenCASCADE cannot read it", remedy);
  }
  if (!first_error().empty()) throw_gmsh_error({}, remedy);
  if (shapes.empty()) throw MeshError("OpenCASCADE finds no shape in it; " + remedy);
  const std::size_t all = shapes.size();
  std::erase_if(shapes, [](const auto& shape) { return shape.first != 3; });
  if (!shapes.empty()) return shapes;
  throw MeshError("it has no solid (" + core::counted(all, "surface or curve", "surfaces or curves") +
                  " outside of solids), so there is no volume to be meshed: join the surfaces to "
                  "closed solids in the CAD program");
}

Names names_of(const gmsh::vectorpair& entities) {
  Names names;
  for (const auto& [dimension, tag] : entities) {
    std::string label;
    gmsh::model::getEntityName(dimension, tag, label);
    names[tag] = name_in_label(label);
  }
  return names;
}

std::string quoted_or_number(const std::string& name, std::size_t number) {
  return name.empty() ? "number " + std::to_string(number + 1) : "'" + name + "'";
}

/// Gives names to faces without one that are at the same place and have the same area.
void name_faces(Names& names, const std::vector<NamedFace>& named) {
  for (const NamedFace& face : named) {
    for (auto& [tag, name] : names) {
      double x{}, y{}, z{}, area{};
      gmsh::model::occ::getCenterOfMass(2, tag, x, y, z);
      gmsh::model::occ::getMass(2, tag, area);
      const double rounding = 1e-6 * std::sqrt(face.area);
      const double apart = std::hypot(x - face.centre[0], y - face.centre[1], z - face.centre[2]);
      if (!name.empty() || apart > rounding || std::abs(area - face.area) > 1e-6 * face.area) continue;
      name = face.name;
      break;
    }
  }
}

/// The names of solids and of faces, by their numbers.
struct NamedShapes {
  Names solids, faces;
};

/// Makes faces of several solids one where they touch. Returns the names by the new numbers; a face that has two keeps
/// the one of the solid that comes first in the file.
NamedShapes joined(const gmsh::vectorpair& solids, const NamedShapes& before) {
  gmsh::vectorpair faces, result;
  for (const auto& [tag, name] : before.faces) {
    if (!name.empty()) faces.emplace_back(2, tag);
  }
  std::vector<gmsh::vectorpair> parts_of;
  gmsh::model::occ::fragment(solids, faces, result, parts_of);
  gmsh::model::occ::synchronize();
  NamedShapes after;
  for (std::size_t i = 0; i < faces.size() && solids.size() + i < parts_of.size(); ++i) {
    for (const auto& [dimension, tag] : parts_of[solids.size() + i]) {
      if (dimension == 2) after.faces.try_emplace(tag, before.faces.at(faces[i].second));
    }
  }
  const Names& old = before.solids;
  Names& names = after.solids;
  std::map<int, std::size_t> owner;
  for (std::size_t i = 0; i < solids.size() && i < parts_of.size(); ++i) {
    const std::string& name = old.at(solids[i].second);
    for (const auto& [dimension, tag] : parts_of[i]) {
      if (dimension != 3) continue;
      const auto [known, is_new] = owner.try_emplace(tag, i);
      names[tag] = name;
      if (is_new || known->second == i) continue;
      throw MeshError("solids " + quoted_or_number(old.at(solids[known->second].second), known->second) + " and " +
                      quoted_or_number(name, i) +
                      " overlap: subtract one from the other in the CAD program, so that each place is in one solid");
    }
  }
  return after;
}

/// A physical group for each name; entities without one get `unnamed` with a number.
void group(int dimension, const Names& names, const std::string& unnamed) {
  std::map<std::string, std::vector<int>> groups;
  std::vector<std::string> order;
  int number = 0;
  for (const auto& [tag, given] : names) {
    ++number;
    const std::string name = given.empty() ? unnamed + '_' + std::to_string(number) : given;
    auto& entities = groups[name];
    if (entities.empty()) order.push_back(name);
    entities.push_back(tag);
  }
  for (const std::string& name : order) {
    gmsh::model::setPhysicalName(dimension, gmsh::model::addPhysicalGroup(dimension, groups[name]), name);
  }
}

/// Faces that bound a volume; a face that lies alone has no name, as it bounds nothing.
gmsh::vectorpair faces_of_volumes() {
  gmsh::vectorpair faces;
  gmsh::model::getEntities(faces, 2);
  std::erase_if(faces, [](const auto& face) {
    std::vector<int> volumes, edges;
    gmsh::model::getAdjacencies(face.first, face.second, volumes, edges);
    return volumes.empty();
  });
  return faces;
}

}  // namespace

void import_cad(const std::filesystem::path& file, MeshFileKind kind) {
  std::string build_options;
  gmsh::option::getString("General.BuildOptions", build_options);
  require_open_cascade(build_options);
  gmsh::option::setNumber("Geometry.OCCImportLabels", 1);
  const gmsh::vectorpair solids = solids_of(file, kind);
  gmsh::model::occ::synchronize();
  const std::vector<NamedFace> named_by_file =
      kind == MeshFileKind::step ? named_faces(file) : std::vector<NamedFace>();
  NamedShapes named{.solids = names_of(solids), .faces = names_of(faces_of_volumes())};
  name_faces(named.faces, named_by_file);
  if (solids.size() > 1) named = joined(solids, named);
  for (const auto& [dimension, tag] : faces_of_volumes()) named.faces.try_emplace(tag);
  name_faces(named.faces, named_by_file);  // those that are whole, of which Gmsh 4.8 does not tell all new numbers
  group(3, named.solids, "volume");
  group(2, named.faces, "surface");
}

}  // namespace maxwell_dg::dg
