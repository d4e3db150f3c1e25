// The rules of this slicing, its candidates, and its generator.

#include <map>
#include <utility>

#include "dg/codegen/elements/element_generator.hpp"
#include "dg/codegen/slicing.hpp"
#include "dg/lowering/contraction.hpp"

namespace maxwell_dg::dg {

namespace {

// At order 3 the code no longer fits in the instruction cache: 106 GDOF/s (acoustics, single, H200), and Tiles reach
// 121.
constexpr int last_order_of_elements = 2;

/// One generator serves all schedules with the same Parts and Basis.
FitRules element_rules(const StageProblem& problem) {
  using Generators = std::map<std::pair<Schedule::Parts, Schedule::Basis>, ElementGenerator>;
  return [problem, generators = std::make_shared<Generators>(), basis = element_basis(problem.lowered)](
             const Schedule& schedule, const core::DeviceInfo* device) -> Fit {
    if (Fit fit = basis_fits(schedule, basis); !fit) return fit;
    const auto& elements = schedule.as<Schedule::Elements>();
    const std::pair key{elements.parts, elements.basis};
    auto generator = generators->find(key);
    if (generator == generators->end()) {
      const FusedGenerator::Options options{.N = problem.N, .precision = problem.precision, .schedule = schedule};
      generator = generators->emplace(key, ElementGenerator::to_ask(problem.lowered, options)).first;
    }
    return generator->second.fit(elements, device);
  };
}

/// An estimate of the registers of a work-item that computes an element: its fields, and half as many sums.
int registers_of_values(const StageProblem& p) {
  return p.fields() * node_count(p.N) * static_cast<int>(size_of(p.precision)) / 4 * 3 / 2;
}

/// Schedules that do not fit are left out, and those that need more registers than there are.
rtcg::SearchSpace space_of_elements(Schedule::Basis basis, std::size_t parts, const FitRules& rules,
                                    const StageProblem& problem, const core::DeviceInfo& device) {
  rtcg::SearchSpace space;
  space.add("slicing", {"elements"})
      .add("basis", {word_of(basis)})
      .add("elements", {32, 64, 96, 128, 192, 256})
      .add("parts", values_of_parts(parts))
      .add("resident", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16})
      .constant("part_count", static_cast<int>(parts))
      .constant("registers_of_values", registers_of_values(problem))
      .constant("most_registers", most_registers)
      .require(
          "registers_of_values < min(most_registers, 65536 // (resident * elements * (part_count if parts == "
          "'apart' else 1)))")
      .only_if("it fits", {"elements", "parts", "resident"},
               fits_on(device, {Schedule::Elements{.basis = basis}}, rules));
  return space;
}

std::vector<CandidateSpace> element_candidates(const StageProblem& problem, const core::DeviceInfo& device,
                                               std::span<const Schedule::Basis> bases) {
  std::vector<CandidateSpace> spaces;
  if (device.is_cpu || problem.N > last_order_of_elements) return spaces;
  const FitRules rules = element_rules(problem);
  const std::size_t parts = contract(problem.lowered).parts.size();
  const std::optional<ElementBasis> of_element = element_basis(problem.lowered);
  for (const Schedule::Basis basis : bases) {
    // On an H200 these kernels are 1 to 7 % faster if the components of two vectors are side by side.
    const bool interleaved = basis == Schedule::Basis::element && of_element->has_two_of_each_kind();
    spaces.push_back(
        {space_of_elements(interleaved ? Schedule::Basis::element_interleaved : basis, parts, rules, problem, device),
         2 * static_cast<int>(spaces.size())});
  }
  return spaces;
}

}  // namespace

Slicing slicings::kernels_of(const Elements& /*elements*/) {
  return {.rules = element_rules,
          .candidates = element_candidates,
          .rule_of_thumb = nullptr,
          .make_fused = [](const LoweredSystem& lowered,
                           FusedGenerator::Options options) -> std::unique_ptr<FusedGenerator> {
            return std::make_unique<ElementGenerator>(lowered, std::move(options));
          }};
}

}  // namespace maxwell_dg::dg
