#include "dg/operator/split_stage.hpp"

#include <algorithm>
#include <array>

namespace maxwell_dg::dg {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}
std::size_t groups(std::size_t items, std::size_t per_group) {
  return (items + per_group - 1) / per_group;
}

/// Numbers an element that kernels read, besides the constants.
constexpr int metric_size = 9, face_size = 16;

}  // namespace

template <class ValueOf>
core::Buffer SplitStage::upload_elements(int components, const ValueOf& value_of) const {
  const StateLayout& layout = setting_.layout;
  HostReals host(setting_.precision, layout.element_size(components));
  for (std::size_t k = 0; k < layout.K; ++k) {
    for (int c = 0; c < components; ++c) host.set(layout.element_index(k, components, c), value_of(k, c));
  }
  return dg::upload(setting_.device(), setting_.stream, host.bytes());
}

/// [block][constant][lane]. Elements that pad the last block get the last element's: no division by zero in lanes that
/// nobody reads.
core::Buffer SplitStage::upload_constants() const {
  const StateLayout& layout = setting_.layout;
  const MaterialTable& materials = setting_.materials;
  const int count = std::max(1, static_cast<int>(setting_.lowered.constants.size()));
  HostReals host(setting_.precision, layout.element_size(count));
  for (std::size_t k = 0; k < layout.blocks() * index(layout.lanes); ++k) {
    const auto& row = materials.constants[index(materials.material[std::min(k, layout.K - 1)])];
    for (std::size_t c = 0; c < row.size(); ++c) host.set(layout.element_index(k, count, static_cast<int>(c)), row[c]);
  }
  return dg::upload(setting_.device(), setting_.stream, host.bytes());
}

SplitStage::SplitStage(const StageSetting& setting)
    : setting_(setting),
      generator_(setting.lowered,
                 {setting.problem.system.name, setting.discretization.N(), setting.precision, setting.schedule}) {
  const Geometry& geometry = setting_.discretization.geometry;
  for (core::Buffer* buffer : {&Q_, &RES_, &RHS_}) *buffer = setting_.zero_state();
  metric_ = upload_elements(metric_size, [&](std::size_t k, int c) { return geometry.metric[k][index(c)]; });
  faces_ = upload_elements(face_size, [&](std::size_t k, int c) {
    const Geometry::Face& face = geometry.faces[k][index(c / 4)];
    return std::array{face.nx, face.ny, face.nz, face.Fscale}[index(c % 4)];
  });
  constants_ = upload_constants();

  const StateLayout& layout = setting_.layout;
  std::vector<std::int32_t> neighbours(layout.element_size(4));
  for (std::size_t k = 0; k < layout.blocks() * index(layout.lanes); ++k) {
    for (int face = 0; face < 4; ++face) {  // an element that pads is its own neighbour
      neighbours[layout.element_index(k, 4, face)] =
          k < layout.K ? setting_.discretization.connectivity.neighbours[k][index(face)]
                       : static_cast<std::int32_t>(4 * k) + face;
    }
  }
  neighbours_ = setting_.upload(neighbours);
  boundary_kind_ =
      setting_.upload(std::vector<std::int32_t>(setting_.problem.boundary.begin(), setting_.problem.boundary.end()));
  boundary_nodes_ = setting_.upload(boundary_nodes(setting_));
  Fmask_ = setting_.upload(face_nodes(setting_.discretization.reference));
  upload_operators();

  const rtcg::KernelSource sources[] = {generator_.volume(), generator_.surface(), generator_.update()};
  const std::vector<core::Module> modules = setting_.compiler.compile(sources);
  volume_ = modules[0].kernel("volume");
  surface_ = modules[1].kernel("surface");
  update_ = modules[2].kernel("update");
}

void SplitStage::upload_operators() {
  const ReferenceElement& ref = setting_.discretization.reference;
  const std::size_t Np = index(ref.Np), columns = index(4 * ref.Nfp);
  const bool by_column = generator_.nodes_in_parallel();
  const Eigen::MatrixXd* const derivatives[3] = {&ref.Dr, &ref.Ds, &ref.Dt};
  const auto entry = [](const Eigen::MatrixXd& m, std::size_t i, std::size_t j) {
    return m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  };
  D_ = setting_.upload_reals(3 * Np * Np, [&](std::size_t i) {
    if (by_column) return entry(*derivatives[i / Np % 3], i % Np, i / (3 * Np));
    return entry(*derivatives[i % 3], i / (3 * Np), i / 3 % Np);
  });
  LIFT_ = setting_.upload_reals(Np * columns, [&](std::size_t i) {
    return by_column ? entry(ref.LIFT, i % Np, i / Np) : entry(ref.LIFT, i / columns, i % columns);
  });
}

core::Buffer SplitStage::evaluate(double t) {
  const auto blocks = static_cast<std::int32_t>(setting_.layout.blocks());
  const core::LaunchShape over_elements{
      .groups = {groups(setting_.layout.blocks(), index(generator_.blocks_per_group())), 1, 1},
      .group_size = {index(generator_.group_items()), 1, 1}};
  volume_.launch(setting_.stream, over_elements, {Q_, RHS_, metric_, constants_, D_, blocks});
  surface_.launch(
      setting_.stream, over_elements,
      {Q_, RHS_, faces_, constants_, neighbours_, Fmask_, LIFT_, boundary_kind_, boundary_nodes_, t, blocks});
  return RHS_;
}

void SplitStage::advance(double a, double b, double dt, double t) {
  (void)evaluate(t);
  const std::size_t count = setting_.layout.size() / index(setting_.layout.lanes);
  const std::size_t items = index(generator_.update_items());
  const core::LaunchShape shape{.groups = {groups(count, items * index(generator_.update_chunk())), 1, 1},
                                .group_size = {items, 1, 1}};
  update_.launch(
      setting_.stream, shape,
      {Q_, RES_, RHS_, setting_.real(a), setting_.real(b), setting_.real(dt), static_cast<std::int64_t>(count)});
}

std::size_t SplitStage::forecast_bytes(const StateLayout& layout, const LoweredSystem& lowered, int N, Dtype precision,
                                       std::size_t boundary_faces) {
  const std::size_t Np = index((N + 1) * (N + 2) * (N + 3) / 6), Nfp = index((N + 1) * (N + 2) / 2);
  const int numbers = metric_size + face_size + std::max(static_cast<int>(lowered.constants.size()), 1);
  const std::size_t reals = layout.element_size(numbers) + 3 * Np * Np + Np * 4 * Nfp;
  const std::size_t integers = layout.element_size(4) + 4 * Nfp + boundary_faces;
  const std::size_t moving = lowered.boundaries_move ? 3 * Nfp * boundary_faces : 0;
  return reals * size_of(precision) + integers * sizeof(std::int32_t) + moving * sizeof(double);
}

}  // namespace maxwell_dg::dg
