#include "dg/partition/distributed/part_reading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numeric>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/partition/distributed/complex_part.hpp"
#include "dg/partition/mesh_part.hpp"
#include "dg/partition/restricted.hpp"
#include "tests/mpi/mesh_on_disk.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"

/// What ranks read of a mesh by slices is what they would keep of the whole, to the bit.
namespace maxwell_dg::dg {
namespace {

/// As a stranger's program may have written it: cells, their vertices, vertices and faces in any order.
Mesh shuffled(const Mesh& mesh) {
  std::mt19937 random(3);
  std::vector<std::int32_t> vertex(mesh.vertices.size()), cell(mesh.cells.size());
  std::iota(vertex.begin(), vertex.end(), 0);
  std::iota(cell.begin(), cell.end(), 0);
  std::ranges::shuffle(vertex, random);
  std::ranges::shuffle(cell, random);
  Mesh result = mesh;
  for (std::size_t v = 0; v < vertex.size(); ++v) {
    result.vertices[index(vertex[v])] = mesh.vertices[v];
    for (auto& [name, values] : result.vertex_values) values[index(vertex[v])] = mesh.vertex_values.at(name)[v];
  }
  result.curved.reorder(cell);
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const std::size_t from = index(cell[k]);
    for (std::size_t i = 0; i < 4; ++i) result.cells[k].at(i) = vertex[index(mesh.cells[from].at(i))];
    result.cell_region[k] = mesh.cell_region[from];
    for (auto& [name, values] : result.cell_values) values[k] = mesh.cell_values.at(name)[from];
  }
  for (auto& face : result.surface_faces) {
    for (auto& v : face.vertices) v = vertex[index(v)];
  }
  std::ranges::shuffle(result.surface_faces, random);
  return result;
}

struct Case {
  std::string name;
  std::function<Mesh()> make;
  std::vector<PeriodicPair> periodic{};
  std::vector<std::string> walls{};
  std::vector<bool> varying{};  ///< [region + 1]
  FieldNumbers numbers = FieldNumbers::real;
};

/// [surface]
std::vector<bool> chosen(const std::vector<std::string>& surfaces, const std::vector<std::string>& names) {
  std::vector<bool> result;
  for (const std::string& surface : surfaces) result.push_back(std::ranges::count(names, surface) > 0);
  return result;
}

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

Mesh periodic_mesh() {
  return make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {4, 3, 3}});
}

/// Periodic along x, and curved where z is small: not at the surfaces y, and alike at both ends of x.
Mesh curved_periodic_mesh() {
  Mesh mesh = periodic_mesh();
  curve(mesh, 2, [](const Point& x) {
    const double by = 0.1 * std::max(0.0, 0.5 - x[2]);
    return Point{x[0], x[1], x[2] + by * std::sin(2 * M_PI * x[0]) * x[1]};
  });
  prepare(mesh, "curved", Orientation::any);
  return mesh;
}

std::vector<Case> all_cases() {
  const std::vector<PeriodicPair> along_x_and_y{{"x_min", "x_max", "here"}, {"y_min", "y_max", "here"}};
  return {{"as_written",
           [] {
             return box_with_everything({4, 3, 5});
           }},
          {"in_any_order",
           [] {
             return shuffled(box_with_everything({4, 3, 5}));
           }},
          {"curved", [] { return testing::half_curved_random_mesh(120, 3); }},
          {"curved_in_any_order", [] { return shuffled(testing::half_curved_random_mesh(120, 2)); }},
          {"periodic", periodic_mesh, along_x_and_y},
          {"periodic_in_any_order", [] { return shuffled(periodic_mesh()); }, along_x_and_y},
          {"curved_and_periodic", curved_periodic_mesh, {{"x_min", "x_max", "here"}}},
          {"wall_inside",
           [] {
             return box_with_everything({4, 3, 5});
           },
           {},
           {"between", "x_min"}},
          {"wall_inside_in_any_order",
           [] {
             return shuffled(box_with_everything({5, 4, 6}));
           },
           {},
           {"between"}},
          {"varying_media",
           [] {
             return box_with_everything({5, 4, 6});
           },
           {},
           {},
           {true, false, true}},
          {"varying_media_in_any_order",
           [] {
             return shuffled(box_with_everything({5, 4, 6}));
           },
           {},
           {"between"},
           {false, true, false}},
          {"curved_with_varying_media",
           [] { return shuffled(testing::half_curved_random_mesh(120, 3)); },
           {},
           {},
           {true, true}},
          {"complex_fields_in_any_order",
           [] { return shuffled(periodic_mesh()); },
           along_x_and_y,
           {},
           {},
           FieldNumbers::complex},
          {"curved_and_complex",
           curved_periodic_mesh,
           {{"x_min", "x_max", "here"}},
           {},
           {true, true},
           FieldNumbers::complex}};
}

