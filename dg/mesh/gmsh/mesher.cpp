#include "dg/mesh/gmsh/mesher.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include <gmsh.h>

#include "core/counted.hpp"
#include "core/error.hpp"
#include "dg/mesh/gmsh/cad_import.hpp"
#include "dg/mesh/gmsh/complaint.hpp"
#include "dg/mesh/gmsh/element_estimate.hpp"
#include "dg/mesh/gmsh/flat_corners.hpp"

namespace maxwell_dg::dg {
namespace {

// Gmsh's numbers of its types of straight elements.
constexpr int triangle = 2, tetrahedron = 4;

double option(const char* name) {
  double value = 0;
  gmsh::option::getNumber(name, value);
  return value;
}

bool is_meshed() {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, 3);
  return !types.empty();
}

void bound_size(double size) {
  if (size == 0) return;
  if (is_meshed()) {
    throw MeshError("its script meshes it (`Mesh 3;`) before mesh.size can count: remove that line, or mesh.size");
  }
  const double factor = option("Mesh.MeshSizeFactor");  // Gmsh multiplies all sizes by it, bounds included
  if (option("Mesh.MeshSizeMin") * factor > size) {
    throw MeshError("mesh.size is below the least size of elements there, " +
                    std::to_string(option("Mesh.MeshSizeMin") * factor) +
                    " units: that of the script (Mesh.MeshSizeMin), or 1e-4 of the whole; make it larger");
  }
  gmsh::option::setNumber("Mesh.MeshSizeMax", std::min(option("Mesh.MeshSizeMax"), size / factor));
}

/// So that elements that are curved are not bent too far; down to a bound, as the tip of a cone is curved without one.
void refine_by_curvature() {
  constexpr int elements_around_a_circle = 8;
  constexpr double least_part = 1e-4;  // of the whole
  std::array<double, 3> low{}, high{};
  gmsh::model::getBoundingBox(-1, -1, low[0], low[1], low[2], high[0], high[1], high[2]);
  gmsh::option::setNumber("Mesh.MeshSizeFromCurvature", elements_around_a_circle);
  gmsh::option::setNumber("Mesh.MeshSizeMin", least_part * distance(low, high));
}

/// Straight tetrahedra with numbers of points, which are Gmsh's less one.
Tetrahedra straight_tetrahedra() {
  gmsh::model::mesh::renumberNodes();  // makes node tags 1 ... n
  Tetrahedra mesh;
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, parametric;
  gmsh::model::mesh::getNodes(tags, coordinates, parametric);
  mesh.points.resize(tags.size());
  for (std::size_t i = 0; i < tags.size(); ++i) {
    mesh.points.at(tags[i] - 1) = {coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
  }
  gmsh::vectorpair volumes;
  gmsh::model::getEntities(volumes, 3);
  for (const auto& [_, volume] : volumes) {
    std::vector<std::size_t> elements, nodes;
    gmsh::model::mesh::getElementsByType(tetrahedron, elements, nodes, volume);
    for (std::size_t i = 0; i + 3 < nodes.size(); i += 4) {
      const auto point = [&](std::size_t a) { return static_cast<int>(nodes[i + a]) - 1; };
      mesh.cells.push_back({point(0), point(1), point(2), point(3)});
      mesh.volume.push_back(volume);
    }
  }
  return mesh;
}

SurfaceEdges edges_on_surfaces() {
  SurfaceEdges edges;
  gmsh::vectorpair surfaces;
  gmsh::model::getEntities(surfaces, 2);
  for (const auto& [_, surface] : surfaces) {
    std::vector<std::size_t> tags, nodes;
    gmsh::model::mesh::getElementsByType(triangle, tags, nodes, surface);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
      const int a = static_cast<int>(nodes[i]) - 1, b = static_cast<int>(nodes[next]) - 1;
      auto& on = edges[{std::min(a, b), std::max(a, b)}];
      if (std::ranges::find(on, surface) == on.end()) on.push_back(surface);
    }
  }
  return edges;
}

/// By the normals that the geometry has there; a surface of triangles alone has none.
bool are_tangent(const Point& at, int first, int second) {
  constexpr double least_cosine = 0.97;
  std::vector<double> normals;
  for (const int surface : {first, second}) {
    std::string type;
    gmsh::model::getType(2, surface, type);
    if (type.starts_with("Discrete")) return false;
    std::vector<double> parameters, normal;
    gmsh::model::getParametrization(2, surface, {at[0], at[1], at[2]}, parameters);
    gmsh::model::getNormal(surface, parameters, normal);
    normals.insert(normals.end(), normal.begin(), normal.end());
  }
  return normals.size() == 6 &&
         std::abs(normals[0] * normals[3] + normals[1] * normals[4] + normals[2] * normals[5]) > least_cosine;
}

/// Gives Gmsh the cells of a volume in place of its own. Points from `first_new` on are new.
void replace_volume(const Tetrahedra& mesh, int volume, std::size_t first_new) {
  std::vector<std::size_t> points, cells;
  std::vector<double> coordinates, parametric;
  gmsh::model::mesh::getNodes(points, coordinates, parametric, 3, volume);
  std::vector<bool> is_added(mesh.points.size(), false);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (mesh.volume[k] != volume) continue;
    for (const int v : mesh.cells[k]) {
      const auto point = static_cast<std::size_t>(v);
      cells.push_back(point + 1);
      if (point < first_new || is_added[point]) continue;
      is_added[point] = true;
      points.push_back(point + 1);
      coordinates.insert(coordinates.end(), mesh.points[point].begin(), mesh.points[point].end());
    }
  }
  gmsh::model::mesh::clear({{3, volume}});
  gmsh::model::mesh::addNodes(3, volume, points, coordinates);
  gmsh::model::mesh::addElementsByType(volume, tetrahedron, {}, cells);
}

