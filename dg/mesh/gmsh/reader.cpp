#include "dg/mesh/gmsh/reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <unordered_map>

#include <gmsh.h>

#include "core/counted.hpp"
#include "core/error.hpp"
#include "dg/mesh/curved/folded_cells.hpp"
#include "dg/mesh/gmsh/blended_nodes.hpp"
#include "dg/mesh/gmsh/complaint.hpp"
#include "dg/mesh/gmsh/element_kind.hpp"
#include "dg/mesh/gmsh/mesher.hpp"
#include "dg/mesh/point.hpp"

namespace maxwell_dg::dg {
namespace {

/// Version 2 states of each element which physical group it is in, later ones of each entity.
bool has_groups_of_elements(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("$MeshFormat")) return std::getline(in, line) && std::strtod(line.c_str(), nullptr) < 3;
  }
  return false;
}

constexpr const char* look_at_it = "open it in Gmsh to see what is wrong";

void open_mesh(const std::filesystem::path& file, bool groups_for_entities) {
  // Gmsh then takes the group of each element for its entity.
  gmsh::option::setNumber("Mesh.SwitchElementTags", groups_for_entities ? 1 : 0);
  gmsh::open(file.string());
  if (!first_error().empty()) throw_gmsh_error({}, look_at_it);
}

/// Entities whose elements are the mesh, each with the one that it is part of, or itself. Ghosts are copies of
/// elements; surfaces between partitions are part of a volume.
std::map<int, int> entities_of_mesh(int dimension) {
  gmsh::vectorpair all;
  gmsh::model::getEntities(all, dimension);
  std::map<int, int> entities;
  for (const auto& [_, tag] : all) {
    std::string type;
    gmsh::model::getType(dimension, tag, type);
    int whole_dimension = dimension, whole = tag;
    if (type.starts_with("Partition")) gmsh::model::getParent(dimension, tag, whole_dimension, whole);
    if (!type.starts_with("Ghost") && whole_dimension == dimension) entities[tag] = whole;
  }
  return entities;
}

/// Index of a name in a list, to which it is added when new: groups of the same name are one.
std::int32_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto index = std::find(names.begin(), names.end(), name) - names.begin();
  if (index == std::ssize(names)) names.push_back(name);
  return static_cast<std::int32_t>(index);
}

std::string kind_of(int dimension) {
  return dimension == 3 ? "volume" : "surface";
}

std::string name_of_group(int dimension, int tag) {
  std::string name;
  gmsh::model::getPhysicalName(dimension, tag, name);
  return name.empty() ? kind_of(dimension) + '_' + std::to_string(tag) : name;
}

/// Entity tag -> index into `names`; entities in no group are left out.
using Groups = std::map<int, std::int32_t>;

Groups groups_of_entities(int dimension, std::vector<std::string>& names) {
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups, dimension);
  const std::map<int, int> counted = entities_of_mesh(dimension);
  Groups group_of;
  const std::string what = kind_of(dimension);
  for (const auto& [_, tag] : groups) {
    const std::string name = name_of_group(dimension, tag);
    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, entities);
    std::erase_if(entities, [&](int entity) { return !counted.contains(std::abs(entity)); });
    if (entities.empty()) continue;
    const std::int32_t index = index_of(names, name);
    for (const int entity : entities) {
      const auto [known, is_new] = group_of.try_emplace(std::abs(entity), index);
      if (is_new || known->second == index) continue;
      throw MeshError(what + ' ' + std::to_string(std::abs(entity)) + " belongs to both '" + names[known->second] +
                      "' and '" + name + "': give each " + what + " to one physical group only");
    }
  }
  return group_of;
}

/// Where entities stand for groups (see `open_mesh`).
Groups groups_that_are_entities(int dimension, std::vector<std::string>& names) {
  Groups group_of;
  for (const auto& [tag, whole] : entities_of_mesh(dimension)) {
    if (whole != 0) group_of[tag] = index_of(names, name_of_group(dimension, std::abs(whole)));
  }
  return group_of;
}

