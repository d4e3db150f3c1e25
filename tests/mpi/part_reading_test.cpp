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
#include <unistd.h>

#include "core/error.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/acoustics/acoustics.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/partition/mesh_part.hpp"
#include "dg/partition/restricted.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"

/// What ranks read of a mesh by slices is what they would keep of the whole, to the bit.
namespace maxwell_dg::dg {
namespace {

using testing::random_values;

const core::Communicator& world() {
  static const core::Communicator ranks = core::Communicator::world();
  return ranks;
}

/// A file that the first rank writes, and all see.
class MeshOnDisk {
 public:
  explicit MeshOnDisk(const Mesh& mesh) {
    if (world().is_first()) {
      path_ =
          std::filesystem::temp_directory_path() / ("maxwell_dg_part_reading_" + std::to_string(::getpid()) + ".h5");
      write_mesh(mesh, path_);
    }
    path_ = world().broadcast(path_.string());
  }
  ~MeshOnDisk() {
    (void)world().broadcast("all have read it");
    std::vector<double> arrived(1);
    world().sum(arrived);
    if (world().is_first()) std::filesystem::remove(path_);
  }
  MeshOnDisk(const MeshOnDisk&) = delete;
  MeshOnDisk& operator=(const MeshOnDisk&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

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

/// Two regions, named faces within and outside, values of both kinds.
Mesh box_with_everything(const std::array<int, 3>& cells) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1.5, 1}, .cells = cells});
  mesh.regions = {"left", "right"};
  mesh.surfaces.emplace_back("between");
  const Connectivity connectivity = Connectivity::make(mesh);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    mesh.cell_region[k] = centroid(mesh, mesh.cells[k])[0] > 0.4 ? 1 : k % 7 == 0 ? -1 : 0;
  }
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t n = connectivity.neighbours[k].at(f);
      if (n < 0 || index(n / 4) < k || mesh.cell_region[k] == mesh.cell_region[index(n / 4)]) continue;
      const auto& [a, b, c] = face_vertices.at(f);
      mesh.surface_faces.push_back({{mesh.cells[k].at(a), mesh.cells[k].at(b), mesh.cells[k].at(c)}, 6});
    }
  }
  distort(mesh, 0.02);
  mesh.cell_values["density"] = random_values(mesh.cells.size(), 2);
  mesh.vertex_values["height"] = random_values(mesh.vertices.size(), 3);
  return mesh;
}

struct Case {
  std::string name;
  std::function<Mesh()> make;
  std::vector<PeriodicPair> periodic{};
  std::vector<std::string> walls{};
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
           {"between"}}};
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

const CellCost equal_costs = [](std::int32_t, bool, const Point&) { return 1.0; };

TEST_P(PartReading, gives_what_is_kept_of_the_whole) {
  constexpr double scale = 0.7;
  const MeshOnDisk file(GetParam().make());
  Mesh mesh = read_mesh(file.path(), {.scale = scale});
  join_periodic(mesh, GetParam().periodic);
  mesh.walls = chosen(mesh.surfaces, GetParam().walls);
  ASSERT_EQ(mesh.curved.any(), GetParam().name.starts_with("curved"));
  const std::vector<bool> mesh_walls = mesh.walls;
  const Discretization whole(std::move(mesh), 2);

  PartOfMesh part =
      read_part(*open_mesh(file.path(), scale), equal_costs, GetParam().periodic, world(), {.walls = mesh_walls});
  EXPECT_EQ(part.whole_cells, whole.K());
  EXPECT_EQ(part.whole_vertices, whole.mesh.vertices.size());
  const std::vector<int> ranks = ranks_of_elements(part, own_cells_of(part));
  ASSERT_TRUE(std::ranges::none_of(ranks, [](int rank) { return rank < 0; })) << "an element has no rank";

  const MeshPart expected = part_of(whole, testing::plain_problem(acoustics::system(), whole), ranks, world().rank());
  expect_same(discretization_of(std::move(part), 2), restricted(whole, expected));
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