std::size_t cut_cells_with_flat_corners() {
  Tetrahedra mesh = straight_tetrahedra();
  const std::size_t points = mesh.points.size();
  const std::size_t found = cut_flat_corners(mesh, edges_on_surfaces(), [&](int point, int first, int second) {
    return are_tangent(mesh.points[static_cast<std::size_t>(point)], first, second);
  });
  if (found == 0) return 0;
  gmsh::vectorpair volumes;
  gmsh::model::getEntities(volumes, 3);
  for (const auto& [_, volume] : volumes) replace_volume(mesh, volume, points);
  return found;
}

/// Removes slivers. Returns what to say where it cannot.
std::string improve_by_netgen() {
  std::string build_options;
  gmsh::option::getString("General.BuildOptions", build_options);
  if (!has_word(build_options, "Netgen")) return "; without Netgen's improvement of slivers, which this Gmsh lacks";
  gmsh::model::mesh::optimize("Netgen");
  return "";
}

}  // namespace

void mesh_geometry(const GmshRequest& request, const std::function<void(const std::string&)>& say) {
  const GmshMeshing& how = request.meshing;
  const bool cad = is_cad(request.kind());
  const std::string remedy = cad || !how.asks_for_nothing()
                                 ? "take a smaller mesh.size, or open it in Gmsh to see where it fails"
                                 : "open it in Gmsh to see what is wrong";
  if (cad) {
    import_cad(request.file, request.kind());
    refine_by_curvature();
  } else {
    gmsh::open(request.file.string());
  }
  if (const std::string estimate = is_meshed() ? "" : estimate_elements(request); !estimate.empty()) say(estimate);
  bound_size(how.size);
  if (how.order > 0) gmsh::option::setNumber("Mesh.ElementOrder", 1);
  if (!is_meshed()) {
    gmsh::model::mesh::generate(3);
  } else if (how.order > 0) {
    gmsh::model::mesh::setOrder(1);
  }
  if (!first_error().empty()) throw_gmsh_error({}, remedy);
  if (how.order == 0) return;
  say("meshed in order " + std::to_string(how.order) + improve_by_netgen());
  if (how.order > 1) {
    const std::size_t flat = cut_cells_with_flat_corners();
    if (flat > 0) {
      say(core::counted(flat, "tetrahedron", "tetrahedra") + " cut whose corners were flat in a curved surface");
    }
    gmsh::model::mesh::setOrder(how.order);
  }
  if (!first_error().empty()) throw_gmsh_error({}, remedy);
}

void mend_curved_elements() {
  gmsh::model::mesh::optimize("HighOrder", true);
}

}  // namespace maxwell_dg::dg