std::vector<Point> read_vertices() {
  gmsh::model::mesh::renumberNodes();  // makes node tags 1 ... n
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parametric;
  gmsh::model::mesh::getNodes(tags, coordinates, parametric);
  std::vector<Point> vertices(tags.size());
  for (std::size_t i = 0; i < tags.size(); ++i) {
    vertices.at(tags[i] - 1) = {coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
  }
  return vertices;
}

ElementKind kind_of_element(int element_type) {
  ElementKind kind;
  int dimension = 0, nodes = 0, corners = 0;
  std::vector<double> local_coordinates;
  gmsh::model::mesh::getElementProperties(element_type, kind.name, dimension, kind.order, nodes, local_coordinates,
                                          corners);
  kind.nodes = static_cast<std::size_t>(nodes);
  kind.corners = static_cast<std::size_t>(corners);
  if (dimension == 3 && corners == 4 && kind.order > 1) kind.place = places_of_nodes(kind, local_coordinates);
  return kind;
}

/// Calls `add(kind, tag, nodes)` for every element of an entity, `nodes` being its node tags, corners first. An element
/// with another number of corners is an error.
template <class Add>
void read_elements(int dimension, int entity, std::size_t corners, const Add& add) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension, entity);
  for (std::size_t t = 0; t < types.size(); ++t) {
    const ElementKind kind = kind_of_element(types[t]);
    if (kind.corners != corners) {
      throw MeshError(core::counted(tags[t].size(), "element", "elements") + " of type '" + kind.name +
                      "'; only tetrahedra are computed on: mesh without recombination, transfinite hexahedra or "
                      "layers of prisms");
    }
    for (std::size_t i = 0; i < tags[t].size(); ++i) {
      add(kind, tags[t][i], std::span<const std::size_t>(nodes[t]).subspan(i * kind.nodes, kind.nodes));
    }
  }
}

std::int32_t vertex_of(std::size_t node_tag) {
  return static_cast<std::int32_t>(node_tag) - 1;
}

/// Of each cell.
struct Origin {
  std::vector<std::size_t> element;  ///< Gmsh's tag
  std::vector<int> volume;           ///< entity, of a partitioned mesh the one that was partitioned
};

/// Gmsh gives those elements of a volume that are of the type of its first one, and says nothing of the others.
void require_all_read(const Mesh& mesh) {
  gmsh::vectorpair all;
  gmsh::model::getEntities(all, 3);
  if (all.size() != entities_of_mesh(3).size()) return;  // it would count ghosts, too
  double count = 0;
  gmsh::option::getNumber("Mesh.NbTetrahedra", count);
  if (count <= static_cast<double>(mesh.cells.size())) return;
  throw MeshError("tetrahedra of several orders in one volume: mesh all of it with one Mesh.ElementOrder");
}

Origin read_cells(Mesh& mesh, const Groups& region_of) {
  Origin origin;
  for (const auto& [volume, whole] : entities_of_mesh(3)) {
    const auto found = region_of.find(volume);
    const std::int32_t region = found == region_of.end() ? -1 : found->second;
    read_elements(3, volume, 4, [&, number = whole](const ElementKind& kind, std::size_t tag, const auto& node) {
      mesh.cells.push_back({vertex_of(node[0]), vertex_of(node[1]), vertex_of(node[2]), vertex_of(node[3])});
      mesh.cell_region.push_back(region);
      add_geometry(mesh, kind, node);
      origin.element.push_back(tag);
      origin.volume.push_back(number);
    });
  }
  if (mesh.curved.nodes.empty()) mesh.curved = {};
  require_all_read(mesh);
  return origin;
}

void read_surfaces(Mesh& mesh, const Groups& surface_of) {
  for (const auto& [entity, _] : entities_of_mesh(2)) {
    const auto found = surface_of.find(entity);
    if (found == surface_of.end()) continue;
    read_elements(2, entity, 3, [&, number = found->second](const ElementKind&, std::size_t, const auto& node) {
      mesh.surface_faces.push_back({{vertex_of(node[0]), vertex_of(node[1]), vertex_of(node[2])}, number});
    });
  }
}

bool is_left_handed(const Mesh& mesh, const std::array<std::int32_t, 4>& cell) {
  std::array<Point, 4> p;
  for (std::size_t i = 0; i < 4; ++i) {
    if (cell[i] < 0 || index(cell[i]) >= mesh.vertices.size()) return false;  // `prepare` says so
    p[i] = mesh.vertices[index(cell[i])];
  }
  return dot(minus(p[1], p[0]), cross(minus(p[2], p[0]), minus(p[3], p[0]))) < 0;
}

/// A volume all of whose tetrahedra are left-handed is one that was given to its group with a minus sign, or comes from
/// a program with another convention: they are turned. Returns whether a volume has both kinds.
bool turn_left_handed(Mesh& mesh, const std::vector<int>& volume) {
  struct Count {
    std::size_t all{}, left{};
  };
  std::map<int, Count> of_volume;
  std::vector<bool> left(mesh.cells.size());
  for (std::size_t k = 0; k < left.size(); ++k) {
    left[k] = is_left_handed(mesh, mesh.cells[k]);
    Count& count = of_volume[volume[k]];
    ++count.all;
    if (left[k]) ++count.left;
  }
  bool mixed = false;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const Count& count = of_volume[volume[k]];
    if (count.left == count.all) {
      std::swap(mesh.cells[k][2], mesh.cells[k][3]);
      mesh.curved.turn(k, {0, 1, 3, 2});
    }
    mixed = mixed || (left[k] && count.left < count.all);
  }
  return mixed;
}

