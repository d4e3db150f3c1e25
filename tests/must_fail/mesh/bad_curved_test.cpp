// Curved meshes that must be refused.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "dg/hdf5/file.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/periodic.hpp"
#include "tests/support/own_directory.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

class BadCurved : public OwnDirectory {
 protected:
  BadCurved() : OwnDirectory("bad_curved") {}
  static void expect_refused(const std::function<void()>& act, const std::vector<std::string>& words) {
    try {
      act();
      ADD_FAILURE() << "it was taken";
    } catch (const MeshError& error) {
      for (const std::string& word : words) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
            << "no '" << word << "' in: " << error.what();
      }
    }
  }
  /// By `prepare`, and from a file.
  void expect_refused(Mesh mesh, const std::vector<std::string>& words) const {
    write_mesh(mesh, directory_ / "bad.h5");
    expect_refused([&] { (void)read_mesh(directory_ / "bad.h5"); }, words);
    expect_refused([&] { prepare(mesh, "in memory", Orientation::any); }, words);
  }
  void expect_gmsh_refused(const std::string& name, const std::string& text,
                           const std::vector<std::string>& words) const {
    if (!MAXWELL_DG_HAVE_GMSH) GTEST_SKIP() << "this build has no Gmsh reader";
    std::ofstream(directory_ / name) << text;
    expect_refused([&] { (void)read_mesh(directory_ / name); }, words);
  }
};

Mesh wavy_box(int order) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 2, 2}});
  curve(mesh, order, [](const Point& p) {
    return Point{p[0] + 0.05 * std::sin(3 * p[1]), p[1], p[2] + 0.05 * p[0] * p[1]};
  });
  prepare(mesh, "wavy", Orientation::any);
  return mesh;
}

/// A node inside of a cell, of order 4.
constexpr GeometryNode inner_node{1, 1, 1, 1};

TEST_F(BadCurved, cell_that_folds_over_is_named_with_its_place_and_the_remedy) {
  Mesh mesh = wavy_box(4);
  Point& node = mesh.curved.nodes_of(7)[number_of_node(4, inner_node)];
  const Point there = node;
  node[0] += 0.4;
  expect_refused(mesh,
                 {"1 curved tetrahedron that folds over", " at (", "smaller elements", "Mesh.HighOrderOptimize = 2"});
  mesh.curved.nodes_of(7)[number_of_node(4, inner_node)] = there;
  EXPECT_NO_THROW(prepare(mesh, "good", Orientation::any));
}

TEST_F(BadCurved, face_that_differs_on_its_two_sides_is_named) {
  Mesh mesh = wavy_box(3);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k)
    mesh.curved.nodes_of(k)[number_of_node(3, {1, 1, 1, 0})][2] += 1e-6;
  expect_refused(mesh, {"faces that are curved differently on their two sides", "share the nodes"});
}

TEST_F(BadCurved, corners_elsewhere_than_vertices_are_found) {
  Mesh mesh = wavy_box(3);
  std::swap(mesh.curved.nodes_of(2)[number_of_node(3, {3, 0, 0, 0})],
            mesh.curved.nodes_of(2)[number_of_node(3, {0, 3, 0, 0})]);
  expect_refused(mesh, {"1 curved tetrahedron whose corners are not its vertices", "another order"});
}

TEST_F(BadCurved, nodes_that_are_no_numbers_are_found) {
  Mesh mesh = wavy_box(2);
  mesh.curved.nodes[11][1] = std::numeric_limits<double>::quiet_NaN();
  expect_refused(mesh, {"1 vertex that is no finite point"});
}

TEST_F(BadCurved, periodic_surfaces_that_are_curved_differently_do_not_match) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 2, 2}});
  curve(mesh, 2, [](const Point& p) {  // bends x_max between its vertices
    return Point{p[0] + (p[0] > 0.99 ? 0.01 * std::pow(std::sin(2 * M_PI * p[1]), 2) : 0), p[1], p[2]};
  });
  ASSERT_TRUE(mesh.curved.any());
  const std::vector<PeriodicPair> pairs{{"x_min", "x_max", "case.yaml:7"}};
  expect_refused([&] { join_periodic(mesh, pairs); }, {"case.yaml:7", "curved differently", "Periodic Surface"});
}

/// One straight cell in HDF5, and what is said of its geometry.
struct Claims {
  int version = 2, order = 2;
  std::vector<std::int32_t> cells{0};
  std::size_t nodes = 10, components = 3;
};

