#include "dg/operator/fused_stage.hpp"

#include <algorithm>
#include <utility>

namespace maxwell_dg::dg {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

FusedStage::FusedStage(const StageSetting& setting)
    : setting_(setting),
      generator_(setting.lowered,
                 {setting.problem.system.name, setting.discretization.N(), setting.precision, setting.schedule}) {
  const Discretization& d = setting_.discretization;
  for (core::Buffer* buffer : {&Q_, &Q_new_, &RES_}) *buffer = setting_.zero_state();
  metric_ = setting_.upload_reals(9 * d.K(), [&](std::size_t i) { return d.geometry.metric[i / 9][i % 9]; });
  std::vector<std::int32_t> neighbours;
  for (const auto& of_element : d.connectivity.neighbours) {
    neighbours.insert(neighbours.end(), of_element.begin(), of_element.end());
  }
  neighbours_ = setting_.upload(neighbours);
  material_ = setting_.upload(setting_.materials.material);
  const std::size_t constants = std::max<std::size_t>(setting_.lowered.constants.size(), 1);
  constants_ = setting_.upload_reals(constants * setting_.materials.constants.size(), [&](std::size_t i) {
    const auto& row = setting_.materials.constants[i / constants];
    return row.empty() ? 0.0 : row[i % constants];
  });
  const auto upload_factors = [&](const std::vector<const Eigen::MatrixXd*>& matrices) {
    const std::vector<double> factors = generator_.right_factors(matrices);
    return setting_.upload_reals(factors.size(), [&](std::size_t i) { return factors[i]; });
  };
  D_ = upload_factors({&d.reference.Dr, &d.reference.Ds, &d.reference.Dt});
  LIFT_ = upload_factors({&d.reference.LIFT});
  Fmask_ = setting_.upload(face_nodes(d.reference));
  boundary_kind_ =
      setting_.upload(std::vector<std::int32_t>(setting_.problem.boundary.begin(), setting_.problem.boundary.end()));
  boundary_nodes_ = setting_.upload(boundary_nodes(setting_));
  stage_ = setting_.compiler.compile(generator_.stage()).kernel("stage");
}

void FusedStage::advance(double a, double b, double dt, double t) {
  const std::size_t K = setting_.layout.K, per_group = index(generator_.elements_per_group());
  const bool dynamic = setting_.device().info().backend == core::Backend::cuda;
  const core::LaunchShape shape{.groups = {(K + per_group - 1) / per_group, 1, 1},
                                .group_size = {index(generator_.group_items()), 1, 1},
                                .dynamic_shared_bytes = dynamic ? generator_.on_chip_bytes() : 0};
  stage_.launch(
      setting_.stream, shape,
      {Q_, Q_new_, RES_, metric_, neighbours_, material_, constants_, D_, LIFT_, Fmask_, boundary_kind_,
       boundary_nodes_, setting_.real(a), setting_.real(b), setting_.real(dt), t, static_cast<std::int32_t>(K)});
  std::swap(Q_, Q_new_);
}

core::Buffer FusedStage::evaluate(double t) {
  advance(0.0, 0.0, 1.0, t);
  return RES_;
}

std::size_t FusedStage::forecast_bytes(const StageGenerator& generator, const LoweredSystem& lowered, int N,
                                       Dtype precision, std::size_t K, std::size_t boundary_faces,
                                       std::size_t materials) {
  const ReferenceElement reference = ReferenceElement::make(N);
  const std::size_t factors = generator.right_factors({&reference.Dr, &reference.Ds, &reference.Dt}).size() +
                              generator.right_factors({&reference.LIFT}).size();
  const std::size_t moving = lowered.boundaries_move ? 3 * index(reference.Nfp) * sizeof(double) : 0;
  const std::size_t constants = materials * std::max<std::size_t>(lowered.constants.size(), 1);
  return (9 * K + factors + constants) * size_of(precision) + 5 * K * sizeof(std::int32_t) +
         4 * index(reference.Nfp) * sizeof(std::int32_t) + boundary_faces * (sizeof(std::int32_t) + moving);
}

}  // namespace maxwell_dg::dg
