#include "dg/observe/files/vtk_writer.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/in_parallel.hpp"
#include "core/round_up.hpp"
#include "dg/mesh/curved/curved_map.hpp"
#include "dg/observe/files/lagrange_nodes.hpp"

namespace maxwell_dg::dg {
namespace {

/// (r, s, t) of VTK's nodes. VTK expects right-handed cells: if the element's Jacobian is negative (`mirrored`), its
/// last two vertices are exchanged.
std::vector<Point> vtk_nodes(int N, bool mirrored) {
  std::vector<Point> nodes;
  for (const std::array<int, 4>& weights : lagrange_tetrahedron_nodes(N)) {
    const auto coordinate = [&](std::size_t vertex) { return 2 * (static_cast<double>(weights.at(vertex)) / N) - 1; };
    nodes.push_back({coordinate(1), coordinate(mirrored ? 3 : 2), coordinate(mirrored ? 2 : 3)});
  }
  return nodes;
}

/// [Np, Np] the matrix that takes values at the solver's nodes to values at VTK's.
Eigen::MatrixXd to_vtk(const ReferenceElement& reference, bool mirrored) {
  Eigen::MatrixXd P(reference.Np, reference.Np);
  Eigen::Index i = 0;
  for (const auto& [r, s, t] : vtk_nodes(reference.N, mirrored)) P.row(i++) = reference.lagrange(r, s, t).transpose();
  return P;
}

}  // namespace

std::vector<VtuGrid::IntegerCellData> region_data(const Discretization& discretization,
                                                  std::span<const std::size_t> elements) {
  std::vector<VtuGrid::IntegerCellData> data{{.name = "region", .values = {}}};
  for (const std::size_t k : elements) data[0].values.push_back(discretization.mesh.cell_region[k]);
  const ComplexView& view = discretization.complex_view;
  if (!view.is_complex()) return data;
  data.push_back({.name = "imaginary", .values = {}});
  for (const std::size_t k : elements) data[1].values.push_back(view.part(k) == FieldPart::imaginary ? 1 : 0);
  return data;
}

VtkWriter::VtkWriter(const Discretization& discretization, Dtype precision, std::vector<CellData> cell_data,
                     std::vector<MirroredPart> parts)
    : d_(discretization),
      precision_(precision),
      cell_data_(std::move(cell_data)),
      parts_(std::move(parts)),
      P_{to_vtk(d_.reference, false), to_vtk(d_.reference, true)} {
  for (CellData& data : cell_data_) data.values.resize(d_.own());
  for (std::size_t k = 0; k < d_.own(); ++k) of_handedness_.at(handedness(k)).push_back(k);
}

std::size_t VtkWriter::handedness(std::size_t k) const {
  return d_.geometry.J[k] < 0 ? 1 : 0;
}

VtuGrid VtkWriter::make_grid() const {
  const auto Np = static_cast<std::size_t>(d_.Np());
  std::vector<std::size_t> elements(d_.own());
  std::iota(elements.begin(), elements.end(), std::size_t{0});
  std::vector<double> positions(3 * d_.own() * Np);
  Eigen::MatrixXd nodes(d_.Np(), 3);
  const std::array<CurvedMap, 2> maps{CurvedMap(d_.mesh.curved.order, vtk_nodes(d_.N(), false)),
                                      CurvedMap(d_.mesh.curved.order, vtk_nodes(d_.N(), true))};
  for (const std::size_t k : elements) {
    if (d_.mesh.curved.is_curved(k)) {
      const std::vector<Point> mapped = maps.at(handedness(k)).positions(d_.mesh.curved.nodes_of(k));
      std::copy_n(mapped.front().data(), 3 * Np, &positions[3 * k * Np]);
      continue;
    }
    for (int i = 0; i < d_.Np(); ++i) {
      const Point x = d_.node(k, i);
      nodes.row(i) << x[0], x[1], x[2];
    }
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
    Eigen::Map<RowMajor>(&positions[3 * k * Np], d_.Np(), 3) = P_.at(handedness(k)) * nodes;
  }
  return {{.cell = VtkCell::lagrange_tetrahedron,
           .nodes_per_cell = Np,
           .positions = std::move(positions),
           .integer_data = region_data(d_, elements),
           .data = cell_data_,
           .parts = parts_,
           .reflected_order = reflected_order(lagrange_tetrahedron_nodes(d_.N()))},
          precision_};
}

/// [element][node][component] values interpolated to VTK's nodes; for speed, many elements of a handedness at a time.
template <class T>
std::vector<T> VtkWriter::at_nodes(std::span<const double> q, int field_count, const PointData& data) const {
  constexpr std::size_t batch = 64;
  const auto Np = static_cast<std::size_t>(d_.Np()), components = data.fields.size();
  std::vector<T> values(d_.own() * Np * components);
  const auto interpolate = [&](const Eigen::MatrixXd& to_nodes, std::span<const std::size_t> elements) {
    Eigen::MatrixXd nodal(d_.Np(), static_cast<Eigen::Index>(elements.size() * components));
    for (std::size_t e = 0; e < elements.size(); ++e) {
      for (std::size_t c = 0; c < components; ++c) {
        const auto f = static_cast<std::size_t>(data.fields[c]);
        const Eigen::Map<const Eigen::VectorXd> of_field(
            &q[(elements[e] * static_cast<std::size_t>(field_count) + f) * Np], d_.Np());
        nodal.col(static_cast<Eigen::Index>(e * components + c)) = data.factors[c] * of_field;
      }
    }
    const Eigen::MatrixXd result = to_nodes * nodal;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      for (std::size_t c = 0; c < components; ++c) {
        const double* const from = &result(0, static_cast<Eigen::Index>(e * components + c));
        T* const to = &values[elements[e] * Np * components + c];
        for (std::size_t i = 0; i < Np; ++i) to[i * components] = static_cast<T>(from[i]);
      }
    }
  };
  for (const std::size_t hand : {0U, 1U}) {
    const std::span<const std::size_t> elements = of_handedness_.at(hand);
    for_each_in_parallel(ceil_divide(elements.size(), batch), [&](std::size_t i) {
      const std::size_t first = i * batch;
      interpolate(P_.at(hand), elements.subspan(first, std::min(batch, elements.size() - first)));
    });
  }
  return values;
}

const VtuGrid& VtkWriter::grid() {
  if (!grid_) grid_ = make_grid();
  return *grid_;
}

void VtkWriter::write(const std::filesystem::path& file, std::span<const double> q, int field_count,
                      std::span<const PointData> point_data) {
  grid().write(file, [&](VtuArrays& arrays) {
    for (const PointData& data : point_data) {
      if (precision_ == Dtype::float32) {
        arrays.add<float>(data.name, data.fields.size(),
                          in_all_parts(at_nodes<float>(q, field_count, data), data.signs));
      } else {
        arrays.add<double>(data.name, data.fields.size(),
                           in_all_parts(at_nodes<double>(q, field_count, data), data.signs));
      }
    }
  });
}

void VtkWriter::write_pieces(const std::filesystem::path& file, std::span<const PointData> point_data,
                             std::span<const std::string> pieces) {
  grid().write_pieces(file, arrays_of(point_data), pieces);
}

std::vector<VtuGrid::PointArray> arrays_of(std::span<const VtkWriter::PointData> point_data) {
  std::vector<VtuGrid::PointArray> arrays;
  for (const VtkWriter::PointData& data : point_data) arrays.push_back({data.name, data.fields.size()});
  return arrays;
}

}  // namespace maxwell_dg::dg
