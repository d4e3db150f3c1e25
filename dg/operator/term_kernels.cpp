#include "dg/operator/term_kernels.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/term_of_stage.hpp"
#include "dg/operator/stage_terms.hpp"

namespace maxwell_dg::dg {

TermKernels::TermKernels(const StageSetting& setting, const KernelGenerator& generator)
    : setting_(setting), generator_(generator) {
  const Problem& problem = setting.problem;
  if (has_curved_elements(setting.discretization, problem))
    curved_ = std::make_shared<CurvedTermParts>(setting, generator);
  for (const ElementTerm& term : problem.element_terms) on_elements_.push_back(make(term, on_elements_.size()));
  for (const FaceTerm& term : problem.face_terms) on_faces_.push_back(make(term));
  if (on_faces_.empty()) return;
  const ReferenceElement& reference = setting.discretization.reference;
  Fmask_ = setting.upload(reference.face_nodes());
  LIFT_ = setting.upload_reals(static_cast<std::size_t>(reference.LIFT.size()),
                               [&](std::size_t i) { return reference.LIFT.data()[i]; });  // Eigen stores columns
}

template <class Made, class Term>
void TermKernels::add_sources(Made& made, const Term& term) {
  constexpr bool on_elements = std::is_same_v<Term, ElementTerm>;
  made.kernels = KernelsByShape::of(setting_.discretization, term);
  if constexpr (on_elements) made.kernels.has_straight &= !made.is_of_stage;
  if (made.kernels.has_straight) {
    if constexpr (on_elements) {
      sources_.push_back(generator_.element_term(term, made.lowered));
    } else {
      sources_.push_back(generator_.face_term(term, made.lowered));
    }
  }
  if (!made.kernels.has_curved) return;
  CurvedTermGenerator::Kernel kernel;
  if constexpr (on_elements) {
    made.kernels.lanes = curved_->generator.lanes(made.for_curved);
    kernel = curved_->generator.element_term(term, made.for_curved);
  } else {
    kernel = curved_->generator.face_term(term, made.for_curved);
  }
  made.kernels.dynamic_shared_bytes = setting_.dynamic_shared_bytes(kernel.shared_bytes);
  made.kernels.items = kernel.items;
  made.kernels.elements = index(kernel.elements);
  sources_.push_back(std::move(kernel.source));
}

namespace {

/// What the kernel of a range's elements reads, which all have one shape.
template <class Made, class Term>
const LoweredTerm& of_shape(const StageSetting& setting, const Made& made, const Term& part) {
  return KernelsByShape::of(setting.discretization, part).has_curved ? made.for_curved : made.lowered;
}

}  // namespace

TermKernels::OnElements TermKernels::make(const ElementTerm& term, std::size_t number) {
  OnElements made{.term = &term,
                  .number = number,
                  .is_of_stage = setting_.terms && setting_.terms->has(number),
                  .lowered = lower(setting_.problem.system, term),
                  .for_curved = lower_for_curved(setting_.problem.system, term)};
  add_sources(made, term);
  const auto is_straight = [&](const ElementTerm& part) {
    return !part.elements.empty() && !setting_.discretization.mesh.curved.is_curved(index(part.elements.front()));
  };
  std::size_t in_stage = 0;
  for_each_range(setting_, term, [&](const ElementTerm& in_range) {
    const std::size_t taken = made.is_of_stage && is_straight(in_range) ? in_range.elements.size() : 0;
    const ElementTerm part = taken > 0 ? part_of(term, 0, 0) : in_range;
    const int lanes = part.elements.empty() || is_straight(part) ? 1 : made.kernels.lanes;
    ElementsOfRange& of_range = made.of_ranges.emplace_back(
        ElementsOfRange{.count = part.elements.size(),
                        .values = auxiliary_count(part, setting_.discretization),
                        .of_stage = {.first = in_stage, .count = taken},
                        .arrays = upload_term_arrays(setting_, part, of_shape(setting_, made, part), lanes),
                        .lanes = lanes});
    in_stage += taken;
    const std::size_t of_element = of_range.values / std::max<std::size_t>(of_range.count, 1);
    const std::size_t stored = round_up(of_range.count, index(lanes)) * of_element;
    for (core::Buffer* buffer : {&of_range.U, &of_range.RES_U}) *buffer = zero_values(stored);
  });
  return made;
}

core::Buffer TermKernels::zero_values(std::size_t count) const {
  core::Buffer buffer = setting_.device().allocate(std::max<std::size_t>(count, 1) * size_of(setting_.precision));
  setting_.stream.fill_zero(buffer);
  return buffer;
}

TermKernels::OnFaces TermKernels::make(const FaceTerm& term) {
  OnFaces made{.term = &term,
               .lowered = lower(setting_.problem.system, term),
               .for_curved = lower_for_curved(setting_.problem.system, term)};
  add_sources(made, term);
  for_each_range(setting_, term, [&](const FaceTerm& part) {
    std::vector<std::int32_t> first_faces;
    for (std::size_t i = 0; i < part.faces.size(); ++i) {
      if (i == 0 || part.faces[i - 1].element != part.faces[i].element) {
        first_faces.push_back(static_cast<std::int32_t>(i));
      }
    }
    const std::size_t groups = first_faces.size();
    first_faces.push_back(static_cast<std::int32_t>(part.faces.size()));
    FacesOfRange& of_range = made.of_ranges.emplace_back(
        FacesOfRange{.groups = groups,
                     .arrays = upload_term_arrays(setting_, part, of_shape(setting_, made, part)),
                     .first_faces = setting_.upload(first_faces),
                     .values = auxiliary_count(part, setting_.discretization)});
    for (core::Buffer* buffer : {&of_range.U, &of_range.RES_U}) *buffer = zero_values(of_range.values);
  });
  return made;
}

void TermKernels::load(std::span<const core::Module> modules) {
  for (OnElements& e : on_elements_) e.kernels.load(modules, "element_term");
  for (OnFaces& f : on_faces_) f.kernels.load(modules, "face_term");
  sources_.clear();
}

void TermKernels::add(const StageTarget& target) {
  for (const OnElements& term : on_elements_) add(term, target);
  for (const OnFaces& term : on_faces_) add(term, target);
}

void TermKernels::add(const OnElements& term, const StageTarget& target) const {
  const core::KernelArgument a = setting_.real(target.a), b = setting_.real(target.b), dt = setting_.real(target.dt);
  const ElementsOfRange& e = term.of_ranges.at(target.range);
  if (e.count == 0) return;
  if (is_curved(setting_, target.range)) {
    std::vector<core::KernelArgument> arguments{target.Q, target.rate,  target.Q_new,       e.U,
                                                e.RES_U,  e.arrays.ids, e.arrays.constants, e.arrays.profiles};
    const auto count = static_cast<std::int32_t>(e.count);
    if (e.lanes > 1) {
      arguments.insert(arguments.end(), {e.arrays.metric_at_nodes, e.arrays.metric_at_points});
      arguments.insert(arguments.end(), curved_->matrices_of_lanes.begin(), curved_->matrices_of_lanes.end());
      arguments.insert(arguments.end(), {a, b, dt, count});
    } else {
      arguments.insert(arguments.end(),
                       {e.arrays.positions, curved_->metric_at_nodes, curved_->metric_at_points,
                        curved_->weights_at_points, curved_->at_volume, curved_->projection, curved_->from_volume, a, b,
                        dt, target.t, number_of_element_0(setting_, target.range), count});
    }
    term.kernels.curved.launch(setting_.stream,
                               {.groups = {ceil_divide(e.count, term.kernels.elements), 1, 1},
                                .group_size = {index(term.kernels.items), 1, 1},
                                .dynamic_shared_bytes = term.kernels.dynamic_shared_bytes},
                               arguments);
    return;
  }
  const std::size_t nodes = e.count * index(setting_.discretization.Np());
  constexpr std::size_t items = TermGenerator::element_items;
  term.kernels.straight.launch(
      setting_.stream, {.groups = {ceil_divide(nodes, items), 1, 1}, .group_size = {items, 1, 1}},
      {target.Q, target.rate, target.Q_new, e.U, e.RES_U, e.arrays.ids, e.arrays.constants, e.arrays.profiles,
       e.arrays.positions, a, b, dt, target.t, static_cast<std::int32_t>(e.count)});
}

void TermKernels::add(const OnFaces& term, const StageTarget& target) const {
  const core::KernelArgument a = setting_.real(target.a), b = setting_.real(target.b), dt = setting_.real(target.dt);
  const FacesOfRange& f = term.of_ranges.at(target.range);
  if (f.groups == 0) return;
  std::vector<core::KernelArgument> arguments{
      target.Q,         target.rate,       target.Q_new,       f.first_faces,     f.arrays.ids,
      f.arrays.outside, f.arrays.geometry, f.arrays.constants, f.arrays.profiles, f.arrays.positions};
  const auto append = [&arguments](std::initializer_list<core::KernelArgument> more) {
    arguments.insert(arguments.end(), more);
  };
  const bool is_bent = is_curved(setting_, target.range);
  if (is_bent) {
    append({curved_->metric_at_nodes, curved_->metric_at_points, curved_->weights_at_points, curved_->at_volume,
            curved_->from_volume, curved_->at_face, curved_->lift, curved_->Fmask});
  } else {
    append({Fmask_, LIFT_});
  }
  if (!term.term->auxiliary.empty()) append({f.U, f.RES_U, a});
  append({b, dt, target.t});
  if (is_bent) {
    append({number_of_element_0(setting_, target.range)});
    term.kernels.curved.launch(setting_.stream,
                               {.groups = {f.groups, 1, 1},
                                .group_size = {index(CurvedTermGenerator::group_items), 1, 1},
                                .dynamic_shared_bytes = term.kernels.dynamic_shared_bytes},
                               arguments);
    return;
  }
  term.kernels.straight.launch(
      setting_.stream, {.groups = {f.groups, 1, 1}, .group_size = {index(generator_.face_items()), 1, 1}}, arguments);
}

bool TermKernels::depends_on_time() const {
  const auto moves = [](const auto& term) { return term.lowered.depends_on_time; };
  return std::ranges::any_of(on_elements_, moves) || std::ranges::any_of(on_faces_, moves);
}

void TermKernels::check_size(std::size_t values) const {
  if (values != auxiliary_count(setting_.problem, setting_.discretization)) {
    throw std::invalid_argument("Operator: an array of auxiliary_count() values is needed");
  }
}

std::size_t TermKernels::offset_of(const OnElements& term, const ElementsOfRange& range, std::size_t i) const {
  if (range.lanes == 1) return i;
  const std::size_t variables = term.term->auxiliary.size(), places = range.values / range.count / variables;
  const TermLayout layout =
      term_layout(range.lanes, static_cast<int>(places), static_cast<int>(variables), size_of(setting_.precision));
  const std::size_t element = i / (variables * places), lanes = index(range.lanes);
  return layout.offset(element / lanes, static_cast<int>(element % lanes), static_cast<int>(i / places % variables),
                       static_cast<int>(variables), static_cast<int>(i % places));
}

void TermKernels::set_auxiliary(std::span<const double> values) const {
  check_size(values.size());
  for (const OnElements& term : on_elements_) {
    for (const ElementsOfRange& e : term.of_ranges) {
      if (e.of_stage.count > 0) setting_.terms->set_auxiliary(term.number, e.of_stage, values);
      if (e.values == 0) continue;
      HostReals host(setting_.precision, e.U.size_bytes() / size_of(setting_.precision));
      for (std::size_t i = 0; i < e.values; ++i) host.set(offset_of(term, e, i), values[i]);
      setting_.stream.write(e.U, 0, host.bytes());
      setting_.stream.synchronize();
      values = values.subspan(e.values);
    }
  }
  for (const OnFaces& term : on_faces_) {
    for (const FacesOfRange& f : term.of_ranges) {
      if (f.values == 0) continue;
      HostReals host(setting_.precision, f.values);
      for (std::size_t i = 0; i < f.values; ++i) host.set(i, values[i]);
      setting_.stream.write(f.U, 0, host.bytes());
      setting_.stream.synchronize();
      values = values.subspan(f.values);
    }
  }
}

void TermKernels::get_auxiliary(std::span<double> values) const {
  check_size(values.size());
  for (const OnElements& term : on_elements_) {
    read(&StageTerms::get_auxiliary, &ElementsOfRange::U, term, values);
  }
  read(&FacesOfRange::U, values);
}

void TermKernels::get_rates(std::span<double> values) const {
  check_size(values.size());
  for (const OnElements& term : on_elements_) {
    read(&StageTerms::get_rates, &ElementsOfRange::RES_U, term, values);
  }
  read(&FacesOfRange::RES_U, values);
}

void TermKernels::read(core::Buffer FacesOfRange::*buffer, std::span<double>& values) const {
  for (const OnFaces& term : on_faces_) {
    for (const FacesOfRange& f : term.of_ranges) {
      if (f.values == 0) continue;
      HostReals host(setting_.precision, f.values);
      setting_.stream.read(f.*buffer, 0, host.bytes());
      setting_.stream.synchronize();
      for (std::size_t i = 0; i < f.values; ++i) values[i] = host.get(i);
      values = values.subspan(f.values);
    }
  }
}

void TermKernels::read(ReadOfStage of_stage, core::Buffer ElementsOfRange::*buffer, const OnElements& term,
                       std::span<double>& values) const {
  for (const ElementsOfRange& e : term.of_ranges) {
    if (e.of_stage.count > 0) ((*setting_.terms).*of_stage)(term.number, e.of_stage, values);
    if (e.values == 0) continue;
    HostReals host(setting_.precision, e.U.size_bytes() / size_of(setting_.precision));
    setting_.stream.read(e.*buffer, 0, host.bytes());
    setting_.stream.synchronize();
    for (std::size_t i = 0; i < e.values; ++i) values[i] = host.get(offset_of(term, e, i));
    values = values.subspan(e.values);
  }
}

std::size_t TermKernels::forecast_bytes(const Problem& problem, int N, Dtype precision,
                                        const Discretization* discretization) {
  const std::size_t Np = index(node_count(N)), Nfp = index(face_node_count(N));
  const bool has_curved = discretization != nullptr && discretization->curved;
  const std::size_t face_points = has_curved ? index(discretization->curved->quadrature.face_points()) : Nfp;
  std::size_t reals = 0, doubles = 0, integers = 0;
  for (const ElementTerm& term : problem.element_terms) {
    const LoweredTerm straight = lower(problem.system, term), curved = lower_for_curved(problem.system, term);
    for (const std::int32_t k : term.elements) {
      const bool is_curved = has_curved && discretization->mesh.curved.is_curved(index(k));
      const LoweredTerm& lowered = is_curved ? curved : straight;
      const std::size_t places = has_curved ? auxiliary_places(*discretization, index(k)) : Np;
      const bool constants_vary = is_curved && problem.varying.any();
      reals += lowered.constants.size() * (constants_vary ? places : 1) +
               (2 * term.auxiliary.size() + term.profiles.size()) * places;
      doubles += lowered.depends_on_position ? 3 * places : 0;
    }
    integers += term.elements.size();
  }
  for (const FaceTerm& term : problem.face_terms) {
    const LoweredTerm straight = lower(problem.system, term), curved = lower_for_curved(problem.system, term);
    for (const FaceTerm::Face& face : term.faces) {
      const bool is_curved = has_curved && discretization->mesh.curved.is_curved(index(face.element));
      const LoweredTerm& lowered = is_curved ? curved : straight;
      const std::size_t places = is_curved ? face_points : Nfp;
      reals += (is_curved ? 9 * places : 4) + lowered.constants.size() +
               (2 * term.auxiliary.size() + term.profiles.size()) * places;
      doubles += lowered.depends_on_position ? 3 * places : 0;
    }
    integers += 3 * term.faces.size();
  }
  const bool any_curved = has_curved && has_curved_elements(*discretization, problem);
  const std::size_t shared = any_curved ? CurvedTermParts::forecast_bytes(*discretization, problem, precision) : 0;
  return reals * size_of(precision) + doubles * sizeof(double) + integers * sizeof(std::int32_t) + shared;
}

std::size_t TermKernels::forecast_more(const Problem& problem, const Schedule& schedule, Dtype precision,
                                       const Discretization* discretization, const core::DeviceInfo& device) {
  if (discretization == nullptr || !discretization->curved || !has_curved_elements(*discretization, problem)) return 0;
  const ElementQuadrature& quadrature = discretization->curved->quadrature;
  if (problem.varying.any() || problem.system.has_tensors()) return 0;
  const std::optional<TermLanes> in_lanes = TermLanes::fitting(schedule, discretization->reference, quadrature,
                                                               problem.system.field_count(), precision, &device);
  if (!in_lanes) return 0;
  std::size_t reals = 0;
  for (const auto& matrix : in_lanes->matrices(quadrature)) reals += matrix.size();
  for (const ElementTerm& term : problem.element_terms) {
    const LoweredTerm lowered = lower_for_curved(problem.system, term);
    if (lowered.depends_on_time || lowered.depends_on_position) continue;
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        term.elements, [&](std::int32_t k) { return discretization->mesh.curved.is_curved(index(k)); }));
    const std::size_t stored = round_up(count, index(in_lanes->lanes())), points = quadrature.volume.size();
    reals +=
        stored * 9 * (index(discretization->Np()) + points) +
        (stored - count) * (lowered.constants.size() + (2 * term.auxiliary.size() + term.profiles.size()) * points);
  }
  return reals * size_of(precision);
}

}  // namespace maxwell_dg::dg
