#include "dg/observe/vtk_writer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <Eigen/Dense>
#include <vtkAOSDataArrayTemplate.h>
#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkLagrangeTetra.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include "core/atomic_file.hpp"
#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

namespace fs = std::filesystem;

/// VTK's equispaced points of a tetrahedron of order N, in its order: [Np] weights of VTK's vertices 0 to 3.
std::vector<std::array<double, 4>> equispaced_points(int N, int Np) {
  // VTK keeps the four weights in an order of its own; its first four points, the vertices, tell which.
  std::array<std::size_t, 4> slot{};
  std::array<vtkIdType, 4> index{};
  for (std::size_t vertex = 0; vertex < 4; ++vertex) {
    vtkLagrangeTetra::BarycentricIndex(static_cast<vtkIdType>(vertex), index.data(), N);
    while (index[slot[vertex]] != N) ++slot[vertex];
  }
  std::vector<std::array<double, 4>> points;
  for (vtkIdType i = 0; i < Np; ++i) {
    vtkLagrangeTetra::BarycentricIndex(i, index.data(), N);
    std::array<double, 4>& point = points.emplace_back();
    for (std::size_t vertex = 0; vertex < 4; ++vertex) point[vertex] = static_cast<double>(index[slot[vertex]]) / N;
  }
  return points;
}

/// [Np, Np] from values at the solver's nodes to values at VTK's points. VTK wants right-handed cells: where the
/// element's Jacobian is negative (`mirrored`), its last two vertices are written in the other order.
Eigen::MatrixXd to_vtk(const ReferenceElement& reference, bool mirrored) {
  Eigen::MatrixXd P(reference.Np, reference.Np);
  Eigen::Index i = 0;
  for (const std::array<double, 4>& weight : equispaced_points(reference.N, reference.Np)) {
    const double s = weight[mirrored ? 3 : 2];
    const double t = weight[mirrored ? 2 : 3];
    P.row(i++) = reference.lagrange(2 * weight[1] - 1, 2 * s - 1, 2 * t - 1).transpose();
  }
  return P;
}

template <class T>
vtkSmartPointer<vtkAOSDataArrayTemplate<T>> make_array(const std::string& name, int components, std::size_t tuples) {
  using Array = std::conditional_t<std::is_same_v<T, float>, vtkFloatArray, vtkDoubleArray>;
  const auto array = vtkSmartPointer<Array>::New();
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(tuples));
  return array;
}

/// Cells 0 1 2 ... Np-1, Np ...: neighbours share no points. 32 bits where they suffice.
template <class Array>
vtkSmartPointer<vtkCellArray> disconnected_cells(std::size_t K, std::size_t Np) {
  using Id = typename Array::ValueType;
  vtkNew<Array> offsets, points;
  offsets->SetNumberOfValues(static_cast<vtkIdType>(K + 1));
  points->SetNumberOfValues(static_cast<vtkIdType>(K * Np));
  for (std::size_t k = 0; k <= K; ++k) offsets->SetValue(static_cast<vtkIdType>(k), static_cast<Id>(k * Np));
  for (std::size_t i = 0; i < K * Np; ++i) points->SetValue(static_cast<vtkIdType>(i), static_cast<Id>(i));
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, points);
  return cells;
}

/// VTK prints errors unless somebody listens. The listener need say nothing: `write_grid` looks at the outcome.
void hear_error(vtkObject*, unsigned long, void*, void*) {}

/// VTK writes to memory, not to the file: its writer (9.1) crashes when a disk fills up under it, and AtomicFile knows
/// the system's reason. That costs memory of about twice the file's size while a snapshot is written.
void write_grid(vtkUnstructuredGrid* grid, const fs::path& file) {
  AtomicFile target(file);  // first, for a place that cannot be written shows here
  vtkNew<vtkCallbackCommand> listener;
  listener->SetCallback(hear_error);
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->AddObserver(vtkCommand::ErrorEvent, listener);
  writer->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, listener);
  writer->WriteToOutputStringOn();
  writer->SetInputData(grid);
  // Compressed, in base64 inside the elements. Raw bytes in an appended section take a quarter less, but are no XML:
  // VTK 9.1 with Expat 2.6 (Ubuntu 24.04) cannot read them.
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);  // fields are nearly incompressible; what compresses well does so at once
  writer->SetBlockSize(1 << 20);
  const bool written = writer->Write() == 1;
  if (!written || writer->GetErrorCode() != vtkErrorCode::NoError) {
    throw OutputError(file.string() + ": cannot write: VTK failed with its error code " +
                      std::to_string(writer->GetErrorCode()));
  }
  target.stream() << writer->GetOutputString();
  target.commit();
}

}  // namespace

