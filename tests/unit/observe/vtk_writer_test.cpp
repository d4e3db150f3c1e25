#include "dg/observe/files/vtk_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <random>
#include <sstream>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/error.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/observe/files/lagrange_nodes.hpp"
#include "dg/observe/files/surface_grid.hpp"
#include "dg/observe/files/vtu_arrays.hpp"
#include "tests/unit/observe/temporary_directory.hpp"
#include "tests/unit/observe/vtu_reader.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

constexpr int field_count = 4;  // p and the vector v

Discretization skewed_box(int N) {
  return {make_box({.min = {0, 0, 0}, .max = {2, 1, 0.5}, .cells = {2, 1, 1}}), N};
}

std::vector<double> random_values(const Discretization& d) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> q(d.K() * static_cast<std::size_t>(field_count * d.Np()));
  for (double& value : q) value = uniform(random);
  return q;
}

const std::vector<VtkWriter::PointData> all_fields{{"p", {0}, {1.0}}, {"v", {1, 2, 3}, {10.0, 10.0, 10.0}}};

/// Vertices of element k, the last two exchanged where VTK would call it left-handed.
std::array<Eigen::Vector3d, 4> right_handed_vertices(const Discretization& d, std::size_t k) {
  std::array<Eigen::Vector3d, 4> v;
  for (std::size_t i = 0; i < 4; ++i) {
    v[i] = Eigen::Vector3d(d.mesh.vertices[static_cast<std::size_t>(d.mesh.cells[k][i])].data());
  }
  if ((v[1] - v[0]).cross(v[2] - v[0]).dot(v[3] - v[0]) < 0) std::swap(v[2], v[3]);
  return v;
}

/// Between reference coordinates in an element and space, by its vertices alone: x = origin + A (rst + 1) / 2.
struct Affine {
  Eigen::Vector3d origin;
  Eigen::Matrix3d A;
  Affine(const Discretization& d, std::size_t k) {
    const auto vertex = [&](std::size_t i) {
      return Eigen::Vector3d(d.mesh.vertices[static_cast<std::size_t>(d.mesh.cells[k][i])].data());
    };
    origin = vertex(0);
    A << vertex(1) - origin, vertex(2) - origin, vertex(3) - origin;
  }
};

Eigen::Vector3d reference_coordinates(const Discretization& d, std::size_t k, const Eigen::Vector3d& x) {
  const Affine map(d, k);
  return (2 * map.A.inverse() * (x - map.origin)).array() - 1;
}

Eigen::Vector3d position(const Discretization& d, const PointLocation& point) {
  const Affine map(d, point.cell);
  return map.origin + map.A * (Eigen::Vector3d(point.rst.data()).array() + 1).matrix() / 2;
}

double polynomial(const Discretization& d, const std::vector<double>& q, std::size_t k, int field,
                  const Eigen::Vector3d& rst) {
  const auto at = (k * field_count + static_cast<std::size_t>(field)) * static_cast<std::size_t>(d.Np());
  return d.reference.lagrange(rst[0], rst[1], rst[2]).dot(Eigen::Map<const Eigen::VectorXd>(&q[at], d.Np()));
}

class VtkWriterOrder : public testing::TestWithParam<int> {};

TEST_P(VtkWriterOrder, nodes_lie_where_vtk_has_them_and_hold_the_polynomials) {
  const TemporaryDirectory directory;
  const Discretization d = skewed_box(GetParam());
  const std::vector<double> q = random_values(d);
  ASSERT_TRUE(std::ranges::any_of(d.geometry.J, [](double J) { return J < 0; })) << "no element is mirrored";
  VtkWriter(d, Dtype::float64, {}).write(directory / "a.vtu", q, field_count, all_fields);
  const std::vector<double> x = read_vtu_array(directory / "a.vtu", "Points");
  const std::vector<double> p = read_vtu_array(directory / "a.vtu", "p");
  const std::vector<double> v = read_vtu_array(directory / "a.vtu", "v");
  ASSERT_EQ(x.size(), 3 * d.K() * static_cast<std::size_t>(d.Np()));
  ASSERT_EQ(p.size() * 3, x.size());
  ASSERT_EQ(v.size(), x.size());
  std::size_t n = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    const std::array<Eigen::Vector3d, 4> vertices = right_handed_vertices(d, k);
    for (const std::array<int, 4>& weights : lagrange_tetrahedron_nodes(GetParam())) {
      Eigen::Vector3d right = Eigen::Vector3d::Zero();
      for (std::size_t i = 0; i < 4; ++i) right += weights.at(i) * vertices.at(i) / GetParam();
      const Eigen::Vector3d seen(&x[3 * n]);
      ASSERT_LT((seen - right).norm(), 1e-13) << "cell " << k;
      const Eigen::Vector3d rst = reference_coordinates(d, k, seen);
      EXPECT_NEAR(p[n], polynomial(d, q, k, 0, rst), 1e-10) << "cell " << k;
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(v[3 * n + static_cast<std::size_t>(c)], 10 * polynomial(d, q, k, 1 + c, rst), 1e-9) << "cell " << k;
      }
      ++n;
    }
  }
}

