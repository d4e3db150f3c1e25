#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dg/mesh/curved/curved_cells.hpp"
#include "dg/mesh/point.hpp"

namespace maxwell_dg::dg {

/// Which of a cell's four vertices each face has, ascending; faces numbered as in ReferenceElement.
inline constexpr std::array<std::array<std::size_t, 3>, 4> face_vertices{{{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}}};

/// A conforming mesh of tetrahedra, straight ones and curved ones, with named volume regions and named surfaces.
/// After `prepare` the vertices of each cell ascend (so half of the Jacobians are negative), cells follow a
/// space-filling curve, first all straight ones and then all curved ones, and vertices are numbered in the order of
/// first use.
struct Mesh {
  struct SurfaceFace {
    std::array<std::int32_t, 3> vertices;  ///< ascending
    std::int32_t surface;                  ///< index into `surfaces`
  };

  std::vector<Point> vertices;                             ///< [metres, or the normalized unit]
  std::vector<std::array<std::int32_t, 4>> cells;          ///< vertex numbers
  std::vector<std::int32_t> cell_region;                   ///< [cell] index into `regions`, -1: in no named region
  std::vector<std::string> regions;                        ///< volume names
  std::vector<SurfaceFace> surface_faces;                  ///< faces that carry a name, sorted; interior ones may, too
  std::vector<std::string> surfaces;                       ///< surface names
  std::map<std::string, std::vector<double>> cell_values;  ///< by name, [cell]: of a material, as the file has them
  std::map<std::string, std::vector<double>> vertex_values;  ///< by name, [vertex]: the same, linear within a cell
  /// [vertex] the least number of those that periodic surfaces make one (dg/mesh/periodic.hpp); empty: each is itself.
  std::vector<std::int32_t> identity;
  /// [surface] do its faces part the cells on their two sides, as metal without thickness does? Empty: none does. After
  /// periodic surfaces were joined.
  std::vector<bool> walls;
  CurvedCells curved;  ///< the geometry of the cells that are not straight
};

/// Numbers of cells, vertices, faces and nodes are ints; containers count otherwise.
[[nodiscard]] constexpr std::size_t index(std::int32_t number) {
  return static_cast<std::size_t>(number);
}

/// Mean of some vertices: the centroid of a cell or of a face.
template <std::size_t n>
[[nodiscard]] Point centroid(const Mesh& mesh, const std::array<std::int32_t, n>& vertices) {
  Point sum{};
  for (const std::int32_t v : vertices) {
    for (std::size_t i = 0; i < 3; ++i) sum[i] += mesh.vertices[index(v)][i] / double{n};
  }
  return sum;
}

/// A box cut into cells[0] x cells[1] x cells[2] cuboids of six Kuhn tetrahedra each: region `interior`, surfaces
/// `x_min x_max y_min y_max z_min z_max`. Prepared. Throws std::invalid_argument for an empty box or no cells.
struct Box {
  Point min{-1, -1, -1};
  Point max{1, 1, 1};
  std::array<int, 3> cells{1, 1, 1};
};
[[nodiscard]] Mesh make_box(const Box& box);

/// Moves every vertex at random by up to `by` along each axis, the same in every run: a mesh without symmetry, no two
/// cells alike, to measure and to test on. The nodes of curved cells move with the vertices around them.
void distort(Mesh& mesh, double by);

/// How a file is read, and a geometry meshed.
struct MeshReading {
  /// Metres (or normalized units) per unit of the file. None: what a STEP or an IGES file says, in metres; else 1.
  std::optional<double> scale{};
  bool trust_geometry = false;  ///< a `.geo` may start processes and write files, which the system refuses otherwise
  std::optional<int> order{};   ///< of the elements' geometry, 1 to 9. None: what a `.geo` says; 1 for CAD files
  /// Length of edges to aim at, in metres (or normalized units). None: what a `.geo` says; Gmsh's choice for CAD files.
  std::optional<double> size{};
};

/// Reads .msh (2.2, 4.1; ASCII, binary) or .h5, or meshes a .geo or a CAD file (.step, .iges, .brep), scales it, and
/// prepares it. Gmsh's physical volumes become regions, its physical surfaces surfaces; unnamed ones are called
/// `volume_TAG` and `surface_TAG`. For CAD files see import_cad (dg/mesh/gmsh/cad_import.hpp). Gmsh runs in a process
/// of its own (dg/mesh/gmsh/child.hpp). Throws std::invalid_argument for an order or a size of a file that is no
/// geometry. Throws MeshError: no such file, a truncated one, no tetrahedra, inverted or degenerate ones, duplicate or
/// hanging nodes, curved ones that fold over, or a build without the reader (naming the way out: --convert on a machine
/// that has it).
[[nodiscard]] Mesh read_mesh(const std::filesystem::path& file, const MeshReading& how = {});

/// Puts a copy of a prepared mesh, its periodic surfaces joined or not, behind it: same places, same names, no face in
/// common, for complex fields (dg/mesh/complex_view.hpp).
void append_copy(Mesh& mesh);

/// Writes a prepared mesh as HDF5 (layout: docs/mesh_format.md), atomically. Throws OutputError.
void write_mesh(const Mesh& mesh, const std::filesystem::path& file);

/// Lets cells count as curved whose maps may be affine, because media or the stretch of a PML vary within them: these
/// and the curved ones come last, as after `prepare`. Of a prepared mesh, before periodic surfaces are joined.
void count_as_curved(Mesh& mesh, const std::vector<bool>& cells);

/// Which cells count as inverted: mesh generators write right-handed ones, prepared meshes hold both kinds.
enum class Orientation { right_handed, any };

/// Checks (see read_mesh), sorts the vertices of each cell, finds out which cells are curved
/// (dg/mesh/curved/curved_mesh.hpp), orders cells (see Mesh), drops vertices that no cell uses. `origin` names the mesh
/// in errors. Of a geometry that has just been meshed, `meshed_in_order` is what was asked for, 0 for nothing; errors
/// of single elements then tell the keys of a config that help. Idempotent, with Orientation::any.
void prepare(Mesh& mesh, const std::string& origin, Orientation orientation = Orientation::right_handed,
             std::optional<int> meshed_in_order = {});

}  // namespace maxwell_dg::dg
