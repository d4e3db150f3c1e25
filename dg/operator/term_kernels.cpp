#include "dg/operator/term_kernels.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/round_up.hpp"

namespace maxwell_dg::dg {

TermKernels::TermKernels(const StageSetting& setting, const KernelGenerator& generator)
    : setting_(setting), generator_(generator) {
  const Problem& problem = setting.problem;
  for (const ElementTerm& term : problem.element_terms) on_elements_.push_back(make(term));
  for (const FaceTerm& term : problem.face_terms) on_faces_.push_back(make(term));
  if (on_faces_.empty()) return;
  const ReferenceElement& reference = setting.discretization.reference;
  Fmask_ = setting.upload(reference.face_nodes());
  LIFT_ = setting.upload_reals(static_cast<std::size_t>(reference.LIFT.size()),
                               [&](std::size_t i) { return reference.LIFT.data()[i]; });  // Eigen stores columns
}

TermKernels::OnElements TermKernels::make(const ElementTerm& term) const {
  OnElements made{.term = &term, .lowered = lower(setting_.problem.system, term)};
  for_each_range(setting_, term, [&](const ElementTerm& part) {
    ElementsOfRange& of_range =
        made.of_ranges.emplace_back(ElementsOfRange{.count = part.elements.size(),
                                                    .values = auxiliary_count(part, setting_.discretization.Np()),
                                                    .arrays = upload_term_arrays(setting_, part, made.lowered)});
    for (core::Buffer* buffer : {&of_range.U, &of_range.RES_U}) {
      *buffer = setting_.device().allocate(std::max<std::size_t>(of_range.values, 1) * size_of(setting_.precision));
      setting_.stream.fill_zero(*buffer);
    }
  });
  return made;
}

TermKernels::OnFaces TermKernels::make(const FaceTerm& term) const {
  OnFaces made{.term = &term, .lowered = lower(setting_.problem.system, term)};
  for_each_range(setting_, term, [&](const FaceTerm& part) {
    std::vector<std::int32_t> first_faces;
    for (std::size_t i = 0; i < part.faces.size(); ++i) {
      if (i == 0 || part.faces[i - 1].element != part.faces[i].element) {
        first_faces.push_back(static_cast<std::int32_t>(i));
      }
    }
    const std::size_t groups = first_faces.size();
    first_faces.push_back(static_cast<std::int32_t>(part.faces.size()));
    made.of_ranges.push_back({.groups = groups,
                              .arrays = upload_term_arrays(setting_, part, made.lowered),
                              .first_faces = setting_.upload(first_faces)});
  });
  return made;
}

std::vector<rtcg::KernelSource> TermKernels::sources() const {
  std::vector<rtcg::KernelSource> sources;
  for (const OnElements& e : on_elements_) sources.push_back(generator_.element_term(*e.term, e.lowered));
  for (const OnFaces& f : on_faces_) sources.push_back(generator_.face_term(*f.term, f.lowered));
  return sources;
}

void TermKernels::load(std::span<const core::Module> modules) {
  for (OnElements& e : on_elements_) {
    e.kernel = modules.front().kernel("element_term");
    modules = modules.subspan(1);
  }
  for (OnFaces& f : on_faces_) {
    f.kernel = modules.front().kernel("face_term");
    modules = modules.subspan(1);
  }
}

void TermKernels::add(const StageTarget& target) {
  const core::KernelArgument b = setting_.real(target.b), dt = setting_.real(target.dt);
  for (const OnElements& term : on_elements_) {
    const ElementsOfRange& e = term.of_ranges.at(target.range);
    if (e.count == 0) continue;
    const std::size_t nodes = e.count * index(setting_.discretization.Np());
    constexpr std::size_t items = TermGenerator::element_items;
    term.kernel.launch(
        setting_.stream, {.groups = {ceil_divide(nodes, items), 1, 1}, .group_size = {items, 1, 1}},
        {target.Q, target.rate, target.Q_new, e.U, e.RES_U, e.arrays.ids, e.arrays.constants, e.arrays.profiles,
         e.arrays.positions, setting_.real(target.a), b, dt, target.t, static_cast<std::int32_t>(e.count)});
  }
  for (const OnFaces& term : on_faces_) {
    const FacesOfRange& f = term.of_ranges.at(target.range);
    if (f.groups == 0) continue;
    term.kernel.launch(
        setting_.stream, {.groups = {f.groups, 1, 1}, .group_size = {index(generator_.face_items()), 1, 1}},
        {target.Q, target.rate, target.Q_new, f.first_faces, f.arrays.ids, f.arrays.outside, f.arrays.geometry,
         f.arrays.constants, f.arrays.profiles, f.arrays.positions, Fmask_, LIFT_, b, dt, target.t});
  }
}

bool TermKernels::depends_on_time() const {
  const auto moves = [](const auto& term) { return term.lowered.depends_on_time; };
  return std::ranges::any_of(on_elements_, moves) || std::ranges::any_of(on_faces_, moves);
}

void TermKernels::set_auxiliary(std::span<const double> values) const {
  if (values.size() != auxiliary_count(setting_.problem, setting_.discretization.Np())) {
    throw std::invalid_argument("Operator: an array of auxiliary_count() values is needed");
  }
  for (const OnElements& term : on_elements_) {
    for (const ElementsOfRange& e : term.of_ranges) {
      if (e.values == 0) continue;
      HostReals host(setting_.precision, e.values);
      for (std::size_t i = 0; i < e.values; ++i) host.set(i, values[i]);
      setting_.stream.write(e.U, 0, host.bytes());
      setting_.stream.synchronize();
      values = values.subspan(e.values);
    }
  }
}

void TermKernels::read(core::Buffer ElementsOfRange::*buffer, std::span<double> values) const {
  if (values.size() != auxiliary_count(setting_.problem, setting_.discretization.Np())) {
    throw std::invalid_argument("Operator: an array of auxiliary_count() values is needed");
  }
  for (const OnElements& term : on_elements_) {
    for (const ElementsOfRange& e : term.of_ranges) {
      if (e.values == 0) continue;
      HostReals host(setting_.precision, e.values);
      setting_.stream.read(e.*buffer, 0, host.bytes());
      setting_.stream.synchronize();
      for (std::size_t i = 0; i < e.values; ++i) values[i] = host.get(i);
      values = values.subspan(e.values);
    }
  }
}

std::size_t TermKernels::forecast_bytes(const Problem& problem, int N, Dtype precision) {
  const std::size_t Np = index(node_count(N)), Nfp = index(face_node_count(N));
  std::size_t reals = 2 * auxiliary_count(problem, static_cast<int>(Np)), doubles = 0, integers = 0;
  for (const ElementTerm& term : problem.element_terms) {
    const LoweredTerm lowered = lower(problem.system, term);
    const std::size_t count = term.elements.size();
    reals += count * (lowered.constants.size() + term.profiles.size() * Np);
    doubles += lowered.depends_on_position ? count * 3 * Np : 0;
    integers += count;
  }
  for (const FaceTerm& term : problem.face_terms) {
    const LoweredTerm lowered = lower(problem.system, term);
    const std::size_t count = term.faces.size();
    reals += count * (4 + lowered.constants.size() + term.profiles.size() * Nfp);
    doubles += lowered.depends_on_position ? count * 3 * Nfp : 0;
    integers += 3 * count;
  }
  return reals * size_of(precision) + doubles * sizeof(double) + integers * sizeof(std::int32_t);
}

}  // namespace maxwell_dg::dg
