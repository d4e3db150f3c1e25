#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "dg/operator/curved_energies.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/fused_stage.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/power_kernels.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/operator/split_stage.hpp"
#include "dg/operator/stage_terms.hpp"
#include "dg/operator/state_energies.hpp"
#include "dg/operator/term_kernels.hpp"
#include "dg/variants/stage_generator.hpp"
#include "dg/variants/variants.hpp"

namespace maxwell_dg::dg {

namespace {

/// What curved elements take besides what all elements do.
std::size_t bytes_of_curved(const Operator::Usage& usage, const LoweredSystem& lowered, const Schedule& schedule,
                            const core::DeviceInfo& device) {
  const Operator::Usage::Size& size = usage.size;
  if (size.curved == 0) return 0;
  const Dtype precision = usage.options.precision;
  const ReferenceElement reference = ReferenceElement::make(usage.N);
  const ElementQuadrature quadrature = ElementQuadrature::make(reference);
  const CurvedProblem problem{lowered,
                              reference,
                              quadrature,
                              {usage.problem.system.name, usage.N, precision, schedule},
                              usage.problem.varying.any()};
  const CurvedVariant variant =
      usage.options.curved.empty() ? default_curved_variant(problem, device) : usage.options.curved;
  const std::size_t numbers = schedule.in_basis_of_element() ? size.elements * sizeof(std::int32_t) : 0;
  return numbers +
         CurvedStage::forecast_bytes(*make_curved_generator(problem, variant),
                                     {size.curved, size.curved_boundary_faces, usage.discretization}) +
         CurvedEnergies::forecast_bytes(size.curved, quadrature.volume.size(), reference.Np, precision) +
         (usage.problem.varying.any() ? lowered.constants.size() : 0) * size.curved * quadrature.volume.size() *
             size_of(precision) +
         CurvedEnergies::groups_for(size.curved) * std::max<std::size_t>(lowered.energies.size(), 1) * sizeof(double);
}

/// The state with all that computes and measures it.
std::size_t bytes_of_stages(const Operator::Usage& usage, const core::DeviceInfo& device) {
  const System& system = usage.problem.system;
  const Operator::Usage::Size& size = usage.size;
  const Dtype precision = usage.options.precision;
  const int fields = system.field_count(), Np = node_count(usage.N);
  const LoweredSystem lowered = lower(system);
  const Schedule schedule = usage.options.schedule.value_or(default_schedule(
      device,
      question_of(lowered, usage.problem,
                  {.N = usage.N, .precision = precision, .powers = usage.options.powers, .has_curved = size.curved > 0},
                  device)));
  const StateLayout layout(schedule, precision, size.elements, fields, Np);
  const KernelGenerator::Options options{system.name, usage.N, precision, schedule};
  // The state, what stages keep of it, and a right-hand side or the state's other copy; with ranges both.
  const std::size_t arrays = schedule.is_fused() || size.ranges == 1 ? 3 : 4;
  const std::size_t state = arrays * layout.size() * size_of(precision);
  const std::size_t energies =
      StateEnergies::forecast_bytes(layout, KernelGenerator(lowered, options), Np, precision, lowered.energies.size());
  const std::size_t rest =
      schedule.is_fused()
          ? FusedStage::forecast_bytes(*make_stage_generator(lowered, options), schedule, layout, lowered, usage.N,
                                       precision, size.boundary_faces, size.materials)
          : SplitStage::forecast_bytes(schedule, layout, lowered, usage.N, precision, size.boundary_faces);
  const std::size_t terms = usage.options.powers ? 0
                                                 : StageTerms::forecast_more(usage.problem, usage.discretization,
                                                                             schedule, precision, Np, size.elements);
  const std::size_t by_lanes =
      TermKernels::forecast_more(usage.problem, schedule, precision, usage.discretization, device);
  return state + energies + rest + terms + by_lanes + bytes_of_curved(usage, lowered, schedule, device);
}

std::size_t bytes_of_record(const Operator::Usage::Record& record, int N, Dtype precision) {
  const std::size_t weights = index(node_count(N)), values = Recorder::batches * record.batch * record.fields;
  return record.points * (sizeof(std::int32_t) + (weights + values) * size_of(precision));
}

/// Lists of faces and their traces, on both sides of an exchange with other ranks.
std::size_t bytes_of_exchange(const Discretization& part, int fields, Dtype precision) {
  std::size_t faces = 0;
  for (const Halo::Link& link : part.halo.links) faces += link.sent.size() + link.received.size();
  return faces * (sizeof(std::int32_t) + index(fields * part.Nfp()) * size_of(precision));
}

}  // namespace

std::size_t Operator::forecast_bytes(const Usage& usage, const core::DeviceInfo& device) {
  const Dtype precision = usage.options.precision;
  std::size_t bytes = bytes_of_stages(usage, device) +
                      TermKernels::forecast_bytes(usage.problem, usage.N, precision, usage.discretization);
  if (usage.options.powers) {
    if (usage.discretization == nullptr) throw std::invalid_argument("a forecast of powers needs the discretization");
    bytes += PowerKernels::forecast_bytes(*usage.discretization, usage.problem, precision);
  }
  if (usage.discretization != nullptr) {
    bytes += bytes_of_exchange(*usage.discretization, usage.problem.system.field_count(), precision);
  }
  for (const Usage::Record& record : usage.records) bytes += bytes_of_record(record, usage.N, precision);
  for (const Usage::Sums& s : usage.sums) {
    bytes += FourierSums::forecast_bytes(s.points, s.fields, s.frequencies, precision);
  }
  return bytes;
}

}  // namespace maxwell_dg::dg
