// A mesh that is written by the tables of docs/mesh_format.md is read as it was meant.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/atomic_file.hpp"
#include "dg/hdf5/file.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

/// The cells of all table rows, without blanks and backquotes.
std::vector<std::vector<std::string>> rows_of_tables(const fs::path& page) {
  std::ifstream text(page);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("| `")) continue;
    std::istringstream row(line.substr(1));
    auto& cells = rows.emplace_back();
    for (std::string cell; std::getline(row, cell, '|');) {
      std::erase(cell, '`');
      const auto first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
      if (first != std::string::npos) cells.push_back(cell.substr(first, last - first + 1));
    }
  }
  return rows;
}

/// "[K, 4]" with the counts that the letters stand for.
hdf5::Shape shape_of(const std::string& text, const std::map<char, std::size_t>& counts) {
  hdf5::Shape shape;
  for (const char c : text) {
    if (counts.contains(c)) shape.push_back(counts.at(c));
    if (c >= '0' && c <= '9') shape.push_back(static_cast<std::size_t>(c - '0'));
  }
  return shape;
}

/// Two tetrahedra that share a face, which has a name, too.
struct Two {
  std::map<char, std::size_t> counts{{'n', 5}, {'K', 2}, {'R', 2}, {'m', 2}, {'S', 2}, {'C', 1}, {'G', 10}};
  std::map<std::string, std::vector<double>> reals{{"vertices", {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}},
                                                   {"cell_values/NAME", {1.5, 2.5}},
                                                   {"vertex_values/NAME", {1, 2, 3, 4, 5}},
                                                   {"curved_nodes", curved_nodes()}};
  std::map<std::string, std::vector<std::int32_t>> integers{{"cells", {3, 1, 2, 0, 1, 2, 3, 4}},
                                                            {"cell_region", {1, -1}},
                                                            {"surface_faces", {3, 1, 2, 1, 0, 2}},
                                                            {"surface_face_surface", {0, 1}},
                                                            {"curved_cells", {0}}};
  std::map<std::string, std::vector<std::string>> texts{{"regions", {"air", "glass"}}, {"surfaces", {"film", "wall"}}};

  /// Of the first, in the order that the page tells for order 2: with the edge between its vertices 1 and 3 bent.
  static std::vector<double> curved_nodes() {
    return {0, 0, 1, 0.5, 0, 0.5, 1,   0,    0, 0, 0.5, 0.5, 0.5, 0.5, 0,
            0, 1, 0, 0,   0, 0.5, 0.5, -0.1, 0, 0, 0.5, 0,   0,   0,   0};
  }
};

void write_attribute(hdf5::Writer& file, const std::vector<std::string>& row) {
  ASSERT_EQ(row.size(), 3U);
  if (row[1] == "integer") return file.put_attribute(row[0], std::stoi(row[2]));
  EXPECT_EQ(row[1], "string of fixed length");
  file.put_attribute(row[0], row[2]);
}

void write_dataset(hdf5::Writer& file, const std::vector<std::string>& row, const Two& two) {
  const std::string &name = row[0], &type = row[2];
  const hdf5::Shape shape = shape_of(row[1], two.counts);
  for (const char* group : {"cell_values", "vertex_values"}) {
    if (name.starts_with(std::string(group) + "/")) file.put_group(group);
  }
  if (type == "float64") return file.put(name, Dtype::float64, shape, two.reals.at(name).data());
  if (type == "int32") return file.put(name, Dtype::int32, shape, two.integers.at(name).data());
  ASSERT_EQ(type, "string");
  ASSERT_EQ(shape, hdf5::Shape{two.texts.at(name).size()});
  file.put(name, two.texts.at(name));
}

TEST(Hdf5Layout, file_written_by_the_documented_tables_is_read_as_meant) {
  const Two two;
  const fs::path path = fs::temp_directory_path() / ("maxwell_dg_layout_" + std::to_string(::getpid()) + ".h5");
  hdf5::Writer file(path.string());
  std::size_t datasets = 0;
  for (const auto& row : rows_of_tables(fs::path(MAXWELL_DG_SOURCE_DIR) / "docs/mesh_format.md")) {
    if (row.size() == 3) write_attribute(file, row);
    if (row.size() == 4) write_dataset(file, row, two), ++datasets;
  }
  ASSERT_EQ(datasets, two.reals.size() + two.integers.size() + two.texts.size());
  write_file_atomically(path, file.finish());

  const Mesh mesh = read_mesh(path, {.scale = 2.0});
  fs::remove(path);
  EXPECT_EQ(mesh.regions, two.texts.at("regions"));
  EXPECT_EQ(mesh.surfaces, two.texts.at("surfaces"));
  ASSERT_EQ(mesh.cells.size(), 2U);
  ASSERT_EQ(mesh.vertices.size(), 5U);
  for (std::size_t k = 0; k < 2; ++k) {
    const bool at_origin = centroid(mesh, mesh.cells[k]) == Point{0.5, 0.5, 0.5};  // a quarter, scaled by two
    EXPECT_EQ(mesh.cell_region[k], at_origin ? 1 : -1);
    EXPECT_EQ(mesh.cell_values.at("NAME")[k], at_origin ? 1.5 : 2.5);
  }
  for (std::size_t v = 0; v < 5; ++v) {
    const Point& x = mesh.vertices[v];
    const double expected = x[0] + x[1] + x[2] > 3 ? 5 : x[2] > 0 ? 4 : x[1] > 0 ? 3 : x[0] > 0 ? 2 : 1;
    EXPECT_EQ(mesh.vertex_values.at("NAME")[v], expected);
  }
  EXPECT_EQ(mesh.curved.order, 2);
  ASSERT_EQ(mesh.curved.count(), 1U);
  const std::size_t curved = mesh.curved.is_curved(0) ? 0 : 1;
  EXPECT_EQ(mesh.cell_region[curved], 1);
  EXPECT_EQ(std::ranges::count(mesh.curved.nodes_of(curved), Point{1, -0.2, 0}), 1);
  ASSERT_EQ(mesh.surface_faces.size(), 2U);
  for (const auto& face : mesh.surface_faces) {
    const double z = centroid(mesh, face.vertices)[2];
    EXPECT_NEAR(z, face.surface == 1 ? 0 : 2.0 / 3, 1e-15) << "the wall is at z = 0";
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