TEST_P(VtkWriterOrder, curved_cells_have_their_nodes_where_their_maps_do) {
  const TemporaryDirectory directory;
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {2, 1, 0.5}, .cells = {2, 1, 1}});
  curve(mesh, 3, [](const Point& p) {  // straight where x < 1
    const double beyond = std::max(0.0, p[0] - 1);
    return Point{p[0] + 0.1 * beyond * p[1] * p[1], p[1] + 0.2 * beyond * beyond * p[2], p[2]};
  });
  const Discretization d(std::move(mesh), GetParam());
  ASSERT_GT(d.mesh.curved.count(), 0U);
  ASSERT_LT(d.mesh.curved.count(), d.K());
  const std::vector<double> q = random_values(d);
  VtkWriter(d, Dtype::float64, {}).write(directory / "a.vtu", q, field_count, all_fields);
  const std::vector<ElementFace> faces{{0, 0}, {d.K() - 1, 2}, {d.K() - 2, 3}};
  SurfaceGrid surface(d, faces, {0, 0, 0}, Dtype::float64);
  const std::vector<double> x = read_vtu_array(directory / "a.vtu", "Points");
  const std::vector<double> p = read_vtu_array(directory / "a.vtu", "p");
  std::size_t n = 0;
  for (std::size_t k = 0; k < d.K(); ++k) {
    const bool is_mirrored = d.geometry.J[k] < 0;
    for (const std::array<int, 4>& weights : lagrange_tetrahedron_nodes(GetParam())) {
      const auto coordinate = [&](std::size_t i) { return 2.0 * weights.at(i) / GetParam() - 1; };
      const Point rst{coordinate(1), coordinate(is_mirrored ? 3 : 2), coordinate(is_mirrored ? 2 : 3)};
      const Point seen{x[3 * n], x[3 * n + 1], x[3 * n + 2]};
      EXPECT_LT(distance(seen, position_of(d.mesh, {k, rst})), 1e-14) << "cell " << k;
      EXPECT_NEAR(p[n], polynomial(d, q, k, 0, Eigen::Vector3d(rst.data())), 1e-10) << "cell " << k;
      ++n;
    }
  }
  const std::vector<Point> on_surface = surface.positions(d.mesh);
  for (std::size_t i = 0; i < on_surface.size(); ++i) {
    EXPECT_LT(distance(on_surface[i], position_of(d.mesh, surface.points()[i])), 1e-14);
  }
}

