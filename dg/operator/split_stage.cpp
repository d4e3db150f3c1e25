#include "dg/operator/split_stage.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/round_up.hpp"
#include "dg/operator/stage_arrays.hpp"

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

}  // namespace

SplitStage::SplitStage(const StageSetting& setting)
    : SplitStage(setting, upload_arrays(setting), allocate_state(setting)) {}

SplitStage::SplitStage(StageSetting setting, Arrays arrays, StateCopies::Buffers state)
    : StageKernels(setting.ranges()),
      setting_(std::move(setting)),
      generator_(setting_.lowered, {.system = setting_.problem.system.name,
                                    .N = setting_.discretization.N(),
                                    .precision = setting_.precision,
                                    .schedule = setting_.schedule,
                                    .has_ranges = setting_.has_ranges()}),
      arrays_(std::move(arrays)),
      connected_(setting_.schedule.connects_nodes() ? upload_outside_nodes(setting_) : arrays_.neighbours),
      copies_(std::move(state), setting_.discretization, setting_.problem) {}

StateCopies::Buffers SplitStage::allocate_state(const StageSetting& setting) {
  const core::Buffer first = setting.zero_state();
  return {first, setting.has_ranges() ? setting.zero_state() : first};
}

SplitStage::Arrays SplitStage::upload_arrays(const StageSetting& setting) {
  if (setting.discretization.curved) {
    throw std::invalid_argument("schedule " + setting.schedule.name() +
                                ": curved elements need a schedule whose stage is one kernel");
  }
  const Geometry& geometry = setting.discretization.geometry;
  Arrays arrays;
  for (core::Buffer* buffer : {&arrays.RES, &arrays.RHS}) *buffer = setting.zero_state();
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
  arrays.Fmask = setting.upload(ref.face_nodes());

  arrays.D = setting.upload_reals(derivatives_by_columns(ref));
  arrays.LIFT = setting.upload_reals(lift_by_columns(ref));
  return arrays;
}

void SplitStage::take_constants() {
  arrays_.constants = upload_constants(setting_);
}

void SplitStage::load(const core::Module& module) {
  volume_ = module.kernel("volume");
  surface_ = module.kernel("surface");
  update_ = module.kernel("update");
}

core::LaunchShape SplitStage::over_elements(const ElementRange& range, const Schedule::Nodes::Slices& slices, int items,
                                            std::size_t bytes) const {
  return {.groups = {ceil_divide(range.size(), index(slices.elements())), 1, 1},
          .group_size = {index(items), 1, 1},
          .dynamic_shared_bytes = setting_.dynamic_shared_bytes(bytes)};
}

core::LaunchShape SplitStage::volume_shape(const ElementRange& range) const {
  return over_elements(range, setting_.schedule.as<Schedule::Nodes>().volume, generator_.volume_items(),
                       generator_.volume_bytes());
}

core::LaunchShape SplitStage::surface_shape(const ElementRange& range) const {
  return over_elements(range, setting_.schedule.as<Schedule::Nodes>().surface, generator_.surface_items(),
                       generator_.surface_bytes());
}

void SplitStage::volume(std::size_t range) const {
  std::vector<core::KernelArgument> arguments{
      copies_.read_by(range), arrays_.RHS, arrays_.metric,
      arrays_.constants,      arrays_.D,   static_cast<std::int32_t>(setting_.layout.K)};
  setting_.append_range(range, arguments);
  volume_.launch(setting_.stream, volume_shape(setting_.ranges()[range]), arguments);
}

void SplitStage::surface(std::size_t range, double t) const {
  std::vector<core::KernelArgument> arguments{copies_.read_by(range),
                                              arrays_.RHS,
                                              arrays_.faces,
                                              arrays_.constants,
                                              connected_,
                                              arrays_.Fmask,
                                              arrays_.LIFT,
                                              arrays_.boundary_kind,
                                              arrays_.boundary_nodes,
                                              t,
                                              static_cast<std::int32_t>(setting_.layout.K)};
  setting_.append_range(range, arguments);
  surface_.launch(setting_.stream, surface_shape(setting_.ranges()[range]), arguments);
}

void SplitStage::update(std::size_t range, double a, double b, double dt) const {
  const ElementRange& elements = setting_.ranges()[range];
  const StateLayout& layout = setting_.layout;
  const std::size_t items = SplitGenerator::update_items;
  const std::size_t count =
      setting_.has_ranges() ? elements.size() * index(layout.fields() * layout.Np) : layout.size();
  const std::size_t at_once = index(setting_.schedule.as<Schedule::Nodes>().updated_at_once);
  const core::LaunchShape shape{.groups = {ceil_divide(count, items * at_once), 1, 1}, .group_size = {items, 1, 1}};
  std::vector<core::KernelArgument> arguments{
      copies_.read_by(range),          arrays_.RES, arrays_.RHS, setting_.real(a), setting_.real(b), setting_.real(dt),
      static_cast<std::int64_t>(count)};
  if (setting_.has_ranges()) {
    arguments.insert(arguments.end(), {copies_.written_by(range), static_cast<std::int32_t>(elements.begin)});
  }
  update_.launch(setting_.stream, shape, arguments);
}

core::Buffer SplitStage::evaluate(double t) {
  (void)copies_.current();  // throws unless all ranges have computed equally many stages
  for (const std::size_t range : own_ranges()) right_hand_side(range, 0.0, 0.0, 1.0, t);
  return arrays_.RHS;
}

void SplitStage::right_hand_side(std::size_t range, double a, double b, double dt, double t) {
  volume(range);
  surface(range, t);
  const core::Buffer& Q = copies_.read_by(range);
  add_to({.range = range, .Q = Q, .rate = arrays_.RHS, .Q_new = Q, .a = a, .b = b, .dt = dt, .t = t});
}

void SplitStage::advance_range(std::size_t range, double a, double b, double dt, double t) {
  copies_.check_turn(range);
  right_hand_side(range, a, b, dt, t);
  update(range, a, b, dt);
  copies_.advance(range);
}

void SplitStage::run(const std::string& operation, double a, double b, double dt, double t) {
  for (const std::size_t range : own_ranges()) {
    if (operation == "volume") {
      volume(range);
    } else if (operation == "surface") {
      surface(range, t);
    } else {
      update(range, a, b, dt);
    }
  }
}

std::size_t SplitStage::forecast_bytes(const Schedule& schedule, const StateLayout& layout,
                                       const LoweredSystem& lowered, int N, Dtype precision,
                                       std::size_t boundary_faces) {
  const std::size_t Np = index(node_count(N)), Nfp = index(face_node_count(N));
  const int numbers = metric_size + face_size + std::max(static_cast<int>(lowered.constants.size()), 1);
  const std::size_t reals = layout.K * index(numbers) + 3 * Np * Np + Np * 4 * Nfp;
  const std::size_t outside_nodes = schedule.connects_nodes() ? 4 * Nfp * layout.K : 0;
  const std::size_t integers = 4 * layout.stored + 4 * Nfp + boundary_faces + outside_nodes;
  const std::size_t positions = lowered.boundaries_vary ? 3 * Nfp * boundary_faces : 0;
  return reals * size_of(precision) + integers * sizeof(std::int32_t) + positions * sizeof(double);
}

}  // namespace maxwell_dg::dg
