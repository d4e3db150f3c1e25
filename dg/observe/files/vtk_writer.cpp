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
      P_{to_vtk(d_.reference, false), to_vtk(d_.reference, true)},
      grid_(content(std::move(cell_data), std::move(parts)), precision) {
  for (std::size_t k = 0; k < d_.own(); ++k) of_handedness_.at(handedness(k)).push_back(k);
}

std::size_t VtkWriter::handedness(std::size_t k) const {
  return d_.geometry.J[k] < 0 ? 1 : 0;
}

VtuGrid::Content VtkWriter::content(std::vector<CellData> cell_data, std::vector<MirroredPart> parts) const {
  std::vector<std::size_t> elements(d_.own());
  std::iota(elements.begin(), elements.end(), std::size_t{0});
  for (CellData& data : cell_data) data.values.resize(d_.own());
  return {.cell = VtkCell::lagrange_tetrahedron,
          .nodes_per_cell = static_cast<std::size_t>(d_.Np()),
          .cells = d_.own(),
          .positions = [this](std::size_t first, std::size_t count) { return positions(first, count); },
          .integer_data = region_data(d_, elements),
          .data = std::move(cell_data),
          .parts = std::move(parts),
          .reflected_order = reflected_order(lagrange_tetrahedron_nodes(d_.N()))};
}

/// [element][node][axis] of so many elements from the first on.
std::vector<double> VtkWriter::positions(std::size_t first, std::size_t elements) const {
  const auto Np = static_cast<std::size_t>(d_.Np());
  std::vector<double> positions(3 * elements * Np);
  Eigen::MatrixXd nodes(d_.Np(), 3);
  const std::array<CurvedMap, 2> maps{CurvedMap(d_.mesh.curved.order, vtk_nodes(d_.N(), false)),
                                      CurvedMap(d_.mesh.curved.order, vtk_nodes(d_.N(), true))};
  for (std::size_t k = first; k < first + elements; ++k) {
    double* const of_element = &positions[3 * (k - first) * Np];
    if (d_.mesh.curved.is_curved(k)) {
      const std::vector<Point> mapped = maps.at(handedness(k)).positions(d_.mesh.curved.nodes_of(k));
      std::copy_n(mapped.front().data(), 3 * Np, of_element);
      continue;
    }
    for (int i = 0; i < d_.Np(); ++i) {
      const Point x = d_.node(k, i);
      nodes.row(i) << x[0], x[1], x[2];
    }
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
    Eigen::Map<RowMajor>(of_element, d_.Np(), 3) = P_.at(handedness(k)) * nodes;
  }
  return positions;
}

/// [element][node][component] values of elements from the first on, interpolated to VTK's nodes; for speed, many
/// elements of a handedness at a time.
template <class T>
std::vector<T> VtkWriter::at_nodes(std::size_t first_element, std::span<const double> q, int field_count,
                                   const PointData& data) const {
  constexpr std::size_t batch = 64;
  const auto Np = static_cast<std::size_t>(d_.Np()), components = data.fields.size();
  const std::size_t count = q.size() / (static_cast<std::size_t>(field_count) * Np);
  std::vector<T> values(count * Np * components);
  const auto interpolate = [&](const Eigen::MatrixXd& to_nodes, std::span<const std::size_t> elements) {
    Eigen::MatrixXd nodal(d_.Np(), static_cast<Eigen::Index>(elements.size() * components));
    for (std::size_t e = 0; e < elements.size(); ++e) {
      for (std::size_t c = 0; c < components; ++c) {
        const auto f = static_cast<std::size_t>(data.fields[c]);
        const Eigen::Map<const Eigen::VectorXd> of_field(
            &q[((elements[e] - first_element) * static_cast<std::size_t>(field_count) + f) * Np], d_.Np());
        nodal.col(static_cast<Eigen::Index>(e * components + c)) = data.factors[c] * of_field;
      }
    }
    const Eigen::MatrixXd result = to_nodes * nodal;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      for (std::size_t c = 0; c < components; ++c) {
        const double* const from = &result(0, static_cast<Eigen::Index>(e * components + c));
        T* const to = &values[(elements[e] - first_element) * Np * components + c];
        for (std::size_t i = 0; i < Np; ++i) to[i * components] = static_cast<T>(from[i]);
      }
    }
  };
  for (const std::size_t hand : {0U, 1U}) {
    const std::vector<std::size_t>& all = of_handedness_.at(hand);
    const auto begin = std::ranges::lower_bound(all, first_element),
               end = std::ranges::lower_bound(all, first_element + count);
    const std::span<const std::size_t> elements(begin, end);
    for_each_in_parallel(ceil_divide(elements.size(), batch), [&](std::size_t i) {
      const std::size_t first = i * batch;
      interpolate(P_.at(hand), elements.subspan(first, std::min(batch, elements.size() - first)));
    });
  }
  return values;
}

void VtkWriter::write(const std::filesystem::path& file, std::span<const double> q, int field_count,
                      std::span<const PointData> point_data) {
  const auto add = [&]<class T>(VtuArrays& arrays, const PointData& data) {
    arrays.add<T>(data.name, data.fields.size(), in_all_parts(at_nodes<T>(0, q, field_count, data), data.signs));
  };
  grid_.write(file, [&](VtuArrays& arrays) {
    for (const PointData& data : point_data) {
      if (precision_ == Dtype::float32) {
        add.operator()<float>(arrays, data);
      } else {
        add.operator()<double>(arrays, data);
      }
    }
  });
}

void VtkWriter::write_once(const std::filesystem::path& file, const std::function<void(const TakeElements&)>& read,
                           int field_count, std::span<const PointData> point_data) const {
  const auto add = [&]<class T>(VtuArrays& arrays, const PointData& data) {
    arrays.add_pieces<T>(data.name, data.fields.size(), [&](const VtuArrays::Take<T>& take) {
      for (const std::vector<double>& signs : data.signs) {
        read([&](std::size_t first, std::span<const double> q) {
          take(with_signs(at_nodes<T>(first, q, field_count, data), signs));
        });
      }
    });
  };
  grid_.write_once(file, [&](VtuArrays& arrays) {
    for (const PointData& data : point_data) {
      if (precision_ == Dtype::float32) {
        add.operator()<float>(arrays, data);
      } else {
        add.operator()<double>(arrays, data);
      }
    }
  });
}

void VtkWriter::write_pieces(const std::filesystem::path& file, std::span<const PointData> point_data,
                             std::span<const std::string> pieces) const {
  grid_.write_pieces(file, arrays_of(point_data), pieces);
}

std::vector<VtuGrid::PointArray> arrays_of(std::span<const VtkWriter::PointData> point_data) {
  std::vector<VtuGrid::PointArray> arrays;
  for (const VtkWriter::PointData& data : point_data) arrays.push_back({data.name, data.fields.size()});
  return arrays;
}

}  // namespace maxwell_dg::dg