TEST_P(VtkWriterOrder, surfaces_look_outwards_and_hold_the_polynomials) {
  const TemporaryDirectory directory;
  const Discretization d = skewed_box(GetParam());
  const std::vector<double> q = random_values(d);
  const std::vector<ElementFace> faces{{0, 0}, {3, 1}, {7, 2}, {8, 3}};
  SurfaceGrid surface(d, faces, {4, 5, 6, 7}, Dtype::float64);
  std::vector<double> values;  // [point][field]
  for (const PointLocation& p : surface.points()) {
    for (int f = 0; f < field_count; ++f) values.push_back(polynomial(d, q, p.cell, f, Eigen::Vector3d(p.rst.data())));
  }
  surface.write(directory / "a.vtu", values, field_count, all_fields);

  EXPECT_EQ(read_vtu_array(directory / "a.vtu", "surface"), (std::vector<double>{4, 5, 6, 7}));
  EXPECT_EQ(read_vtu_array(directory / "a.vtu", "types"), (std::vector<double>{69, 69, 69, 69}));
  const std::vector<double> x = read_vtu_array(directory / "a.vtu", "Points");
  const std::vector<double> p = read_vtu_array(directory / "a.vtu", "p");
  const std::vector<double> v = read_vtu_array(directory / "a.vtu", "v");
  const auto Nfp = static_cast<std::size_t>(d.reference.Nfp);
  ASSERT_EQ(x.size(), 3 * faces.size() * Nfp);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const auto at = [&](std::size_t n) { return Eigen::Vector3d(&x[3 * (i * Nfp + n)]); };
    const Geometry::Face& g = d.geometry.faces[faces[i].element].at(static_cast<std::size_t>(faces[i].face));
    EXPECT_GT((at(1) - at(0)).cross(at(2) - at(0)).dot(Eigen::Vector3d(g.nx, g.ny, g.nz)), 0);
    const std::vector<std::array<int, 3>> nodes = lagrange_triangle_nodes(GetParam());
    for (std::size_t n = 0; n < Nfp; ++n) {
      const Eigen::Vector3d right = (nodes[n][0] * at(0) + nodes[n][1] * at(1) + nodes[n][2] * at(2)) / GetParam();
      ASSERT_LT((at(n) - right).norm(), 1e-13) << "face " << i;
      const Eigen::Vector3d rst = reference_coordinates(d, faces[i].element, at(n));
      EXPECT_NEAR(p[i * Nfp + n], polynomial(d, q, faces[i].element, 0, rst), 1e-10) << "face " << i;
      EXPECT_NEAR(v[3 * (i * Nfp + n) + 1], 10 * polynomial(d, q, faces[i].element, 2, rst), 1e-9) << "face " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(orders, VtkWriterOrder, testing::Range(1, 10));

/// What vtk_reads_it.py expects, at x of an element.
std::array<double, field_count> expected_by_python(int N, double factor, const Point& x) {
  const double p = factor * std::pow(0.3 + x[0] - 0.5137 * x[1] + 0.2718 * x[2], N);
  return {p, p, -2 * p, x[0] / 10};
}

/// Writes the volume and some faces with those values; returns what the script is told of the files.
std::string write_for_python(const fs::path& directory, int N) {
  const Discretization d = skewed_box(N);
  const auto Np = static_cast<std::size_t>(d.Np());
  std::vector<double> q(d.K() * field_count * Np), factors;
  for (std::size_t k = 0; k < d.K(); ++k) {
    factors.push_back(1 + 0.5 * static_cast<double>(k));
    for (std::size_t n = 0; n < Np; ++n) {
      const auto values = expected_by_python(N, factors[k], d.node(k, static_cast<int>(n)));
      for (std::size_t f = 0; f < field_count; ++f) q[(k * field_count + f) * Np + n] = values.at(f);
    }
  }
  const fs::path volume = directory / ("volume" + std::to_string(N) + ".vtu");
  VtkWriter(d, Dtype::float64, {{"factor", factors}}).write(volume, q, field_count, all_fields);

  const std::vector<ElementFace> faces{{0, 0}, {3, 1}, {7, 2}, {8, 3}};
  SurfaceGrid surface(d, faces, {0, 0, 0, 0}, Dtype::float64);
  std::vector<double> values;
  for (const PointLocation& p : surface.points()) {
    const Eigen::Vector3d x = position(d, p);
    const auto expected = expected_by_python(N, 1, {x[0], x[1], x[2]});
    values.insert(values.end(), expected.begin(), expected.end());
  }
  const fs::path skin = directory / ("surface" + std::to_string(N) + ".vtu");
  surface.write(skin, values, field_count, all_fields);

  const std::string order = std::to_string(N);
  return "'" + volume.string() + "' " + order + " 71 '" + skin.string() + "' " + order + " 69 ";
}

TEST(vtk_writer, vtk_itself_gives_back_the_polynomials) {
  const TemporaryDirectory directory;
  std::string files;
  for (int N = 1; N <= 9; ++N) files += write_for_python(directory.path(), N);
  const fs::path script = fs::path(MAXWELL_DG_SOURCE_DIR) / "tests/unit/observe/vtk_reads_it.py";
  int code = 77;
  for (const char* python : {"/usr/bin/python3", "python3"}) {  // Debian's packages belong to the first
    if (code != 77) break;
    const std::string command = std::string(python) + " -B '" + script.string() + "' " + files + " >'" +
                                (directory / "said").string() + "' 2>&1";
    code = WEXITSTATUS(std::system(command.c_str()));
  }
  if (code == 77) GTEST_SKIP() << "no Python module vtkmodules: install python3-vtk9 or python3-paraview";
  EXPECT_EQ(code, 0) << content_of(directory / "said");
}

TEST(vtk_writer, cells_carry_their_region_and_parameters) {
  const TemporaryDirectory directory;
  Mesh mesh = make_box({.cells = {2, 1, 1}});
  mesh.regions = {"glass", "air"};
  std::vector<double> epsilon_r;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    mesh.cell_region[k] = static_cast<std::int32_t>(k % 3) - 1;
    epsilon_r.push_back(1 + 0.5 * static_cast<double>(k));
  }
  const Discretization d(mesh, 1);
  const std::vector<VtkWriter::CellData> cell_data{{"epsilon_r", epsilon_r}};
  VtkWriter(d, Dtype::float32, cell_data).write(directory / "a.vtu", random_values(d), field_count, all_fields);
  EXPECT_EQ(read_vtu_array(directory / "a.vtu", "region"),
            std::vector<double>(mesh.cell_region.begin(), mesh.cell_region.end()));
  EXPECT_EQ(read_vtu_array(directory / "a.vtu", "epsilon_r"), epsilon_r);
}

TEST(vtk_writer, files_are_text_from_end_to_end) {
  // Raw bytes are no XML: a strict parser (Expat 2.6) stops at them.
  const TemporaryDirectory directory;
  const Discretization d = skewed_box(3);
  VtkWriter(d, Dtype::float64, {}).write(directory / "a.vtu", random_values(d), field_count, all_fields);
  const std::string content = content_of(directory / "a.vtu");
  EXPECT_TRUE(content.ends_with("</VTKFile>\n"));
  EXPECT_TRUE(std::all_of(content.begin(), content.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

TEST(vtk_writer, single_precision_files_are_half_as_large) {
  const TemporaryDirectory directory;
  const Discretization d(make_box({.cells = {4, 4, 4}}), 3);
  const std::vector<double> q = random_values(d);
  VtkWriter(d, Dtype::float32, {}).write(directory / "single.vtu", q, field_count, all_fields);
  VtkWriter(d, Dtype::float64, {}).write(directory / "double.vtu", q, field_count, all_fields);
  EXPECT_LT(fs::file_size(directory / "single.vtu"),
            0.6 * static_cast<double>(fs::file_size(directory / "double.vtu")));
  const double field_bytes = static_cast<double>(q.size() * sizeof(float));
  EXPECT_LT(static_cast<double>(fs::file_size(directory / "single.vtu")), 1.9 * field_bytes);
}

TEST(vtk_writer, names_of_arrays_stay_names_whatever_they_hold) {
  std::ostringstream file;
  VtuArrays(file).add("<E>\"&\nR\xe4ume", 1, std::span<const double>(std::array{1.0}));
  EXPECT_NE(file.str().find(" Name=\"&lt;E&gt;&quot;&amp; R\xef\xbf\xbdume\" "), std::string::npos) << file.str();
}

TEST(vtk_writer, arrays_of_several_blocks_and_zeros_read_back) {
  const TemporaryDirectory directory;
  const Discretization d(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {8, 8, 8}}), 3);
  const auto Np = static_cast<std::size_t>(d.Np());
  std::vector<double> q(d.K() * field_count * Np, 0.0);  // p, field 0, remains zero
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t i = 0; i < field_count * Np; ++i) {
      if (i >= Np) q[k * field_count * Np + i] = static_cast<double>(k);
    }
  }
  VtkWriter writer(d, Dtype::float64, {});
  for (const char* name : {"a.vtu", "b.vtu"}) {  // the second from the text that the first has left
    writer.write(directory / name, q, field_count, all_fields);
    const std::vector<double> p = read_vtu_array(directory / name, "p");
    const std::vector<double> v = read_vtu_array(directory / name, "v");
    ASSERT_EQ(p.size(), d.K() * Np);
    ASSERT_EQ(v.size(), 3 * p.size());
    ASSERT_GT(v.size() * sizeof(double), std::size_t{1} << 20);
    for (std::size_t i = 0; i < v.size(); ++i) {
      ASSERT_EQ(p[i / 3], 0.0);
      ASSERT_NEAR(v[i], 10.0 * static_cast<double>(i / 3 / Np), 1e-8) << i;
    }
  }
}

