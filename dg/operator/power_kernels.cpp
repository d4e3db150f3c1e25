#include "dg/operator/power_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "dg/codegen/kernel_texts.hpp"

namespace maxwell_dg::dg {

namespace {

core::Buffer upload_matrix(const StageSetting& setting, const Eigen::MatrixXd& m) {
  return setting.upload_reals(static_cast<std::size_t>(m.size()), [&](std::size_t i) { return m.data()[i]; });
}

/// Of a face in its own coordinates: M LIFT holds it, at the nodes of the face.
Eigen::MatrixXd face_mass(const ReferenceElement& reference) {
  const Eigen::MatrixXd product = reference.M * reference.LIFT.leftCols(reference.Nfp);
  Eigen::MatrixXd result(reference.Nfp, reference.Nfp);
  for (int i = 0; i < reference.Nfp; ++i) result.row(i) = product.row(reference.Fmask(i, 0));
  return result;
}

std::vector<double> measures(const Discretization& d, const ElementTerm& term) {
  std::vector<double> result;
  for (const std::int32_t k : term.elements) result.push_back(std::abs(d.geometry.J[index(k)]));
  return result;
}
std::vector<double> measures(const Discretization& d, const FaceTerm& term) {
  std::vector<double> result;
  for (const auto& [k, face] : term.faces) {
    result.push_back(d.geometry.faces[index(k)][index(face)].Fscale * std::abs(d.geometry.J[index(k)]));
  }
  return result;
}

}  // namespace

PowerKernels::PowerKernels(const StageSetting& setting, const KernelGenerator& generator, const TermKernels& terms)
    : setting_(setting),
      stage_(generator),
      generator_(generator),
      terms_(power_terms(setting.discretization, setting.problem)),
      names_(terms_.names()) {
  const std::size_t own = setting.problem.element_terms.size();
  for (std::size_t i = 0; i < terms_.on_elements.size(); ++i) {
    Part& part = parts_.emplace_back(make(terms_.on_elements[i]));
    part.U = i < own ? terms.unknowns_of(i) : setting_.device().allocate(1);
  }
  for (const FaceTerm& term : terms_.on_faces) {
    Part& part = parts_.emplace_back(make(term));
    part.on_faces = true;
    part.U = setting_.device().allocate(1);
  }
  lay_out_partial_sums();
  const ReferenceElement& reference = setting.discretization.reference;
  Fmask_ = setting.upload(reference.face_nodes());
  mass_ = upload_matrix(setting, reference.M);
  face_mass_ = upload_matrix(setting, face_mass(reference));
  for (core::Buffer* buffer : {&res_, &put_in_}) {
    *buffer = setting.device().allocate(names_.size() * sizeof(double));
    setting.stream.fill_zero(*buffer);
  }
}

template <class Term>
PowerKernels::Part PowerKernels::make(const Term& term) const {
  LoweredTerm lowered = lower(setting_.problem.system, term);
  const TermPlaces places = upload_places(setting_, term, lowered);
  const std::vector<double> sizes = measures(setting_.discretization, term);
  return {.lowered = std::move(lowered),
          .places = places,
          .U = {},
          .measure = setting_.upload_reals(sizes),
          .count = sizes.size(),
          .groups = std::clamp<std::size_t>(sizes.size(), 1, most_groups_of_a_sum)};
}

/// Partial sums that share a name stand together.
void PowerKernels::lay_out_partial_sums() {
  const std::size_t on_elements = terms_.on_elements.size();
  const auto name_of = [&](std::size_t i) {
    return i < on_elements ? terms_.on_elements[i].name : terms_.on_faces[i - on_elements].name;
  };
  std::vector<std::int32_t> first;
  std::size_t size = 0;
  for (const std::string& name : names_) {
    first.push_back(static_cast<std::int32_t>(size));
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (name_of(i) != name) continue;
      parts_[i].first_partial = size;
      size += parts_[i].groups;
    }
  }
  first.push_back(static_cast<std::int32_t>(size));
  first_ = setting_.upload(first);
  partial_ = setting_.device().allocate(std::max<std::size_t>(size, 1) * sizeof(double));
}

std::vector<rtcg::KernelSource> PowerKernels::sources() const {
  std::vector<rtcg::KernelSource> sources{stage_.with_prologue("power_sums", std::string(kernels::power_sums))};
  for (std::size_t i = 0; i < terms_.on_elements.size(); ++i) {
    sources.push_back(generator_.power(terms_.on_elements[i], parts_[i].lowered));
  }
  for (std::size_t i = 0; i < terms_.on_faces.size(); ++i) {
    sources.push_back(generator_.power(terms_.on_faces[i], parts_[terms_.on_elements.size() + i].lowered));
  }
  return sources;
}

void PowerKernels::use(std::span<const core::Module> modules) {
  put_in_powers_ = modules.front().kernel("put_in_powers");
  note_powers_ = modules.front().kernel("note_powers");
  for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].kernel = modules[i + 1].kernel("power");
}

void PowerKernels::add(const StageTarget& target) {
  for (const Part& p : parts_) {
    p.kernel.launch(
        setting_.stream, {.groups = {p.groups, 1, 1}, .group_size = {index(generator_.power_items(p.on_faces)), 1, 1}},
        {target.Q, p.U, p.places.places, p.places.others, p.places.geometry, p.places.constants, p.places.profiles,
         p.places.positions, Fmask_, p.on_faces ? face_mass_ : mass_, p.measure, partial_,
         static_cast<std::int32_t>(p.first_partial), target.t, static_cast<std::int32_t>(p.count)});
  }
  const auto items = static_cast<std::size_t>(KernelGenerator::total_items);
  put_in_powers_.launch(setting_.stream, {.groups = {names_.size(), 1, 1}, .group_size = {items, 1, 1}},
                        {partial_, first_, res_, put_in_, target.a, target.b, target.dt});
}

void PowerKernels::note(const core::Buffer& records, std::int32_t offset) const {
  note_powers_.launch(setting_.stream, {.group_size = {1, 1, 1}},
                      {put_in_, records, offset, static_cast<std::int32_t>(names_.size())});
}

void PowerKernels::set_put_in(std::span<const double> values) const {
  setting_.stream.write(put_in_, 0, std::as_bytes(values));
  setting_.stream.synchronize();
}

void PowerKernels::get_put_in(std::span<double> values) const {
  setting_.stream.read(put_in_, 0, std::as_writable_bytes(values));
  setting_.stream.synchronize();
}

void PowerKernels::get_powers(std::span<double> values) const {
  setting_.stream.read(res_, 0, std::as_writable_bytes(values));
  setting_.stream.synchronize();
}

std::size_t PowerKernels::forecast_bytes(const Discretization& discretization, const Problem& problem,
                                         Dtype precision) {
  const PowerTerms terms = power_terms(discretization, problem);
  std::size_t places = 0;
  for (const ElementTerm& term : terms.on_elements) places += term.elements.size();
  for (const FaceTerm& term : terms.on_faces) places += term.faces.size();
  // As terms they would have unknowns, but those are the problem's.
  const Problem as_terms{.system = problem.system, .element_terms = terms.on_elements, .face_terms = terms.on_faces};
  const std::size_t unknowns = 2 * unknown_count(problem, discretization.Np()) * size_of(precision);
  return TermKernels::forecast_bytes(as_terms, discretization.N(), precision) - unknowns + places * size_of(precision) +
         (terms.on_elements.size() + terms.on_faces.size()) * most_groups_of_a_sum * sizeof(double);
}

}  // namespace maxwell_dg::dg
