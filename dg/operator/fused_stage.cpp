#include "dg/operator/fused_stage.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/round_up.hpp"
#include "dg/operator/stage_arrays.hpp"
#include "dg/operator/stage_terms.hpp"
#include "dg/variants/stage_generator.hpp"

namespace maxwell_dg::dg {

namespace {

std::size_t invariants(const FusedGenerator& generator, std::size_t K) {
  return round_up(K, index(generator.invariant_block())) * index(generator.invariant_row());
}

bool has_straight(const ElementRanges& ranges) {
  for (std::size_t range = 0; range < ranges.size(); ++range) {
    if (ranges[range].shape != ElementRange::Shape::curved) return true;
  }
  return false;
}

}  // namespace

FusedStage::FusedStage(const StageSetting& setting)
    : FusedStage(setting, upload_arrays(setting), {setting.zero_state(), setting.zero_state()}) {}

FusedStage::FusedStage(StageSetting setting, Arrays arrays, StateCopies::Buffers state)
    : StageKernels(setting.ranges()),
      setting_(std::move(setting)),
      generator_(make_stage_generator(setting_.lowered, {.system = setting_.problem.system.name,
                                                         .N = setting_.discretization.N(),
                                                         .precision = setting_.precision,
                                                         .schedule = setting_.schedule,
                                                         .elements = setting_.made_for,
                                                         .has_ranges = setting_.has_ranges(),
                                                         .has_curved = setting_.discretization.curved.has_value()})),
      arrays_(std::move(arrays)),
      copies_(std::move(state), setting_.discretization, setting_.problem) {
  if (setting_.terms) generator_->compute_terms(setting_.terms->terms());
  const ReferenceElement& reference = setting_.discretization.reference;
  const std::vector<double> lift = generator_->lift_factors(reference);
  node_words_ = setting_.upload(generator_->node_words(reference));
  D_ = upload_factors(generator_->derivative_factors(reference));
  LIFT_ = upload_factors(lift);
  takes_factors_ = !lift.empty();
  if (setting_.device().info().backend == core::Backend::cuda) {
    if (arrays_.curved && has_straight(setting_.ranges())) {
      beside_ = setting_.device().create_stream({.priority = core::StreamPriority::high});
    }
    if (!setting_.discretization.halo.links.empty()) interior_ = setting_.device().create_stream();
  }
  if (setting_.schedule.connects_nodes()) outside_nodes_ = upload_outside_nodes(setting_);
  invariants_ = setting_.device().allocate(invariants(*generator_, setting_.layout.K) * size_of(setting_.precision));
}

std::optional<rtcg::KernelSource> FusedStage::curved_source() const {
  return arrays_.curved ? std::optional(arrays_.curved->source()) : std::nullopt;
}

void FusedStage::load_curved(const core::Module& module) {
  arrays_.curved->load(module);
}

void FusedStage::load(const core::Module& module) {
  if (arrays_.curved && !arrays_.curved->is_loaded()) {
    load_curved(rtcg::Compiler(setting_.compiler).compile(arrays_.curved->source()));
  }
  stage_ = module.kernel("stage");
  if (in_basis()) {
    to_cartesian_ = module.kernel("to_cartesian");
    from_cartesian_ = module.kernel("from_cartesian");
  }
  prepare_ = module.kernel("prepare");
  prepare();
}

void FusedStage::prepare() const {
  const std::size_t K = setting_.layout.K, items = FusedGenerator::prepare_items;
  const std::size_t groups = ceil_divide(round_up(K, index(generator_->invariant_block())), items);
  prepare_.launch(setting_.stream, {.groups = {groups, 1, 1}, .group_size = {items, 1, 1}},
                  {invariants_, arrays_.metric, arrays_.neighbours, arrays_.material, arrays_.constants,
                   static_cast<std::int32_t>(K)});
}

void FusedStage::take_constants() {
  upload_media(setting_, arrays_);
  if (arrays_.curved) arrays_.curved->take_constants(arrays_.material, arrays_.constants);
  prepare();
}

void FusedStage::upload_media(const StageSetting& setting, Arrays& arrays) {
  if (!setting.schedule.constants_by_material()) {
    arrays.constants = upload_constants(setting);
    return;
  }
  arrays.material = setting.upload(setting.materials.material);
  const std::size_t constants = std::max<std::size_t>(setting.lowered.constants.size(), 1);
  arrays.constants = setting.upload_reals(constants * setting.materials.constants.size(), [&](std::size_t i) {
    const auto& row = setting.materials.constants[i / constants];
    return row.empty() ? 0.0 : row[i % constants];
  });
}

FusedStage::Arrays FusedStage::upload_arrays(const StageSetting& setting) {
  const Discretization& d = setting.discretization;
  Arrays arrays;
  arrays.RES = setting.zero_state();
  arrays.metric = setting.upload_reals(9 * d.K(), [&](std::size_t i) { return d.geometry.metric[i / 9][i % 9]; });
  arrays.neighbours = upload_neighbours(setting);
  upload_media(setting, arrays);
  arrays.boundary_kind =
      setting.upload(std::vector<std::int32_t>(setting.problem.boundary.begin(), setting.problem.boundary.end()));
  arrays.boundary_nodes = setting.upload(boundary_nodes(setting));
  if (!d.curved) return arrays;
  if (setting.schedule.in_basis_of_element()) arrays.curved_number = setting.upload(d.mesh.curved.number);
  arrays.curved = std::make_shared<CurvedStage>(setting, CurvedStage::Arrays{.neighbours = arrays.neighbours,
                                                                             .material = arrays.material,
                                                                             .constants = arrays.constants,
                                                                             .boundary_kind = arrays.boundary_kind});
  return arrays;
}

core::Buffer FusedStage::upload_factors(const std::vector<double>& factors) const {
  if (factors.empty()) return {};
  return setting_.upload_reals(factors);
}

core::LaunchShape FusedStage::shape(const ElementRange& range) const {
  const std::size_t per_group = index(generator_->elements_per_group());
  return {.groups = {ceil_divide(range.end, per_group) - range.begin / per_group, 1, 1},
          .group_size = {index(generator_->group_items()), 1, 1},
          .dynamic_shared_bytes = setting_.dynamic_shared_bytes(generator_->shared_bytes()),
          .kind = beside_ || interior_ ? core::LaunchKind::ordinary : core::LaunchKind::overlapping};
}

StageTarget FusedStage::launch(std::size_t range, double a, double b, double dt, double t, const core::Stream& on) {
  const core::Buffer &Q = copies_.read_by(range), &Q_new = copies_.written_by(range);
  const bool backwards = is_backwards(range);
  copies_.advance(range);
  has_cartesian_ = false;
  std::vector<core::KernelArgument> arguments{Q, Q_new, arrays_.RES, invariants_};
  if (setting_.schedule.constants_by_material()) arguments.emplace_back(arrays_.metric);
  arguments.emplace_back(arrays_.neighbours);
  if (outside_nodes_) arguments.emplace_back(outside_nodes_);
  if (setting_.terms) setting_.terms->append(arguments);
  arguments.insert(arguments.end(), {arrays_.material, arrays_.constants});
  if (takes_factors_) arguments.insert(arguments.end(), {D_, LIFT_});
  arguments.insert(arguments.end(),
                   {node_words_, arrays_.boundary_kind, arrays_.boundary_nodes, setting_.real(a), setting_.real(b),
                    setting_.real(dt), t, static_cast<std::int32_t>(setting_.layout.K)});
  arguments.emplace_back(static_cast<std::int32_t>(backwards ? 1 : 0));
  setting_.append_range(range, arguments);
  StageTarget target{.range = range, .Q = Q, .rate = arrays_.RES, .Q_new = Q_new, .a = a, .b = b, .dt = dt, .t = t};
  if (is_curved(range)) {
    arrays_.curved->advance(target, setting_.ranges()[range], backwards, on);
  } else {
    stage_.launch(on, shape(setting_.ranges()[range]), arguments);
  }
  return target;
}

void FusedStage::advance_range(std::size_t range, double a, double b, double dt, double t) {
  add_to(launch(range, a, b, dt, t, setting_.stream));
}

void FusedStage::advance_ranges(std::span<const std::size_t> ranges, double a, double b, double dt, double t) {
  if (!beside_) {
    StageKernels::advance_ranges(ranges, a, b, dt, t);
    return;
  }
  std::vector<std::size_t> curved, straight;
  for (const std::size_t range : ranges) (is_curved(range) ? curved : straight).push_back(range);
  beside_->wait(setting_.stream.record(core::EventKind::order));
  std::vector<StageTarget> targets;
  for (const std::size_t range : curved) targets.push_back(launch(range, a, b, dt, t, *beside_));
  for (const std::size_t range : straight) advance_range(range, a, b, dt, t);
  setting_.stream.wait(beside_->record(core::EventKind::order));
  for (const StageTarget& target : targets) add_to(target);
}

void FusedStage::begin_beside(std::span<const std::size_t> ranges, double a, double b, double dt, double t,
                              Since since) {
  if (!interior_) return;
  if (since == Since::anything) interior_may_begin_ = setting_.stream.record(core::EventKind::order);
  interior_->wait(interior_may_begin_);
  if (beside_) beside_->wait(interior_may_begin_);
  for (const std::size_t range : ranges) {
    begun_.push_back(launch(range, a, b, dt, t, beside_ && is_curved(range) ? *beside_ : *interior_));
  }
}

void FusedStage::end_beside(std::span<const std::size_t> ranges, double a, double b, double dt, double t) {
  if (!interior_) {
    advance_ranges(ranges, a, b, dt, t);
    return;
  }
  setting_.stream.wait(interior_->record(core::EventKind::order));
  if (beside_) setting_.stream.wait(beside_->record(core::EventKind::order));
  for (const StageTarget& target : std::exchange(begun_, {})) add_to(target);
  interior_may_begin_ = setting_.stream.record(core::EventKind::order);
}

void FusedStage::count_stage() {
  copies_.advance_all();
  has_cartesian_ = false;
}

core::Buffer FusedStage::evaluate(double t) {
  advance(0.0, 0.0, 1.0, t);
  if (in_basis()) change(to_cartesian_, arrays_.RES, arrays_.RES, all());
  return arrays_.RES;
}

core::Buffer FusedStage::cartesian_state() {
  if (!in_basis()) return stored_state();
  if (!has_cartesian_) change(to_cartesian_, stored_state(), copies_.other(), all());
  has_cartesian_ = true;
  return copies_.other();
}

core::Buffer FusedStage::cartesian_state_of(const core::Buffer& elements, std::size_t count) {
  if (!in_basis()) return stored_state();
  if (!has_cartesian_) change(to_cartesian_, stored_state(), copies_.other(), {elements, count});
  return copies_.other();
}

void FusedStage::store_cartesian() {
  if (in_basis()) change(from_cartesian_, stored_state(), stored_state(), all());
}

void FusedStage::change(const core::Kernel& basis, const core::Buffer& from, const core::Buffer& to,
                        const Listed& listed) const {
  const std::size_t nodes = listed.count * index(setting_.layout.Np), items = FusedGenerator::prepare_items;
  std::vector<core::KernelArgument> arguments{from,
                                              to,
                                              arrays_.metric,
                                              listed.elements ? listed.elements : arrays_.neighbours,
                                              static_cast<std::int32_t>(listed.elements ? 1 : 0),
                                              static_cast<std::int32_t>(listed.count)};
  if (arrays_.curved) {
    arguments.insert(arguments.end(), {arrays_.curved_number, arrays_.curved->metric_at_nodes()});
  }
  basis.launch(setting_.stream, {.groups = {ceil_divide(nodes, items), 1, 1}, .group_size = {items, 1, 1}}, arguments);
}

std::size_t FusedStage::forecast_bytes(const FusedGenerator& generator, const Schedule& schedule,
                                       const StateLayout& layout, const LoweredSystem& lowered, int N, Dtype precision,
                                       std::size_t boundary_faces, std::size_t materials) {
  const ReferenceElement reference = ReferenceElement::make(N);
  const std::size_t factors = generator.derivative_factors(reference).size() + generator.lift_factors(reference).size();
  const std::size_t positions = lowered.boundaries_vary ? 3 * index(reference.Nfp) * sizeof(double) : 0;
  const std::size_t outside_nodes = schedule.connects_nodes() ? 4 * index(reference.Nfp) * layout.K : 0;
  const bool by_material = schedule.constants_by_material();
  const int of_an_element = std::max(static_cast<int>(lowered.constants.size()), 1);
  const std::size_t constants = by_material ? materials * index(of_an_element) : layout.stored * index(of_an_element);
  return (9 * layout.K + invariants(generator, layout.K) + factors + constants) * size_of(precision) +
         (4 * layout.stored + outside_nodes + (by_material ? layout.K : 0)) * sizeof(std::int32_t) +
         generator.node_words(reference).size() * sizeof(std::int32_t) +
         boundary_faces * (sizeof(std::int32_t) + positions);
}

}  // namespace maxwell_dg::dg
