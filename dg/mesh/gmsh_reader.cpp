// The only file that knows Gmsh.
#include "dg/mesh/gmsh_reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include <gmsh.h>

#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::dg {
namespace {

/// Gmsh from initialize to finalize, silent on the terminal, its messages kept.
class GmshSession {
 public:
  GmshSession() : lock_(mutex()) {
    gmsh::initialize(0, nullptr, false);
    gmsh::option::setNumber("General.Terminal", 0);
    // Errors are found in the log: an exception out of Gmsh's parser would leave its state to the next file.
    gmsh::option::setNumber("General.AbortOnError", 0);
    gmsh::option::setNumber("Mesh.ElementOrder", 1);
    gmsh::logger::start();
  }
  ~GmshSession() {
    try {
      gmsh::logger::stop();  // else the next session would find this one's messages
      gmsh::finalize();
    } catch (...) {  // a destructor must not throw; the mesh has been read by now
      log_warning("Gmsh did not shut down cleanly");
    }
  }
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  /// Gmsh's messages of one kind: "Error" or "Warning".
  [[nodiscard]] std::vector<std::string> messages(const std::string& kind) const {
    std::vector<std::string> log, found;
    gmsh::logger::get(log);
    for (const std::string& line : log) {
      if (line.compare(0, kind.size(), kind) == 0) found.push_back(line);
    }
    return found;
  }

 private:
  static std::mutex& mutex() {
    static std::mutex only_one;
    return only_one;
  }
  std::lock_guard<std::mutex> lock_;
};

struct ElementKind {
  std::string name;
  int order{};
  std::size_t nodes{};
  std::size_t corners{};
};

ElementKind kind_of(int element_type) {
  ElementKind kind;
  int dimension = 0, nodes = 0, corners = 0;
  std::vector<double> local_coordinates;
  gmsh::model::mesh::getElementProperties(element_type, kind.name, dimension, kind.order, nodes, local_coordinates,
                                          corners);
  kind.nodes = static_cast<std::size_t>(nodes);
  kind.corners = static_cast<std::size_t>(corners);
  return kind;
}

/// Index of a name in a list, to which it is added when new: groups of the same name are one.
std::int32_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto index = std::find(names.begin(), names.end(), name) - names.begin();
  if (index == std::ssize(names)) names.push_back(name);
  return static_cast<std::int32_t>(index);
}

/// Which physical group each entity of a dimension is in: entity tag -> index into `names`.
std::map<int, std::int32_t> group_of_entities(int dimension, std::vector<std::string>& names,
                                              const std::string& origin) {
  const std::string what = dimension == 3 ? "volume" : "surface";
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups, dimension);
  std::map<int, std::int32_t> group_of;
  for (const auto& [_, tag] : groups) {
    std::string name;
    gmsh::model::getPhysicalName(dimension, tag, name);
    if (name.empty()) name = what + '_' + std::to_string(tag);
    const std::int32_t index = index_of(names, name);
    std::vector<int> entities;
    gmsh::model::getEntitiesForPhysicalGroup(dimension, tag, entities);
    for (const int entity : entities) {
      const auto [known, is_new] = group_of.try_emplace(std::abs(entity), index);
      if (is_new || known->second == index) continue;
      throw MeshError(origin + ": " + what + ' ' + std::to_string(std::abs(entity)) + " belongs to both '" +
                      names[known->second] + "' and '" + name + "': give each " + what + " to one physical group only");
    }
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

/// Calls `add(corners)` for every element of an entity, `corners` pointing at its node tags, and returns whether any
/// was curved. An element with another number of corners is an error.
template <class Add>
bool read_elements(int dimension, int entity, std::size_t corners, const std::string& origin, const Add& add) {
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> tags, nodes;
  gmsh::model::mesh::getElements(types, tags, nodes, dimension, entity);
  bool curved = false;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const ElementKind kind = kind_of(types[t]);
    if (kind.corners != corners) {
      throw MeshError(origin + ": " + std::to_string(tags[t].size()) + " elements of type '" + kind.name +
                      "'; only tetrahedra are computed on: mesh without recombination, transfinite hexahedra or "
                      "layers of prisms");
    }
    curved = curved || kind.order > 1;
    for (std::size_t i = 0; i < tags[t].size(); ++i) add(nodes[t].data() + i * kind.nodes);
  }
  return curved;
}

std::int32_t vertex_of(std::size_t node_tag) {
  return static_cast<std::int32_t>(node_tag) - 1;
}

void read_cells(Mesh& mesh, const std::string& origin) {
  const auto region_of = group_of_entities(3, mesh.regions, origin);
  gmsh::vectorpair volumes;
  gmsh::model::getEntities(volumes, 3);
  bool curved = false;
  for (const auto& [_, volume] : volumes) {
    const auto found = region_of.find(volume);
    const std::int32_t region = found == region_of.end() ? -1 : found->second;
    curved |= read_elements(3, volume, 4, origin, [&](const std::size_t* node) {
      mesh.cells.push_back({vertex_of(node[0]), vertex_of(node[1]), vertex_of(node[2]), vertex_of(node[3])});
      mesh.cell_region.push_back(region);
    });
  }
  if (curved) {
    log_warning(origin + ": curved tetrahedra are taken straight, by their corners; mesh with Mesh.ElementOrder = 1");
  }
}

void read_surfaces(Mesh& mesh, const std::string& origin) {
  for (const auto& [surface, index] : group_of_entities(2, mesh.surfaces, origin)) {
    read_elements(2, surface, 3, origin, [&, number = index](const std::size_t* node) {
      mesh.surface_faces.push_back({{vertex_of(node[0]), vertex_of(node[1]), vertex_of(node[2])}, number});
    });
  }
}

void open_and_mesh(const std::filesystem::path& file) {
  gmsh::open(file.string());
  if (file.extension() == ".msh" || file.extension() == ".MSH") return;
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, 3);
  if (types.empty()) gmsh::model::mesh::generate(3);  // unless the script did it
}

[[noreturn]] void throw_gmsh_error(const std::string& origin, const GmshSession& session, const std::string& thrown) {
  const auto errors = session.messages("Error");
  const std::string cause = !errors.empty() ? errors.front() : thrown.empty() ? "no reason given" : thrown;
  throw MeshError(origin + ": Gmsh cannot read or mesh it (" + cause + "); open it in Gmsh to see what is wrong");
}

}  // namespace

Mesh read_gmsh_mesh(const std::filesystem::path& file) {
  const std::string origin = file.string();
  const GmshSession session;
  Mesh mesh;
  try {
    open_and_mesh(file);
    if (!session.messages("Error").empty()) throw_gmsh_error(origin, session, {});
    mesh.vertices = read_vertices();
    read_cells(mesh, origin);
    read_surfaces(mesh, origin);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw_gmsh_error(origin, session, error.what());
  } catch (const std::string& error) {  // what Gmsh 4.8 throws
    throw_gmsh_error(origin, session, error);
  } catch (int code) {  // what older ones throw
    throw_gmsh_error(origin, session, "code " + std::to_string(code));
  }
  return mesh;
}

}  // namespace maxwell_dg::dg
