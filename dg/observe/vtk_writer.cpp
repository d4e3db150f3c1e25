#include "dg/observe/vtk_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>
#include <vtk_zlib.h>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/in_parallel.hpp"
#include "core/round_up.hpp"
#include "dg/observe/base64.hpp"

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

constexpr std::size_t block_bytes = std::size_t{1} << 20;  // that are compressed at a time

/// VTK prints errors unless somebody listens. The listener need say nothing: `file_text` looks at the outcome.
void hear_error(vtkObject*, unsigned long, void*, void*) {}

/// The whole file of a grid. To memory: VTK's writer (9.1) crashes when a disk fills up under it.
std::string file_text(vtkUnstructuredGrid* grid, const fs::path& file) {
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
  writer->SetHeaderTypeToUInt64();
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);
  writer->SetBlockSize(block_bytes);
  const bool written = writer->Write() == 1;
  if (!written || writer->GetErrorCode() != vtkErrorCode::NoError) {
    throw OutputError(file.string() + ": cannot write: VTK failed with its error code " +
                      std::to_string(writer->GetErrorCode()));
  }
  return writer->GetOutputString();
}

/// Fields are nearly incompressible, and to try takes longer than all the rest; only zeros shrink.
int compression_level(std::span<const std::byte> block) {
  return std::ranges::all_of(block, [](std::byte byte) { return byte == std::byte{0}; }) ? 1 : 0;
}

/// A block as zlib has it.
std::vector<unsigned char> compressed(std::span<const std::byte> block) {
  uLongf size = compressBound(block.size());
  std::vector<unsigned char> result(size);
  if (compress2(result.data(), &size, reinterpret_cast<const unsigned char*>(block.data()), block.size(),
                compression_level(block)) != Z_OK) {
    throw std::logic_error("zlib's bound of what a block may become is too low");
  }
  result.resize(size);
  return result;
}

/// As VTK writes arrays that are binary, compressed and inline: the numbers of blocks, of bytes in a block and in the
/// last one if it is smaller, of bytes of each when compressed; then the blocks.
void write_compressed(std::ostream& stream, std::span<const std::byte> bytes) {
  std::vector<std::vector<unsigned char>> blocks(ceil_divide(bytes.size(), block_bytes));
  for_each_in_parallel(blocks.size(), [&](std::size_t i) {
    const std::size_t first = i * block_bytes;
    blocks[i] = compressed(bytes.subspan(first, std::min(block_bytes, bytes.size() - first)));
  });
  std::vector<std::uint64_t> header{blocks.size(), block_bytes, bytes.size() % block_bytes};
  for (const std::vector<unsigned char>& block : blocks) header.push_back(block.size());
  Base64 base64(stream);
  base64.write(std::as_bytes(std::span(header)));
  base64.finish();
  for (const std::vector<unsigned char>& block : blocks) base64.write(std::as_bytes(std::span(block)));
  base64.finish();
}

}  // namespace

/// What all files share is written by VTK, once; the fields of each go into the middle of that text.
struct VtkWriter::Impl {
  const Discretization& d;
  Dtype precision;
  std::array<Eigen::MatrixXd, 2> P;                       ///< to_vtk for right-handed and for mirrored elements
  std::array<std::vector<std::size_t>, 2> of_handedness;  ///< such elements
  vtkSmartPointer<vtkUnstructuredGrid> grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  std::string frame;              ///< empty before the first file
  std::size_t place_of_fields{};  ///< in `frame`

  Impl(const Discretization& discretization, Dtype dtype)
      : d(discretization), precision(dtype), P{to_vtk(d.reference, false), to_vtk(d.reference, true)} {
    for (std::size_t k = 0; k < d.K(); ++k) of_handedness.at(handedness(k)).push_back(k);
  }