class PartReading : public ::testing::TestWithParam<Case> {};

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

void expect_same(const Halo& a, const Halo& b) {
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].rank, b.links[i].rank);
    EXPECT_EQ(a.links[i].sent, b.links[i].sent);
    EXPECT_EQ(a.links[i].received, b.links[i].received);
  }
}

void expect_same(const Discretization& a, const Discretization& b) {
  EXPECT_EQ(a.whole_numbers, b.whole_numbers);
  EXPECT_EQ(a.own(), b.own());
  ASSERT_EQ(a.K(), b.K());
  EXPECT_EQ(a.mesh.vertices, b.mesh.vertices);
  EXPECT_EQ(a.mesh.cells, b.mesh.cells);
  EXPECT_EQ(a.mesh.identity, b.mesh.identity);
  EXPECT_EQ(a.mesh.cell_values, b.mesh.cell_values);
  EXPECT_EQ(a.mesh.vertex_values, b.mesh.vertex_values);
  EXPECT_EQ(a.mesh.curved.number, b.mesh.curved.number);
  EXPECT_EQ(digest(a.mesh), digest(b.mesh)) << "regions, named faces, curved nodes";
  EXPECT_EQ(bytes_of(a.geometry.metric), bytes_of(b.geometry.metric));
  EXPECT_EQ(bytes_of(a.geometry.J), bytes_of(b.geometry.J));
  EXPECT_EQ(bytes_of(a.geometry.faces), bytes_of(b.geometry.faces));
  EXPECT_EQ(a.connectivity.neighbours, b.connectivity.neighbours);
  ASSERT_EQ(a.connectivity.boundary_faces.size(), b.connectivity.boundary_faces.size());
  EXPECT_EQ(bytes_of(a.connectivity.boundary_faces), bytes_of(b.connectivity.boundary_faces));
  ASSERT_EQ(a.ranges.size(), b.ranges.size());
  for (std::size_t r = 0; r < a.ranges.size(); ++r) {
    EXPECT_EQ(a.ranges[r].begin, b.ranges[r].begin);
    EXPECT_EQ(a.ranges[r].end, b.ranges[r].end);
    EXPECT_EQ(a.ranges[r].shape, b.ranges[r].shape);
    EXPECT_EQ(a.ranges[r].place, b.ranges[r].place);
  }
  expect_same(a.halo, b.halo);
  ASSERT_EQ(a.curved.has_value(), b.curved.has_value());
  if (!a.curved) return;
  EXPECT_EQ(a.curved->node_positions, b.curved->node_positions);
  EXPECT_EQ(bytes_of(a.curved->at_volume_points), bytes_of(b.curved->at_volume_points));
  EXPECT_EQ(bytes_of(a.curved->at_face_points), bytes_of(b.curved->at_face_points));
}

/// [element] by what each rank's part says.
std::vector<int> ranks_of_elements(const PartOfMesh& part, std::size_t own) {
  std::vector<int> result(part.whole_cells, -1);
  const std::vector<std::int32_t> mine(part.whole_numbers.begin(),
                                       part.whole_numbers.begin() + static_cast<std::ptrdiff_t>(own));
  int rank = 0;
  for (const auto& of_rank : world().gather_to_all(std::as_bytes(std::span(mine)))) {
    for (const std::int32_t k : core::values_of<std::int32_t>(of_rank)) {
      EXPECT_EQ(result.at(index(k)), -1) << "element " << k << " has two ranks";
      result.at(index(k)) = rank;
    }
    ++rank;
  }
  return result;
}

std::size_t own_cells_of(const PartOfMesh& part) {
  std::size_t own = 0;
  for (const ElementRange& range : part.ranges) {
    if (range.place != ElementRange::Place::ghost) own += range.size();
  }
  return own;
}