/// The volume of each cell as version 2 has it beside the group. `open_mesh` has put the group in its place, so the
/// file is read again.
std::vector<int> volumes_beside_groups(const std::filesystem::path& file, const Origin& origin) {
  open_mesh(file, false);
  std::unordered_map<std::size_t, int> volume_of;
  for (const auto& [volume, _] : entities_of_mesh(3)) {
    read_elements(3, volume, 4,
                  [&, number = volume](const ElementKind&, std::size_t tag, const auto&) { volume_of[tag] = number; });
  }
  std::map<std::pair<int, int>, int> number_of;  // volumes of different groups stay apart
  std::vector<int> result;
  for (std::size_t k = 0; k < origin.element.size(); ++k) {
    const std::pair<int, int> both{origin.volume[k], volume_of[origin.element[k]]};
    result.push_back(number_of.try_emplace(both, static_cast<int>(number_of.size())).first->second);
  }
  return result;
}

/// Not turned yet.
Mesh read_parts(const std::function<Groups(int, std::vector<std::string>&)>& groups, Origin& origin) {
  Mesh mesh;
  mesh.vertices = read_vertices();
  origin = read_cells(mesh, groups(3, mesh.regions));
  read_surfaces(mesh, groups(2, mesh.surfaces));
  return mesh;
}

/// Those that fold over in the end are left to `prepare`, which refuses the mesh and says where.
void place_nodes(Mesh& mesh, const Origin& origin, const std::function<void(const std::string&)>& say) {
  const std::size_t kept = blend_nodes(mesh, origin.volume);
  if (kept == 0 || !folded_cells(mesh).empty()) return;
  say(core::counted(kept, "curved tetrahedron keeps", "curved tetrahedra keep") +
      " the nodes that Gmsh gives, as others would fold over");
}

/// What Gmsh has meshed.
Mesh read_open_mesh(Origin& origin) {
  Mesh mesh = read_parts(groups_of_entities, origin);
  (void)turn_left_handed(mesh, origin.volume);
  return mesh;
}

Mesh read_msh(const std::filesystem::path& file, Origin& origin) {
  const bool groups_are_entities = has_groups_of_elements(file);
  open_mesh(file, groups_are_entities);
  Mesh mesh = read_parts(groups_are_entities ? groups_that_are_entities : groups_of_entities, origin);
  if (turn_left_handed(mesh, origin.volume) && groups_are_entities) {
    (void)turn_left_handed(mesh, volumes_beside_groups(file, origin));
  }
  return mesh;
}

Mesh read_geometry(const GmshRequest& request, Origin& origin, const std::function<void(const std::string&)>& say) {
  mesh_geometry(request, say);
  Mesh mesh = read_open_mesh(origin);
  const std::size_t folded = request.meshing.order > 1 ? folded_cells(mesh).size() : 0;
  if (!can_mend(request.meshing.order, folded)) return mesh;
  say(core::counted(folded, "tetrahedron", "tetrahedra") + " folded over, which Gmsh's optimizer is to mend");
  mend_curved_elements();
  return read_open_mesh(origin);
}

}  // namespace

GmshReader::GmshReader() {
  gmsh::initialize(0, nullptr, false);
  // Errors are found in the log: an exception out of Gmsh's parser would say less.
  gmsh::option::setNumber("General.AbortOnError", 0);
  gmsh::option::setNumber("General.Terminal", 1);
  gmsh::option::setNumber("Mesh.ElementOrder", 1);
  gmsh::logger::start();
}

Mesh GmshReader::read(const GmshRequest& request, const std::function<void(const std::string&)>& say) {
  try {
    Origin origin;
    Mesh mesh =
        request.kind() == MeshFileKind::msh ? read_msh(request.file, origin) : read_geometry(request, origin, say);
    place_nodes(mesh, origin, say);
    return mesh;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw_gmsh_error(error.what(), look_at_it);
  } catch (const std::string& error) {  // what Gmsh 4.8 throws
    throw_gmsh_error(error, look_at_it);
  } catch (int code) {  // what older ones throw
    throw_gmsh_error("code " + std::to_string(code), look_at_it);
  }
}

}  // namespace maxwell_dg::dg
