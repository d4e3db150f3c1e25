#include "dg/operator/curved_stage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "dg/lowering/curved_elements.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

namespace {

using Rows = std::vector<std::vector<double>>;

/// [block][column][point of the block] of rows [block x points + point][column].
core::Buffer upload_by_points(const StageSetting& setting, const Rows& rows, std::size_t points) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  return setting.upload_reals(rows.size() * columns, [&](std::size_t i) {
    const std::size_t block = i / (columns * points), column = i / points % columns, point = i % points;
    return rows[block * points + point][column];
  });
}

core::Buffer upload_columns(const StageSetting& setting, const Eigen::MatrixXd& matrix) {
  return setting.upload_reals(static_cast<std::size_t>(matrix.size()), [&](std::size_t i) { return matrix.data()[i]; });
}

Rows constants_of_elements(const MaterialTable& materials) {
  Rows constants;
  for (const std::int32_t material : materials.material) constants.push_back(materials.constants[index(material)]);
  return constants;
}

}  // namespace

CurvedStage::CurvedStage(const StageSetting& setting, Arrays arrays)
    : discretization_(setting.discretization),
      precision_(setting.precision),
      stream_(setting.stream),
      arrays_(std::move(arrays)) {
  const CurvedGeometry& geometry = discretization_.curved.value();
  const ReferenceElement& reference = discretization_.reference;
  const ElementQuadrature& quadrature = geometry.quadrature;
  const CurvedSystem system = CurvedSystem::of(setting.lowered, setting.problem.system.name);
  const CurvedGenerator generator(setting.lowered, system, quadrature,
                                  {.system = setting.problem.system.name,
                                   .N = discretization_.N(),
                                   .precision = precision_,
                                   .schedule = setting.schedule});
  kernel_ = rtcg::Compiler(setting.compiler).compile(generator.stage()).kernel("curved_stage");
  dynamic_shared_bytes_ = setting.dynamic_shared_bytes(generator.shared_bytes());

  const Rows constants = constants_of_elements(setting.materials);
  const CurvedElements elements(discretization_, setting.problem, setting.lowered, constants);
  const auto face_points = index(quadrature.face_points());
  point_invariants_ = upload_by_points(setting, elements.element_invariants(), index(quadrature.volume_points()));
  face_invariants_ = upload_by_points(setting, elements.face_invariants(), face_points);
  Rows at_nodes;
  for (const auto& gradients : geometry.at_nodes) at_nodes.emplace_back(gradients.begin(), gradients.end());
  metric_at_nodes_ = upload_by_points(setting, at_nodes, index(discretization_.Np()));

  std::vector<std::int32_t> rows;  // [curved element][face]
  Rows at_boundaries;              // [row x face points + point]: gradients, normal
  std::vector<double> positions;   // [row][axis][point]
  std::int32_t count = 0;
  for (std::size_t k = 0; k < discretization_.K(); ++k) {
    if (!discretization_.mesh.curved.is_curved(k)) continue;
    for (std::size_t face = 0; face < 4; ++face) {
      rows.push_back(discretization_.connectivity.neighbours[k][face] < 0 ? count : -1);
      if (rows.back() < 0) continue;
      ++count;
      const auto first = (rows.size() - 1) * face_points;
      for (std::size_t i = 0; i < face_points; ++i) {
        const auto& [gradients, of_face, x] = geometry.at_face_points[first + i];
        auto& row = at_boundaries.emplace_back(gradients.begin(), gradients.end());
        row.insert(row.end(), {of_face.nx, of_face.ny, of_face.nz});
      }
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < face_points; ++i) positions.push_back(geometry.at_face_points[first + i].x[axis]);
      }
    }
  }
  boundary_rows_ = setting.upload(rows);
  boundary_metric_ = upload_by_points(setting, at_boundaries, face_points);
  boundary_points_ = setting.upload(positions);

  Eigen::MatrixXd D(discretization_.Np(), 3 * discretization_.Np());
  D << reference.Dr, reference.Ds, reference.Dt;
  D_ = upload_columns(setting, D);
  at_volume_ = upload_columns(setting, quadrature.at_volume);
  from_volume_ = upload_columns(setting, quadrature.from_volume);
  at_face_ = upload_columns(setting, quadrature.at_face);
  lift_ = upload_columns(setting, quadrature.lift);
  Fmask_ = setting.upload(reference.face_nodes());
}

void CurvedStage::advance(const StageTarget& target, const ElementRange& range) const {
  const auto real = [this](double value) -> core::KernelArgument {
    if (precision_ == Dtype::float32) return static_cast<float>(value);
    return value;
  };
  kernel_.launch(stream_,
                 {.groups = {range.size(), 1, 1},
                  .group_size = {index(CurvedGenerator::group_items), 1, 1},
                  .dynamic_shared_bytes = dynamic_shared_bytes_},
                 {target.Q,
                  target.Q_new,
                  target.rate,
                  arrays_.neighbours,
                  arrays_.material,
                  arrays_.constants,
                  metric_at_nodes_,
                  point_invariants_,
                  face_invariants_,
                  boundary_rows_,
                  boundary_metric_,
                  boundary_points_,
                  arrays_.boundary_kind,
                  D_,
                  at_volume_,
                  from_volume_,
                  at_face_,
                  lift_,
                  Fmask_,
                  real(target.a),
                  real(target.b),
                  real(target.dt),
                  target.t,
                  static_cast<std::int32_t>(range.begin),
                  discretization_.mesh.curved.number[range.begin]});
}

}  // namespace maxwell_dg::dg
