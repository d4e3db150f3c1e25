#include "dg/operator/curved_term_parts.hpp"

#include <algorithm>

#include "dg/operator/stage_arrays.hpp"

namespace maxwell_dg::dg {

CurvedTermParts::CurvedTermParts(const StageSetting& setting, const KernelGenerator& stage)
    : system(CurvedSystem::of(setting.lowered, setting.problem.system.name)),
      generator(stage, system, setting.discretization.curved.value().quadrature, setting.problem.varying.any(),
                &setting.device().info()) {
  const CurvedGeometry& geometry = *setting.discretization.curved;
  const ElementQuadrature& quadrature = geometry.quadrature;
  metric_at_nodes = setting.upload_by_points(geometry.at_nodes, index(setting.discretization.Np()));
  metric_at_points = setting.upload_by_points(geometry.at_volume_points, index(quadrature.volume_points()));
  weights_at_points = system.tensors ? upload_inverse_weights(setting, *system.tensors)
                                     : upload_at_volume_points(setting, &VaryingMedia::weights);
  at_volume = setting.upload_columns(quadrature.at_volume);
  from_volume = setting.upload_columns(quadrature.from_volume);
  projection = setting.upload_columns(quadrature.at_volume * quadrature.from_volume);
  at_face = setting.upload_columns(quadrature.at_face);
  lift = setting.upload_columns(quadrature.lift);
  volume_weights = setting.upload_reals(quadrature.volume.weights);
  face_weights = setting.upload_reals(quadrature.face.weights);
  Fmask = setting.upload(setting.discretization.reference.face_nodes());
  if (!generator.in_lanes()) return;
  for (const auto& matrix : generator.in_lanes()->matrices(quadrature)) {
    matrices_of_lanes.push_back(setting.upload_reals(matrix));
  }
}

std::size_t CurvedTermParts::forecast_bytes(const Discretization& discretization, const Problem& problem,
                                            Dtype precision) {
  const ElementQuadrature& quadrature = discretization.curved.value().quadrature;
  const std::size_t Np = index(discretization.Np()), points = index(quadrature.volume_points());
  const std::size_t face_points = index(quadrature.face_points()), Nfp = index(discretization.Nfp());
  const std::size_t numbers = problem.system.has_tensors() ? 2 * problem.system.fields.size()
                              : problem.varying.any()      ? problem.system.fields.size()
                                                           : 0;
  const std::size_t weights = points * numbers;
  const std::size_t reals = discretization.mesh.curved.count() * (9 * (Np + points) + weights) +
                            (2 * Np + points) * points + face_points * (Nfp + 4 * Np + 1) + points;
  return reals * size_of(precision) + 4 * Nfp * sizeof(std::int32_t);
}

KernelsByShape KernelsByShape::of(const Discretization& discretization, const ElementTerm& term) {
  const auto bent = [&](std::int32_t k) { return discretization.mesh.curved.is_curved(index(k)); };
  KernelsByShape kernels;
  kernels.has_curved = std::ranges::any_of(term.elements, bent);
  kernels.has_straight = !kernels.has_curved || !std::ranges::all_of(term.elements, bent);
  return kernels;
}

KernelsByShape KernelsByShape::of(const Discretization& discretization, const FaceTerm& term) {
  const auto bent = [&](const FaceTerm::Face& face) {
    return discretization.mesh.curved.is_curved(index(face.element));
  };
  KernelsByShape kernels;
  kernels.has_curved = std::ranges::any_of(term.faces, bent);
  kernels.has_straight = !kernels.has_curved || !std::ranges::all_of(term.faces, bent);
  return kernels;
}

void KernelsByShape::load(std::span<const core::Module>& modules, const std::string& name) {
  const auto take = [&](const std::string& kernel) {
    core::Kernel taken = modules.front().kernel(kernel);
    modules = modules.subspan(1);
    return taken;
  };
  if (has_straight) straight = take(name);
  if (has_curved) curved = take("curved_" + name);
}

bool has_curved_elements(const Discretization& discretization, const Problem& problem) {
  const auto any_of = [&](const auto& terms) {
    return std::ranges::any_of(terms,
                               [&](const auto& term) { return KernelsByShape::of(discretization, term).has_curved; });
  };
  return any_of(problem.element_terms) || any_of(problem.face_terms);
}

bool is_curved(const StageSetting& setting, std::size_t range) {
  return setting.ranges()[range].shape == ElementRange::Shape::curved;
}

std::int32_t number_of_element_0(const StageSetting& setting, std::size_t range) {
  const std::size_t begin = setting.ranges()[range].begin;
  return setting.discretization.mesh.curved.number[begin] - static_cast<std::int32_t>(begin);
}

}  // namespace maxwell_dg::dg