/// A mesh whose files have more nodes than VtuGrid makes at a time, in two mirror images, with values handed over in
/// pieces that are not whole blocks.
TEST(vtk_writer, a_file_that_is_written_once_is_the_same_without_all_values_at_a_time) {
  const TemporaryDirectory directory;
  const Discretization d(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {16, 16, 16}}), 3);
  const std::vector<double> q = random_values(d);
  std::vector<double> factor(d.K());
  for (std::size_t k = 0; k < d.K(); ++k) factor[k] = static_cast<double>(k);
  const std::vector<VtkWriter::PointData> data{{"p", {0}, {1.0}, {{1}, {-1}}},
                                               {"v", {1, 2, 3}, {2.0, 2.0, 2.0}, {{1, 1, 1}, {-1, 1, 1}}}};
  const std::size_t stride = q.size() / d.K();
  const auto read = [&](const TakeElements& take) {
    for (std::size_t first = 0, count = 777; first < d.K(); first += count) {
      count = std::min(count, d.K() - first);
      take(first, std::span(q).subspan(first * stride, count * stride));
    }
  };
  for (const Dtype precision : {Dtype::float32, Dtype::float64}) {
    VtkWriter writer(d, precision, {{"factor", factor}}, {{}, {.position = {-1, 1, 1}}});
    writer.write(directory / "a.vtu", q, field_count, data);
    writer.write_once(directory / "b.vtu", read, field_count, data);
    EXPECT_TRUE(content_of(directory / "a.vtu") == content_of(directory / "b.vtu"));
  }
  EXPECT_EQ(read_vtu_array(directory / "b.vtu", "p").size(), 2 * d.K() * static_cast<std::size_t>(d.Np()));
}