struct VtkWriter::Impl {
  const Discretization& d;
  Dtype precision;
  std::array<Eigen::MatrixXd, 2> P;  ///< to_vtk for right-handed and for mirrored elements
  vtkSmartPointer<vtkUnstructuredGrid> grid = vtkSmartPointer<vtkUnstructuredGrid>::New();

  Impl(const Discretization& discretization, Dtype dtype)
      : d(discretization), precision(dtype), P{to_vtk(d.reference, false), to_vtk(d.reference, true)} {}

  [[nodiscard]] std::size_t points() const { return d.K() * static_cast<std::size_t>(d.Np()); }
  [[nodiscard]] const Eigen::MatrixXd& interpolation(std::size_t k) const { return P[d.geometry.J[k] < 0 ? 1 : 0]; }

  template <class T>
  void build(std::span<const CellData> cell_data) {
    const auto Np = static_cast<std::size_t>(d.Np());
    const auto positions = make_array<T>("Points", 3, points());
    Eigen::MatrixXd nodes(d.Np(), 3);
    for (std::size_t k = 0; k < d.K(); ++k) {
      for (int i = 0; i < d.Np(); ++i) {
        const Point x = d.node(k, i);
        nodes.row(i) << x[0], x[1], x[2];
      }
      store(positions.Get(), k, interpolation(k) * nodes);
    }
    vtkNew<vtkPoints> vtk_points;
    vtk_points->SetData(positions);
    grid->SetPoints(vtk_points);
    const bool small = points() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    grid->SetCells(VTK_LAGRANGE_TETRAHEDRON, small ? disconnected_cells<vtkTypeInt32Array>(d.K(), Np)
                                                   : disconnected_cells<vtkTypeInt64Array>(d.K(), Np));

    vtkNew<vtkIntArray> regions;
    regions->SetName("region");
    for (const std::int32_t region : d.mesh.cell_region) regions->InsertNextValue(region);
    grid->GetCellData()->AddArray(regions);
    for (const CellData& data : cell_data) {
      const auto array = make_array<T>(data.name, 1, d.K());
      for (std::size_t k = 0; k < d.K(); ++k)
        array->SetValue(static_cast<vtkIdType>(k), static_cast<T>(data.values.at(k)));
      grid->GetCellData()->AddArray(array);
    }
  }

  /// values: [Np, components] of element k.
  template <class T>
  void store(vtkAOSDataArrayTemplate<T>* array, std::size_t k, const Eigen::MatrixXd& values) const {
    using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    T* to = array->GetPointer(static_cast<vtkIdType>(k * static_cast<std::size_t>(values.size())));
    Eigen::Map<RowMajor>(to, values.rows(), values.cols()) = values.cast<T>();
  }

  template <class T>
  void set_point_data(std::span<const double> q, int field_count, std::span<const PointData> point_data) const {
    const std::size_t stride = static_cast<std::size_t>(d.Np() * field_count);
    grid->GetPointData()->Initialize();
    for (const PointData& data : point_data) {
      const int components = static_cast<int>(data.fields.size());
      const auto array = make_array<T>(data.name, components, points());
      Eigen::MatrixXd nodal(d.Np(), components);
      for (std::size_t k = 0; k < d.K(); ++k) {
        const Eigen::Map<const Eigen::MatrixXd> all(&q[k * stride], d.Np(), field_count);
        for (int c = 0; c < components; ++c) {
          const auto i = static_cast<std::size_t>(c);
          nodal.col(c) = data.factors.at(i) * all.col(data.fields[i]);
        }
        store(array.Get(), k, interpolation(k) * nodal);
      }
      grid->GetPointData()->AddArray(array);
    }
  }
};

std::string VtkWriter::why_unavailable() {
  return {};
}

VtkWriter::VtkWriter(const Discretization& discretization, Dtype precision, std::span<const CellData> cell_data)
    : impl_(std::make_unique<Impl>(discretization, precision)) {
  if (precision == Dtype::float32) {
    impl_->build<float>(cell_data);
  } else {
    impl_->build<double>(cell_data);
  }
}

VtkWriter::~VtkWriter() = default;
VtkWriter::VtkWriter(VtkWriter&&) noexcept = default;
VtkWriter& VtkWriter::operator=(VtkWriter&&) noexcept = default;

void VtkWriter::write(const fs::path& file, std::span<const double> q, int field_count,
                      std::span<const PointData> point_data) const {
  if (impl_->precision == Dtype::float32) {
    impl_->set_point_data<float>(q, field_count, point_data);
  } else {
    impl_->set_point_data<double>(q, field_count, point_data);
  }
  write_grid(impl_->grid, file);
  impl_->grid->GetPointData()->Initialize();  // the fields' memory is free between snapshots
}

}  // namespace maxwell_dg::dg
