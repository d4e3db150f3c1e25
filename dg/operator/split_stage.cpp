#include "dg/operator/split_stage.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

namespace {

/// Numbers an element that kernels read, besides the constants.
constexpr int metric_size = 9, face_size = 16;

/// [element][component] from value_of(k, c).
template <class ValueOf>
core::Buffer upload_elements(const StageSetting& setting, int components, const ValueOf& value_of) {
  const std::size_t count = index(components);
  return setting.upload_reals(setting.layout.K * count,
                              [&](std::size_t i) { return value_of(i / count, static_cast<int>(i % count)); });
}

double entry(const Eigen::MatrixXd& m, std::size_t i, std::size_t j) {
  return m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
}

}  // namespace

SplitStage::SplitStage(const StageSetting& setting) : SplitStage(setting, upload_arrays(setting)) {}

SplitStage::SplitStage(StageSetting setting, Arrays arrays)
    : setting_(std::move(setting)),
      generator_(setting_.lowered,
                 {setting_.problem.system.name, setting_.discretization.N(), setting_.precision, setting_.schedule}),
      arrays_(std::move(arrays)) {}

SplitStage::Arrays SplitStage::upload_arrays(const StageSetting& setting) {
  const Geometry& geometry = setting.discretization.geometry;
  Arrays arrays;
  for (core::Buffer* buffer : {&arrays.Q, &arrays.RES, &arrays.RHS}) *buffer = setting.zero_state();
  arrays.metric =
      upload_elements(setting, metric_size, [&](std::size_t k, int c) { return geometry.metric[k][index(c)]; });
  arrays.faces = upload_elements(setting, face_size, [&](std::size_t k, int c) {
    const Geometry::Face& face = geometry.faces[k][index(c / 4)];
    return std::array{face.nx, face.ny, face.nz, face.Fscale}[index(c % 4)];
  });
  arrays.constants = upload_constants(setting);
  arrays.neighbours = upload_neighbours(setting);
  arrays.boundary_kind =
      setting.upload(std::vector<std::int32_t>(setting.problem.boundary.begin(), setting.problem.boundary.end()));
  arrays.boundary_nodes = setting.upload(boundary_nodes(setting));
  const ReferenceElement& ref = setting.discretization.reference;
  arrays.Fmask = setting.upload(face_nodes(ref));

  const std::size_t Np = index(ref.Np), columns = index(4 * ref.Nfp);
  const Eigen::MatrixXd* const derivatives[3] = {&ref.Dr, &ref.Ds, &ref.Dt};
  arrays.D = setting.upload_reals(3 * Np * Np,
                                  [&](std::size_t i) { return entry(*derivatives[i / Np % 3], i % Np, i / (3 * Np)); });
  arrays.LIFT = setting.upload_reals(Np * columns, [&](std::size_t i) { return entry(ref.LIFT, i % Np, i / Np); });
  return arrays;
}

void SplitStage::use(const core::Module& module) {
  volume_ = module.kernel("volume");
  surface_ = module.kernel("surface");
  update_ = module.kernel("update");
}

core::LaunchShape SplitStage::over_elements() const {
  return {.groups = {ceil_divide(setting_.layout.K, index(generator_.elements_per_group())), 1, 1},
          .group_size = {index(generator_.group_items()), 1, 1}};
}

core::Buffer SplitStage::evaluate(double t) {
  right_hand_side(0.0, 0.0, 1.0, t);
  return arrays_.RHS;
}

void SplitStage::right_hand_side(double a, double b, double dt, double t) {
  const auto elements = static_cast<std::int32_t>(setting_.layout.K);
  volume_.launch(setting_.stream, over_elements(),
                 {arrays_.Q, arrays_.RHS, arrays_.metric, arrays_.constants, arrays_.D, elements});
  surface_.launch(setting_.stream, over_elements(),
                  {arrays_.Q, arrays_.RHS, arrays_.faces, arrays_.constants, arrays_.neighbours, arrays_.Fmask,
                   arrays_.LIFT, arrays_.boundary_kind, arrays_.boundary_nodes, t, elements});
  add_to({.Q = arrays_.Q, .rate = arrays_.RHS, .Q_new = arrays_.Q, .a = a, .b = b, .dt = dt, .t = t});
}

void SplitStage::advance(double a, double b, double dt, double t) {
  right_hand_side(a, b, dt, t);
  const std::size_t count = setting_.layout.size();
  const std::size_t items = index(generator_.update_items());
  const core::LaunchShape shape{.groups = {ceil_divide(count, items * index(generator_.update_chunk())), 1, 1},
                                .group_size = {items, 1, 1}};
  update_.launch(setting_.stream, shape,
                 {arrays_.Q, arrays_.RES, arrays_.RHS, setting_.real(a), setting_.real(b), setting_.real(dt),
                  static_cast<std::int64_t>(count)});
}

std::size_t SplitStage::forecast_bytes(const StateLayout& layout, const LoweredSystem& lowered, int N, Dtype precision,
                                       std::size_t boundary_faces) {
  const std::size_t Np = index(node_count(N)), Nfp = index(face_node_count(N));
  const int numbers = metric_size + face_size + std::max(static_cast<int>(lowered.constants.size()), 1);
  const std::size_t reals = layout.K * index(numbers) + 3 * Np * Np + Np * 4 * Nfp;
  const std::size_t integers = 4 * layout.K + 4 * Nfp + boundary_faces;
  const std::size_t moving = lowered.boundaries_move ? 3 * Nfp * boundary_faces : 0;
  return reals * size_of(precision) + integers * sizeof(std::int32_t) + moving * sizeof(double);
}

}  // namespace maxwell_dg::dg