TEST_F(BadCurved, hdf5_that_does_not_fit_is_damaged) {
  const auto read = [&](const Claims& claims) {
    const fs::path path = directory_ / "claims.h5";
    hdf5::Writer file(path.string());
    const std::vector<double> vertices{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::vector<std::int32_t> cells{0, 1, 2, 3}, region{-1};
    file.put_attribute("format", "maxwell_dg mesh");
    file.put_attribute("version", claims.version);
    file.put_attribute("curved_order", claims.order);
    file.put("vertices", Dtype::float64, {4, 3}, vertices.data());
    file.put("cells", Dtype::int32, {1, 4}, cells.data());
    file.put("cell_region", Dtype::int32, {1}, region.data());
    file.put("regions", {});
    file.put("surface_faces", Dtype::int32, {0, 3}, nullptr);
    file.put("surface_face_surface", Dtype::int32, {0}, nullptr);
    file.put("surfaces", {});
    file.put("curved_cells", Dtype::int32, {claims.cells.size()}, claims.cells.data());
    const std::vector<double> nodes(claims.cells.size() * claims.nodes * claims.components, 0.5);
    file.put("curved_nodes", Dtype::float64, {claims.cells.size(), claims.nodes, claims.components}, nodes.data());
    write_file_atomically(path, file.finish());
    (void)read_mesh(path);
  };
  const auto expect_damaged = [&](const Claims& claims, const std::string& why) {
    expect_refused([&] { read(claims); }, {"claims.h5: damaged, truncated or no mesh: " + why});
  };
  expect_damaged({.version = 1}, "curved_cells is not for version 1, but for version 2");
  expect_damaged({.version = 3}, "its format version is 3, this program reads versions 1 and 2");
  expect_damaged({.order = 1}, "curved_order is 1, not 2 to 9");
  expect_damaged({.order = 10}, "curved_order is 10, not 2 to 9");
  expect_damaged({.order = 3}, "curved_nodes has the wrong shape");
  expect_damaged({.components = 2}, "curved_nodes has the wrong shape");
  expect_damaged({.cells = {1}}, "curved_cells has the tetrahedron 1, which there is not");
  expect_damaged({.cells = {-1}}, "curved_cells has the tetrahedron -1, which there is not");
  expect_damaged({.cells = {0, 0}}, "curved_cells has the tetrahedron 0, which there is not, or which it has twice");
  expect_refused([&] { read({}); }, {"corners are not its vertices"});
}

/// One tetrahedron of second order, the middle of one edge moved along it.
std::string folded_msh(double middle) {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 " +
         std::to_string(middle) +
         " 0 0\n6 0.5 0.5 0\n7 0 0.5 0\n8 0 0 0.5\n9 0 0.5 0.5\n10 0.5 0 0.5\n$EndNodes\n$Elements\n1\n"
         "1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
}

TEST_F(BadCurved, folded_cell_of_a_msh_is_refused) {
  expect_gmsh_refused("folded.msh", folded_msh(0.8), {"folded.msh: 1 curved tetrahedron that folds over"});
}

/// Nodes anywhere, and a tetrahedron of each type of Gmsh: (type, number of nodes), in volumes of their own or in one.
std::string msh_of(const std::vector<std::pair<int, int>>& elements, bool in_one_volume = false) {
  std::string nodes, cells;
  int count = 0, volume = 1;
  for (const auto& [type, size] : elements) {
    cells += std::to_string(volume) + ' ' + std::to_string(type) + " 2 " +
             (in_one_volume ? "1" : std::to_string(volume)) + ' ' + (in_one_volume ? "1" : std::to_string(volume));
    ++volume;
    for (int i = 0; i < size; ++i) {
      cells += ' ' + std::to_string(++count);
      nodes += std::to_string(count) + ' ' + std::to_string(i % 3) + ' ' + std::to_string(i * i % 7) + ' ' +
               std::to_string(count * i % 11) + '\n';
    }
    cells += '\n';
  }
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(count) + '\n' + nodes +
         "$EndNodes\n$Elements\n" + std::to_string(elements.size()) + '\n' + cells + "$EndElements\n";
}

constexpr std::pair tet_10{11, 10}, tet_20{29, 20}, tet_286{75, 286}, tet_of_order_4_without_inner_nodes{32, 22};

TEST_F(BadCurved, orders_and_elements_that_are_not_known_are_named) {
  expect_gmsh_refused("ten.msh", msh_of({tet_286}), {"order 10", "order 2 to 9", "Mesh.ElementOrder"});
  expect_gmsh_refused("incomplete.msh", msh_of({tet_of_order_4_without_inner_nodes}),
                      {"lack nodes", "Mesh.SecondOrderIncomplete = 0"});
}

TEST_F(BadCurved, two_orders_in_one_file_are_refused) {
  for (const bool in_one_volume : {true, false}) {
    SCOPED_TRACE(in_one_volume);
    expect_gmsh_refused("two.msh", msh_of({tet_10, tet_20}, in_one_volume),
                        {"of several orders in ", "Mesh.ElementOrder"});
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