TEST_P(PartReading, gives_what_is_kept_of_the_whole) {
  constexpr double scale = 0.7;
  const Case& c = GetParam();
  const MeshOnDisk file(c.make());
  Mesh mesh = read_mesh(file.path(), {.scale = scale});
  ASSERT_EQ(mesh.curved.any(), c.name.starts_with("curved"));
  if (!c.varying.empty()) {
    std::vector<bool> cells;
    for (const std::int32_t region : mesh.cell_region) cells.push_back(c.varying[index(region + 1)]);
    count_as_curved(mesh, cells);
    ASSERT_TRUE(mesh.curved.any());
  }
  join_periodic(mesh, c.periodic);
  mesh.walls = chosen(mesh.surfaces, c.walls);
  const std::vector<bool> mesh_walls = mesh.walls;
  const Discretization whole(std::move(mesh), 2, c.numbers);

  PartOfMesh part = read_part(*open_mesh(file.path(), scale), equal_costs, c.periodic, world(),
                              {.walls = mesh_walls, .around = {}, .as_curved = c.varying});
  if (c.numbers == FieldNumbers::complex) part = with_imaginary_parts(std::move(part));
  EXPECT_EQ(part.whole_cells, whole.K());
  EXPECT_EQ(part.whole_vertices, whole.mesh.vertices.size());
  const std::vector<int> ranks = ranks_of_elements(part, own_cells_of(part));
  ASSERT_TRUE(std::ranges::none_of(ranks, [](int rank) { return rank < 0; })) << "an element has no rank";

  const MeshPart expected = part_of(whole, testing::plain_problem(acoustics::system(), whole), ranks, world().rank());
  const Discretization found = discretization_of(std::move(part), 2, c.numbers), kept = restricted(whole, expected);
  expect_same(found, kept);
  for (std::size_t k = 0; k < found.K(); ++k) {
    const std::size_t real = found.complex_view.element(k, FieldPart::real);
    EXPECT_EQ(index(found.whole_numbers[real]) % whole.complex_view.places(),
              index(found.whole_numbers[k]) % whole.complex_view.places());
    EXPECT_EQ(found.complex_view.part(k), whole.complex_view.part(index(found.whole_numbers[k])));
  }
}

/// All ranks have the cells around some surfaces as the whole mesh has them.
TEST_P(PartReading, gives_what_is_around_surfaces) {
  const Case& c = GetParam();
  const MeshOnDisk file(c.make());
  Mesh whole = read_mesh(file.path());
  join_periodic(whole, c.periodic);
  const std::vector<bool> wanted = chosen(whole.surfaces, {"z_max", "between"});
  const CellsAround around = read_part(*open_mesh(file.path()), equal_costs, c.periodic, world(),
                                       {.walls = {}, .around = wanted, .as_curved = {}})
                                 .around;
  std::vector<bool> is_near(whole.vertices.size());
  for (const auto& face : whole.surface_faces) {
    for (const std::int32_t v : face.vertices) is_near[index(v)] = is_near[index(v)] || wanted[index(face.surface)];
  }
  std::vector<std::int32_t> expected;
  for (std::size_t k = 0; k < whole.cells.size(); ++k) {
    if (std::ranges::any_of(whole.cells[k], [&](std::int32_t v) { return is_near[index(v)]; })) {
      expected.push_back(static_cast<std::int32_t>(k));
    }
  }
  ASSERT_EQ(around.numbers, expected);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t v = 0; v < 4; ++v) {
      EXPECT_EQ(around.mesh.vertices[index(around.mesh.cells[i].at(v))],
                whole.vertices[index(whole.cells[index(expected[i])].at(v))]);
    }
  }
  const auto count = [&](const Mesh& mesh) {
    return std::ranges::count_if(mesh.surface_faces, [&](const auto& face) { return wanted[index(face.surface)]; });
  };
  EXPECT_EQ(count(around.mesh), count(whole));
}

INSTANTIATE_TEST_SUITE_P(Meshes, PartReading, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return each.param.name; });

TEST(PartReadingOfBoxes, gives_what_is_kept_of_the_whole) {
  const Box box{.min = {0, 0, 0}, .max = {1, 2, 1}, .cells = {5, 4, 3}};
  const Discretization whole(make_box(box), 1);
  PartOfMesh part = read_part(*rows_of(box), equal_costs, {}, world());
  const std::vector<int> ranks = ranks_of_elements(part, own_cells_of(part));
  const MeshPart expected = part_of(whole, testing::plain_problem(acoustics::system(), whole), ranks, world().rank());
  expect_same(discretization_of(std::move(part), 1), restricted(whole, expected));
}

TEST(PartReadingByCosts, gives_ranks_equal_costs) {
  const Box box{.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {8, 8, 8}};
  const MeshOnDisk file([&] {
    Mesh mesh = make_box(box);
    mesh.regions.emplace_back("dear");
    for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
      mesh.cell_region[k] = centroid(mesh, mesh.cells[k])[1] > 0.7 ? 1 : 0;
    }
    return mesh;
  }());
  const auto cost = [](std::int32_t region, bool, const Point&) { return region == 1 ? 4.5 : 1.0; };
  const PartOfMesh part = read_part(*open_mesh(file.path()), cost, {}, world());
  std::array<double, 1> mine{}, total{};
  for (std::size_t k = 0; k < own_cells_of(part); ++k) mine[0] += cost(part.mesh.cell_region[k], false, {});
  total = mine;
  world().sum(total);
  EXPECT_LE(std::abs(mine[0] - total[0] / world().size()), 4.5);
}

}  // namespace
}  // namespace maxwell_dg::dg