TEST(vtk_writer, blocks_of_pieces_need_not_be_held_until_their_sizes_are_known) {
  std::vector<double> values(3 * (std::size_t{1} << 17) + 1001);  // some blocks, and a part of one
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = std::sin(static_cast<double>(i));
  int calls = 0;
  const auto pieces = [&](const VtuArrays::Take<double>& take) {
    ++calls;
    for (std::size_t first = 0; first < values.size(); first += 5000) {
      take(std::span(values).subspan(first, std::min<std::size_t>(5000, values.size() - first)));
    }
  };
  for (const bool compressed : {false, true}) {
    std::ostringstream whole, held, twice;
    VtuArrays(whole, compressed).add("v", 1, std::span<const double>(values));
    calls = 0;
    VtuArrays(held, compressed).add_pieces<double>("v", 1, pieces);
    EXPECT_EQ(calls, 1);
    VtuArrays(twice, compressed, 1000).add_pieces<double>("v", 1, pieces);
    EXPECT_EQ(calls, 3);
    EXPECT_TRUE(held.str() == whole.str());
    EXPECT_TRUE(twice.str() == whole.str());
  }
}

TEST(vtk_writer, a_full_disk_is_an_output_error_and_leaves_the_old_file_alone) {
  const TemporaryDirectory directory;
  const Discretization d = skewed_box(4);
  VtkWriter writer(d, Dtype::float64, {});
  writer.write(directory / "a.vtu", random_values(d), field_count, all_fields);
  const std::string before = content_of(directory / "a.vtu");

  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{4096, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    writer.write(directory / "a.vtu", random_values(d), field_count, all_fields);
  } catch (const OutputError& error) {
    message = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handler);

  EXPECT_EQ(message.find((directory / "a.vtu").string() + ": cannot write: "), 0u) << message;
  EXPECT_EQ(content_of(directory / "a.vtu"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(directory.path()), {}), 1) << "a temporary file is left";
}

TEST(vtk_writer, a_full_device_is_an_output_error_and_not_destroyed) {
  const TemporaryDirectory directory;
  fs::create_symlink("/dev/full", directory / "a.vtu");
  const Discretization d = skewed_box(1);
  try {
    VtkWriter(d, Dtype::float64, {}).write(directory / "a.vtu", random_values(d), field_count, all_fields);
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device");
  }
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace maxwell_dg::dg
