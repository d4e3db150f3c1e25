#include "dg/operator/curved_stage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "dg/lowering/curved_invariants.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

namespace {

using Rows = std::vector<std::vector<double>>;

Rows constants_of_elements(const MaterialTable& materials) {
  Rows constants;
  for (const std::int32_t material : materials.material) constants.push_back(materials.constants[index(material)]);
  return constants;
}

}  // namespace

CurvedStage::CurvedStage(StageSetting setting, Arrays arrays)
    : setting_(std::move(setting)), arrays_(std::move(arrays)) {
  const Discretization& discretization = setting_.discretization;
  const CurvedGeometry& geometry = discretization.curved.value();
  const ReferenceElement& reference = discretization.reference;
  const ElementQuadrature& quadrature = geometry.quadrature;
  const Rows constants = constants_of_elements(setting_.materials);
  const CurvedSystem system = CurvedSystem::of(setting_.lowered, setting_.problem.system.name);
  const CurvedInvariants invariants(discretization, system, constants);
  const CurvedGenerator generator(setting_.lowered, system, quadrature,
                                  {.system = setting_.problem.system.name,
                                   .N = discretization.N(),
                                   .precision = setting_.precision,
                                   .schedule = setting_.schedule});
  kernel_ = rtcg::Compiler(setting_.compiler).compile(generator.stage()).kernel("curved_stage");
  dynamic_shared_bytes_ = setting_.dynamic_shared_bytes(generator.shared_bytes());

  const auto face_points = index(quadrature.face_points());
  point_invariants_ = setting_.upload_by_points(invariants.of_elements(), index(quadrature.volume_points()));
  face_invariants_ = setting_.upload_by_points(invariants.of_faces(), face_points);
  metric_at_nodes_ = setting_.upload_by_points(geometry.at_nodes, index(discretization.Np()));

  std::vector<std::int32_t> rows;  // [curved element][face]
  Rows at_boundaries;              // [row x face points + point]: gradients, normal
  std::vector<double> positions;   // [row][axis][point]
  std::int32_t count = 0;
  for (std::size_t k = 0; k < discretization.K(); ++k) {
    if (!discretization.mesh.curved.is_curved(k)) continue;
    for (std::size_t face = 0; face < 4; ++face) {
      rows.push_back(discretization.connectivity.neighbours[k][face] < 0 ? count : -1);
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
  boundary_rows_ = setting_.upload(rows);
  boundary_metric_ = setting_.upload_by_points(at_boundaries, face_points);
  boundary_points_ = setting_.upload(positions);

  Eigen::MatrixXd D(discretization.Np(), 3 * discretization.Np());
  D << reference.Dr, reference.Ds, reference.Dt;
  D_ = setting_.upload_columns(D);
  at_volume_ = setting_.upload_columns(quadrature.at_volume);
  from_volume_ = setting_.upload_columns(quadrature.from_volume);
  at_face_ = setting_.upload_columns(quadrature.at_face);
  lift_ = setting_.upload_columns(quadrature.lift);
  Fmask_ = setting_.upload(reference.face_nodes());
}

void CurvedStage::advance(const StageTarget& target, const ElementRange& range) const {
  kernel_.launch(setting_.stream,
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
                  setting_.real(target.a),
                  setting_.real(target.b),
                  setting_.real(target.dt),
                  target.t,
                  static_cast<std::int32_t>(range.begin),
                  setting_.discretization.mesh.curved.number[range.begin]});
}

std::size_t CurvedStage::forecast_bytes(const CurvedSystem& system, const ElementQuadrature& quadrature,
                                        const ReferenceElement& reference, Dtype precision, std::size_t elements,
                                        std::size_t boundary_faces) {
  const auto Np = index(reference.Np), points = index(quadrature.volume_points());
  const auto face_points = index(quadrature.face_points());
  const std::size_t an_element = 9 * Np + system.contracted.element_invariants.size() * points +
                                 4 * system.contracted.face_invariants.size() * face_points;
  const std::size_t matrices = 3 * Np * Np + 2 * points * Np + face_points * (index(reference.Nfp) + 4 * Np);
  const std::size_t numbers = 4 * elements + 4 * index(reference.Nfp);
  return (elements * an_element + boundary_faces * 12 * face_points + matrices) * size_of(precision) +
         boundary_faces * 3 * face_points * sizeof(double) + numbers * sizeof(std::int32_t);
}

}  // namespace maxwell_dg::dg
