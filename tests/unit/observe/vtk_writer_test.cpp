#include "dg/observe/vtk_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <iterator>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "core/error.hpp"
#include "dg/observe/surface_grid.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

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

vtkSmartPointer<vtkUnstructuredGrid> read_back(const fs::path& file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

/// Reference coordinates of x in element k, by its vertices alone.
Eigen::Vector3d reference_coordinates(const Discretization& d, std::size_t k, const Eigen::Vector3d& x) {
  std::array<Eigen::Vector3d, 4> v;
  for (std::size_t i = 0; i < 4; ++i) {
    v[i] = Eigen::Vector3d(d.mesh.vertices[static_cast<std::size_t>(d.mesh.cells[k][i])].data());
  }
  Eigen::Matrix3d A;
  A << v[1] - v[0], v[2] - v[0], v[3] - v[0];
  return (2 * A.inverse() * (x - v[0])).array() - 1;
}

double polynomial(const Discretization& d, const std::vector<double>& q, std::size_t k, int field,
                  const Eigen::Vector3d& rst) {
  const auto at = (k * field_count + static_cast<std::size_t>(field)) * static_cast<std::size_t>(d.Np());
  return d.reference.lagrange(rst[0], rst[1], rst[2]).dot(Eigen::Map<const Eigen::VectorXd>(&q[at], d.Np()));
}

class VtkWriterOrder : public testing::TestWithParam<int> {};

TEST_P(VtkWriterOrder, vtk_interpolates_the_very_polynomials) {
  const TemporaryDirectory directory;
  const Discretization d = skewed_box(GetParam());
  const std::vector<double> q = random_values(d);
  VtkWriter(d, Dtype::float64, {}).write(directory / "a.vtu", q, field_count, all_fields);

  const auto grid = read_back(directory / "a.vtu");
  ASSERT_EQ(grid->GetNumberOfCells(), static_cast<vtkIdType>(d.K()));
  vtkDataArray* p = grid->GetPointData()->GetArray("p");
  vtkDataArray* v = grid->GetPointData()->GetArray("v");
  ASSERT_NE(p, nullptr);
  ASSERT_NE(v, nullptr);
  ASSERT_EQ(v->GetNumberOfComponents(), 3);

  std::mt19937 random(5);
  std::exponential_distribution<double> exponential;
  std::vector<double> weights(static_cast<std::size_t>(d.Np()));
  for (std::size_t k = 0; k < d.K(); ++k) {
    vtkCell* cell = grid->GetCell(static_cast<vtkIdType>(k));
    ASSERT_EQ(cell->GetCellType(), VTK_LAGRANGE_TETRAHEDRON);
    ASSERT_EQ(cell->GetNumberOfPoints(), d.Np());
    for (int sample = 0; sample < 5; ++sample) {
      const Eigen::Vector4d e(exponential(random), exponential(random), exponential(random), exponential(random));
      const Eigen::Vector3d pcoords = e.head<3>() / e.sum();  // uniform in the tetrahedron
      int sub = 0;
      Eigen::Vector3d x;
      cell->EvaluateLocation(sub, pcoords.data(), x.data(), weights.data());
      const Eigen::Vector3d rst = reference_coordinates(d, k, x);
      ASSERT_GE(rst.minCoeff(), -1);
      double p_vtk = 0;
      Eigen::Vector3d v_vtk = Eigen::Vector3d::Zero();
      for (int i = 0; i < d.Np(); ++i) {
        const vtkIdType id = cell->GetPointId(i);
        p_vtk += weights[static_cast<std::size_t>(i)] * p->GetTuple1(id);
        v_vtk += weights[static_cast<std::size_t>(i)] * Eigen::Vector3d(v->GetTuple3(id));
      }
      EXPECT_NEAR(p_vtk, polynomial(d, q, k, 0, rst), 1e-10) << "cell " << k;
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(v_vtk[c], 10 * polynomial(d, q, k, 1 + c, rst), 1e-9) << "cell " << k;
    }
  }
}

TEST_P(VtkWriterOrder, every_cell_is_right_handed) {
  const TemporaryDirectory directory;
  const Discretization d = skewed_box(GetParam());
  int mirrored = 0;
  for (const double J : d.geometry.J) mirrored += J < 0 ? 1 : 0;
  ASSERT_GT(mirrored, 0) << "the mesh does not exercise what is tested";
  VtkWriter(d, Dtype::float32, {}).write(directory / "a.vtu", random_values(d), field_count, all_fields);
  const auto grid = read_back(directory / "a.vtu");
  for (vtkIdType k = 0; k < grid->GetNumberOfCells(); ++k) {
    std::array<Eigen::Vector3d, 4> v;
    for (int i = 0; i < 4; ++i) grid->GetPoint(grid->GetCell(k)->GetPointId(i), v[static_cast<std::size_t>(i)].data());
    EXPECT_GT((v[1] - v[0]).cross(v[2] - v[0]).dot(v[3] - v[0]), 0) << "cell " << k;
  }
}

/// Faces of a box, written without VTK: what VTK reads there are the polynomials, and triangles look outwards.
TEST_P(VtkWriterOrder, surfaces_show_the_very_polynomials) {
  const TemporaryDirectory directory;
  const Discretization d = skewed_box(GetParam());
  const std::vector<double> q = random_values(d);
  const std::vector<ElementFace> faces{{0, 0}, {3, 1}, {7, 2}, {8, 3}};
  const SurfaceGrid surface(d, faces, {4, 5, 6, 7}, Dtype::float64);
  std::vector<double> values;  // [point][field]
  for (const PointLocation& p : surface.points()) {
    for (int f = 0; f < field_count; ++f) values.push_back(polynomial(d, q, p.cell, f, Eigen::Vector3d(p.rst.data())));
  }
  surface.write(directory / "a.vtu", values, field_count, all_fields);

  const auto grid = read_back(directory / "a.vtu");
  ASSERT_EQ(grid->GetNumberOfCells(), 4);
  vtkDataArray* p = grid->GetPointData()->GetArray("p");
  vtkDataArray* v = grid->GetPointData()->GetArray("v");
  ASSERT_TRUE(p != nullptr && v != nullptr);
  EXPECT_EQ(grid->GetCellData()->GetArray("surface")->GetTuple1(2), 6);
  std::vector<double> weights(static_cast<std::size_t>(d.reference.Nfp));
  for (std::size_t i = 0; i < faces.size(); ++i) {
    vtkCell* cell = grid->GetCell(static_cast<vtkIdType>(i));
    ASSERT_EQ(cell->GetCellType(), VTK_LAGRANGE_TRIANGLE);
    ASSERT_EQ(cell->GetNumberOfPoints(), d.reference.Nfp);
    for (const auto& [r, s] : {std::pair{0.2, 0.3}, {0.7, 0.1}, {0.05, 0.9}}) {
      const std::array<double, 3> pcoords{r, s, 0};
      Eigen::Vector3d x;
      int sub = 0;
      cell->EvaluateLocation(sub, pcoords.data(), x.data(), weights.data());
      const Eigen::Vector3d rst = reference_coordinates(d, faces[i].element, x);
      double p_vtk = 0, v_vtk = 0;
      for (int n = 0; n < d.reference.Nfp; ++n) {
        p_vtk += weights[static_cast<std::size_t>(n)] * p->GetTuple1(cell->GetPointId(n));
        v_vtk += weights[static_cast<std::size_t>(n)] * v->GetTuple3(cell->GetPointId(n))[1];
      }
      EXPECT_NEAR(p_vtk, polynomial(d, q, faces[i].element, 0, rst), 1e-10) << "face " << i;
      EXPECT_NEAR(v_vtk, 10 * polynomial(d, q, faces[i].element, 2, rst), 1e-9) << "face " << i;
    }
    std::array<Eigen::Vector3d, 3> corner;
    for (int n = 0; n < 3; ++n) grid->GetPoint(cell->GetPointId(n), corner.at(static_cast<std::size_t>(n)).data());
    const Geometry::Face& g = d.geometry.faces[faces[i].element].at(static_cast<std::size_t>(faces[i].face));
    EXPECT_GT((corner[1] - corner[0]).cross(corner[2] - corner[0]).dot(Eigen::Vector3d(g.nx, g.ny, g.nz)), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(orders, VtkWriterOrder, testing::Range(1, 10));

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
  const auto grid = read_back(directory / "a.vtu");
  for (std::size_t k = 0; k < d.K(); ++k) {
    const auto cell = static_cast<vtkIdType>(k);
    EXPECT_EQ(grid->GetCellData()->GetArray("region")->GetTuple1(cell), mesh.cell_region[k]);
    EXPECT_EQ(grid->GetCellData()->GetArray("epsilon_r")->GetTuple1(cell), epsilon_r[k]);
  }
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
    const auto grid = read_back(directory / name);
    ASSERT_GT(static_cast<std::size_t>(grid->GetNumberOfPoints()) * 3 * sizeof(double), std::size_t{1} << 20);
    vtkDataArray* p = grid->GetPointData()->GetArray("p");
    vtkDataArray* v = grid->GetPointData()->GetArray("v");
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      ASSERT_EQ(p->GetTuple1(i), 0.0);
      for (int c = 0; c < 3; ++c) {
        ASSERT_NEAR(v->GetComponent(i, c), 10.0 * static_cast<double>(i / static_cast<vtkIdType>(Np)), 1e-8) << i;
      }
    }
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
