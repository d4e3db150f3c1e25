#include "dg/operator/power_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace maxwell_dg::dg {

namespace {

core::Buffer upload_matrix(const StageSetting& setting, const Eigen::MatrixXd& m) {
  return setting.upload_reals(static_cast<std::size_t>(m.size()), [&](std::size_t i) { return m.data()[i]; });
}

/// The mass matrix of a face in its own coordinates, taken from the rows of M LIFT that belong to the face's nodes.
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

PowerKernels::PowerKernels(const StageSetting& setting, const KernelGenerator& generator, const TermKernels& terms,
                           std::vector<std::string> names)
    : setting_(setting),
      stage_(generator),
      generator_(generator),
      terms_(power_terms(setting.discretization, setting.problem)),
      names_(names.empty() ? terms_.names() : std::move(names)),
      curved_(terms.curved()),
      sources_{generator.power_sums()} {
  if (setting.discretization.curved && !curved_) curved_ = std::make_shared<CurvedTermParts>(setting, generator);
  const std::size_t own = setting.problem.element_terms.size();
  for (std::size_t i = 0; i < terms_.on_elements.size(); ++i) {
    Part& part = parts_.emplace_back(make(terms_.on_elements[i], i < own ? terms.lanes_of(i) : 1));
    for (std::size_t r = 0; i < own && r < part.of_ranges.size(); ++r) part.of_ranges[r].U = terms.auxiliary_of(i, r);
  }
  for (std::size_t i = 0; i < terms_.on_faces.size(); ++i) {
    Part& part = parts_.emplace_back(make(terms_.on_faces[i]));
    if (i >= setting.problem.face_terms.size()) continue;
    for (std::size_t r = 0; r < part.of_ranges.size(); ++r) part.of_ranges[r].U = terms.auxiliary_of_faces(i, r);
  }
  lay_out_partial_sums();
  const ReferenceElement& reference = setting.discretization.reference;
  Fmask_ = setting.upload(reference.face_nodes());
  mass_ = upload_matrix(setting, reference.M);
  face_mass_ = upload_matrix(setting, face_mass(reference));
  injected_ = zero_sums();
}

core::Buffer PowerKernels::zero_sums() const {
  core::Buffer sums = setting_.device().allocate(names_.size() * sizeof(double));
  setting_.stream.fill_zero(sums);
  return sums;
}

template <class Term>
PowerKernels::Part PowerKernels::make(const Term& term, int lanes) {
  Part part{.name = term.name,
            .lowered = lower(setting_.problem.system, term),
            .on_faces = std::is_same_v<Term, FaceTerm>,
            .kernels = KernelsByShape::of(setting_.discretization, term)};
  if (part.kernels.has_straight) sources_.push_back(generator_.power(term, part.lowered));
  if (part.kernels.has_curved) {
    CurvedTermGenerator::Kernel kernel;
    if constexpr (std::is_same_v<Term, ElementTerm>) {
      kernel = curved_->generator.power(term, part.lowered, lanes);
    } else {
      kernel = curved_->generator.power(term, part.lowered);
    }
    part.kernels.dynamic_shared_bytes = setting_.dynamic_shared_bytes(kernel.shared_bytes);
    sources_.push_back(std::move(kernel.source));
  }
  for_each_range(setting_, term, [&](const Term& in_range) {
    const std::vector<double> sizes = measures(setting_.discretization, in_range);
    part.of_ranges.push_back({.arrays = upload_term_arrays(setting_, in_range, part.lowered),
                              .U = setting_.device().allocate(1),
                              .measure = setting_.upload_reals(sizes),
                              .count = sizes.size(),
                              .groups = std::clamp<std::size_t>(sizes.size(), 1, most_groups_of_a_sum)});
  });
  return part;
}

/// Partial sums of a range that share a name are stored one after the other.
void PowerKernels::lay_out_partial_sums() {
  std::size_t size = 0;
  for (std::size_t r = 0; r < setting_.ranges().size(); ++r) {
    std::vector<std::int32_t> first;
    for (const std::string& name : names_) {
      first.push_back(static_cast<std::int32_t>(size));
      for (Part& part : parts_) {
        if (part.name != name) continue;
        part.of_ranges[r].first_partial = size;
        size += part.of_ranges[r].groups;
      }
    }
    first.push_back(static_cast<std::int32_t>(size));
    sums_.push_back({.first = setting_.upload(first), .res = zero_sums()});
  }
  partial_ = setting_.device().allocate(std::max<std::size_t>(size, 1) * sizeof(double));
}

void PowerKernels::load(std::span<const core::Module> modules) {
  integrate_powers_ = modules.front().kernel("integrate_powers");
  write_powers_ = modules.front().kernel("record_powers");
  modules = modules.subspan(1);
  for (Part& part : parts_) part.kernels.load(modules, "power");
  sources_.clear();
}

void PowerKernels::launch(const Part& part, const StageTarget& target) const {
  const OfRange& p = part.of_ranges.at(target.range);
  const auto first_partial = static_cast<std::int32_t>(p.first_partial), count = static_cast<std::int32_t>(p.count);
  // Where a range has none of its elements, any of its kernels sums up nothing.
  if (part.kernels.has_curved && (is_curved(setting_, target.range) || !part.kernels.has_straight)) {
    part.kernels.curved.launch(
        setting_.stream,
        {.groups = {p.groups, 1, 1},
         .group_size = {index(CurvedTermGenerator::group_items), 1, 1},
         .dynamic_shared_bytes = part.kernels.dynamic_shared_bytes},
        {target.Q, p.U, p.arrays.ids, p.arrays.outside, p.arrays.constants, p.arrays.profiles, p.arrays.positions,
         curved_->metric_at_nodes, part.on_faces ? p.arrays.geometry : curved_->metric_at_points,
         part.on_faces ? curved_->at_face : curved_->at_volume,
         part.on_faces ? curved_->face_weights : curved_->volume_weights, curved_->Fmask, partial_, first_partial,
         target.t, count, number_of_element_0(setting_, target.range)});
    return;
  }
  part.kernels.straight.launch(
      setting_.stream, {.groups = {p.groups, 1, 1}, .group_size = {index(generator_.power_items(part.on_faces)), 1, 1}},
      {target.Q, p.U, p.arrays.ids, p.arrays.outside, p.arrays.geometry, p.arrays.constants, p.arrays.profiles,
       p.arrays.positions, Fmask_, part.on_faces ? face_mass_ : mass_, p.measure, partial_, first_partial, target.t,
       count});
}

void PowerKernels::add(const StageTarget& target) {
  for (const Part& part : parts_) launch(part, target);
  // Each range integrates its own part of the powers; their sum is the whole, since the method is linear.
  const auto items = static_cast<std::size_t>(KernelGenerator::total_items);
  const Sums& sums = sums_.at(target.range);
  integrate_powers_.launch(setting_.stream, {.groups = {names_.size(), 1, 1}, .group_size = {items, 1, 1}},
                           {partial_, sums.first, sums.res, injected_, target.a, target.b, target.dt});
}

void PowerKernels::write_record(const core::Buffer& records, std::int32_t offset) const {
  write_powers_.launch(setting_.stream, {.group_size = {1, 1, 1}},
                       {injected_, records, offset, static_cast<std::int32_t>(names_.size())});
}

void PowerKernels::set_injected_energies(std::span<const double> values) const {
  setting_.stream.write(injected_, 0, std::as_bytes(values));
  setting_.stream.synchronize();
}

void PowerKernels::get_injected_energies(std::span<double> values) const {
  setting_.stream.read(injected_, 0, std::as_writable_bytes(values));
  setting_.stream.synchronize();
}

void PowerKernels::get_powers(std::span<double> values) const {
  std::ranges::fill(values, 0.0);
  std::vector<double> of_range(values.size());
  for (const Sums& sums : sums_) {
    setting_.stream.read(sums.res, 0, std::as_writable_bytes(std::span(of_range)));
    setting_.stream.synchronize();
    for (std::size_t p = 0; p < values.size(); ++p) values[p] += of_range[p];
  }
}

std::size_t PowerKernels::forecast_bytes(const Discretization& discretization, const Problem& problem,
                                         Dtype precision) {
  const PowerTerms terms = power_terms(discretization, problem);
  std::size_t count = 0;
  for (const ElementTerm& term : terms.on_elements) count += term.elements.size();
  for (const FaceTerm& term : terms.on_faces) count += term.faces.size();
  // TermKernels would count auxiliary variables, which belong to the problem's own terms.
  const Problem as_terms{.system = problem.system, .element_terms = terms.on_elements, .face_terms = terms.on_faces};
  const std::size_t auxiliary = 2 * auxiliary_count(problem, discretization) * size_of(precision);
  const std::size_t parts_of_terms = has_curved_elements(discretization, problem)
                                         ? CurvedTermParts::forecast_bytes(discretization, problem, precision)
                                         : 0;
  return TermKernels::forecast_bytes(as_terms, discretization.N(), precision, &discretization) - auxiliary -
         parts_of_terms + count * size_of(precision) +
         (terms.on_elements.size() + terms.on_faces.size()) * most_groups_of_a_sum * sizeof(double);
}

}  // namespace maxwell_dg::dg