  [[nodiscard]] std::size_t points() const { return d.K() * static_cast<std::size_t>(d.Np()); }
  [[nodiscard]] std::size_t handedness(std::size_t k) const { return d.geometry.J[k] < 0 ? 1 : 0; }

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
      const Eigen::MatrixXd at_points = P.at(handedness(k)) * nodes;
      using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, 3, Eigen::RowMajor>;
      Eigen::Map<RowMajor>(positions->GetPointer(static_cast<vtkIdType>(3 * k * Np)), d.Np(), 3) = at_points.cast<T>();
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
    if (d.mesh.is_twice) {  // complex fields: both parts lie in the same places
      vtkNew<vtkIntArray> imaginary;
      imaginary->SetName("imaginary");
      for (std::size_t k = 0; k < d.K(); ++k) imaginary->InsertNextValue(k < d.K() / 2 ? 0 : 1);
      grid->GetCellData()->AddArray(imaginary);
    }
    for (const CellData& data : cell_data) {
      const auto array = make_array<T>(data.name, 1, d.K());
      for (std::size_t k = 0; k < d.K(); ++k)
        array->SetValue(static_cast<vtkIdType>(k), static_cast<T>(data.values.at(k)));
      grid->GetCellData()->AddArray(array);
    }
  }

  void make_frame(const fs::path& file) {
    constexpr std::string_view end = "</PointData>";
    frame = file_text(grid, file);
    place_of_fields = frame.find(end);
    if (place_of_fields == std::string::npos)
      throw std::logic_error("VTK writes no point data where they are expected");
    grid = nullptr;  // its memory is free from here on
  }

  /// [point][component], interpolated to VTK's points: many elements of a handedness at a time, for speed.
  template <class T>
  std::vector<T> at_points(std::span<const double> q, int field_count, const PointData& data) const {
    constexpr std::size_t batch = 64;
    const auto Np = static_cast<std::size_t>(d.Np()), components = data.fields.size();
    std::vector<T> values(points() * components);
    const auto interpolate = [&](const Eigen::MatrixXd& to_points, std::span<const std::size_t> elements) {
      Eigen::MatrixXd nodal(d.Np(), static_cast<Eigen::Index>(elements.size() * components));
      for (std::size_t e = 0; e < elements.size(); ++e) {
        for (std::size_t c = 0; c < components; ++c) {
          const auto f = static_cast<std::size_t>(data.fields[c]);
          const Eigen::Map<const Eigen::VectorXd> of_field(
              &q[(elements[e] * static_cast<std::size_t>(field_count) + f) * Np], d.Np());
          nodal.col(static_cast<Eigen::Index>(e * components + c)) = data.factors[c] * of_field;
        }
      }
      const Eigen::MatrixXd result = to_points * nodal;
      for (std::size_t e = 0; e < elements.size(); ++e) {
        for (std::size_t c = 0; c < components; ++c) {
          const double* const from = &result(0, static_cast<Eigen::Index>(e * components + c));
          T* const to = &values[elements[e] * Np * components + c];
          for (std::size_t i = 0; i < Np; ++i) to[i * components] = static_cast<T>(from[i]);
        }
      }
    };
    for (const std::size_t hand : {0U, 1U}) {
      const std::span<const std::size_t> elements = of_handedness.at(hand);
      for_each_in_parallel(ceil_divide(elements.size(), batch), [&](std::size_t i) {
        const std::size_t first = i * batch;
        interpolate(P.at(hand), elements.subspan(first, std::min(batch, elements.size() - first)));
      });
    }
    return values;
  }

  template <class T>
  void write_fields(std::ostream& stream, std::span<const double> q, int field_count,
                    std::span<const PointData> point_data) const {
    for (const PointData& data : point_data) {
      stream << "  <DataArray type=\"" << (sizeof(T) == 4 ? "Float32" : "Float64") << "\" Name=\"" << data.name
             << "\" NumberOfComponents=\"" << data.fields.size() << "\" format=\"binary\">\n          ";
      const std::vector<T> values = at_points<T>(q, field_count, data);
      write_compressed(stream, std::as_bytes(std::span(values)));
      stream << "\n        </DataArray>\n      ";
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
                      std::span<const PointData> point_data) {
  AtomicFile target(file);  // first, for a place that cannot be written shows here
  if (impl_->frame.empty()) impl_->make_frame(file);
  const std::string_view frame = impl_->frame;
  target.stream() << frame.substr(0, impl_->place_of_fields);
  if (impl_->precision == Dtype::float32) {
    impl_->write_fields<float>(target.stream(), q, field_count, point_data);
  } else {
    impl_->write_fields<double>(target.stream(), q, field_count, point_data);
  }
  target.stream() << frame.substr(impl_->place_of_fields);
  target.commit();
}

}  // namespace maxwell_dg::dg
