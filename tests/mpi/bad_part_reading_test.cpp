#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dg/mesh/connectivity.hpp"
#include "dg/partition/distributed/part_reading.hpp"
#include "tests/mpi/mesh_on_disk.hpp"

/// Meshes with faults that ranks read by slices: all say the same of them.
namespace maxwell_dg::dg {
namespace {

/// Reads it, and returns the error of this rank.
std::string error_of(const Mesh& mesh, std::span<const PeriodicPair> periodic = {}) {
  const MeshOnDisk file(mesh);
  std::string error;
  try {
    (void)read_part(*open_mesh(file.path()), equal_costs, periodic, world());
  } catch (const std::exception& caught) {
    error = caught.what();
  }
  const std::string first = world().broadcast(error);
  EXPECT_EQ(error, first) << "ranks throw different errors";
  const std::size_t prefix = error.find(file.path().string());
  return prefix == 0 ? error.substr(file.path().string().size()) : error;
}

TEST(PartReadingOfBadMeshes, says_what_is_wrong_on_all_ranks) {
  const Mesh good = box_with_everything({4, 3, 3});
  Mesh bad = good;
  bad.cells.back()[2] = static_cast<std::int32_t>(good.vertices.size());
  EXPECT_EQ(error_of(bad),
            ": elements refer to vertices that the mesh does not have: the file is damaged, write it anew");
  bad = good;
  bad.surface_faces.back().vertices[0] = -1;
  EXPECT_EQ(error_of(bad),
            ": elements refer to vertices that the mesh does not have: the file is damaged, write it anew");
  bad = good;
  bad.cell_region.back() = 2;
  EXPECT_NE(error_of(bad).find("its regions or surfaces do not fit its elements"), std::string::npos);
  bad = good;
  bad.cells.back()[3] = bad.cells.back()[2];
  EXPECT_NE(error_of(bad).find("degenerate (flat) tetrahedron"), std::string::npos);
  bad = good;
  bad.surface_faces.push_back(bad.surface_faces.front());
  bad.surface_faces.back().surface = (bad.surface_faces.front().surface + 1) % 6;
  EXPECT_NE(error_of(bad).find(": a triangle belongs to both surface '"), std::string::npos);
  bad = good;
  bad.vertices.emplace_back();
  for (auto& [name, values] : bad.vertex_values) values.push_back(0);
  EXPECT_EQ(error_of(bad), "it has vertices that no tetrahedron has");
}

TEST(PartReadingOfBadMeshes, finds_cells_that_do_not_fit_together) {
  // Two cells, and a third one at the face between them, far from both along the curve.
  const Mesh good = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 3, 3}});
  for (const std::size_t k : {std::size_t{0}, good.cells.size() / 2, good.cells.size() - 1}) {
    Mesh bad = good;
    const auto neighbours = Connectivity::make(good).neighbours[k];
    const auto f =
        static_cast<std::size_t>(std::ranges::find_if(neighbours, [](auto n) { return n >= 0; }) - neighbours.begin());
    const auto& [a, b, c] = face_vertices.at(f);
    bad.vertices.push_back({k == 0 ? 4.01 : -4.02, 0.53, 0.57});
    bad.cells.push_back({good.cells[k].at(a), good.cells[k].at(b), good.cells[k].at(c),
                         static_cast<std::int32_t>(good.vertices.size())});
    bad.cell_region.push_back(0);
    const std::string error = error_of(bad);
    EXPECT_NE(error.find("more than two tetrahedra share the face"), std::string::npos) << k << error;
  }
  // A cube beside another, with vertices of its own on the plane between.
  Mesh cut = make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {3, 3, 3}});
  const Mesh other = make_box({.min = {1, 0, 0}, .max = {2, 1, 1}, .cells = {3, 3, 3}});
  const auto begin = static_cast<std::int32_t>(cut.vertices.size());
  cut.vertices.insert(cut.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (auto cell : other.cells) {
    for (auto& v : cell) v += begin;
    cut.cells.push_back(cell);
    cut.cell_region.push_back(0);
  }
  EXPECT_NE(error_of(cut).find("that coincide with others"), std::string::npos);
  const std::vector<PeriodicPair> pairs{{"x_min", "y_max", "here"}};
  EXPECT_NE(error_of(make_box({.cells = {3, 3, 3}}), pairs).find("here: the surfaces 'x_min' and 'y_max' do not match"),
            std::string::npos);
}

}  // namespace
}  // namespace maxwell_dg::dg
