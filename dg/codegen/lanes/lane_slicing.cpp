// The rules of this slicing, its candidates, and its generator.

#include <algorithm>
#include <map>
#include <utility>

#include "dg/codegen/lanes/lane_generator.hpp"
#include "dg/codegen/slicing.hpp"
#include "dg/lowering/contraction.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr int most_lanes = 16;  // of OpenCL's vectors
constexpr int least_vector_bytes = 16;

/// One generator serves all schedules with the same Parts.
FitRules lane_rules(const StageProblem& problem) {
  return [problem, generators = std::make_shared<std::map<Schedule::Parts, LaneGenerator>>()](
             const Schedule& schedule, const core::DeviceInfo* device) {
    const auto& lanes = schedule.as<Schedule::Lanes>();
    auto generator = generators->find(lanes.parts);
    if (generator == generators->end()) {
      const FusedGenerator::Options options{.N = problem.N, .precision = problem.precision, .schedule = schedule};
      generator = generators->emplace(lanes.parts, LaneGenerator::to_ask(problem.lowered, options)).first;
    }
    return generator->second.fit(lanes, device);
  };
}

/// The number of elements that fill a vector of `vector_bytes` bytes.
int lanes_of(int vector_bytes, const StageProblem& problem) {
  return vector_bytes / static_cast<int>(size_of(problem.precision));
}

/// As many lanes as a vector register holds; fewer if the local memory of a group is too small for them.
int usual_lanes(const StageProblem& problem, const FitRules& rules, const core::DeviceInfo& device) {
  int lanes = lanes_of(std::max(device.vector_bytes, least_vector_bytes), problem);
  while (lanes > lanes_of(least_vector_bytes, problem) && !rules({Schedule::Lanes{.lanes = lanes}}, &device)) {
    lanes /= 2;
  }
  return lanes;
}

rtcg::SearchSpace space_of_lanes(int lanes, std::size_t parts, const FitRules& rules, const StageProblem& problem,
                                 const core::DeviceInfo& device) {
  rtcg::SearchSpace space;
  space.add("slicing", {"lanes"})
      .add("lanes", {lanes})
      .add("nodes", {1, 2, 3, 4, 5, 6, 7, 8})
      .add("parts", values_of_parts(parts))
      .constant("nodes_of_an_element", node_count(problem.N))
      .require("nodes <= nodes_of_an_element")
      .only_if("it fits", {"lanes", "nodes", "parts"}, fits_on(device, {Schedule::Lanes{}}, rules));
  return space;
}

/// A space for the usual number of lanes, for twice and for half as many.
std::vector<CandidateSpace> lane_candidates(const StageProblem& problem, const core::DeviceInfo& device,
                                            std::span<const Schedule::Basis> /*bases*/) {
  std::vector<CandidateSpace> spaces;
  if (!device.is_cpu) return spaces;
  const FitRules rules = lane_rules(problem);
  const std::size_t parts = contract(problem.lowered).parts.size();
  const int usual = usual_lanes(problem, rules, device);
  const auto add = [&](int lanes) { spaces.push_back({space_of_lanes(lanes, parts, rules, problem, device), 0}); };
  add(usual);
  if (2 * usual <= most_lanes) add(2 * usual);
  if (usual > lanes_of(least_vector_bytes, problem)) add(usual / 2);
  return spaces;
}

std::optional<Schedule> lane_rule_of_thumb(const StageProblem& problem, const core::DeviceInfo& device) {
  if (!device.is_cpu) return std::nullopt;
  // The sums of four nodes fill 32 registers; with more than four fields, those of one part do.
  const bool apart = problem.fields() > 4 && contract(problem.lowered).parts.size() > 1;
  return Schedule{Schedule::Lanes{.lanes = usual_lanes(problem, lane_rules(problem), device),
                                  .nodes_at_once = 4,
                                  .parts = apart ? Schedule::Parts::apart : Schedule::Parts::together}};
}

}  // namespace

Slicing slicings::kernels_of(const Lanes& /*lanes*/) {
  return {.rules = lane_rules,
          .candidates = lane_candidates,
          .rule_of_thumb = lane_rule_of_thumb,
          .make_fused = [](const LoweredSystem& lowered,
                           FusedGenerator::Options options) -> std::unique_ptr<FusedGenerator> {
            return std::make_unique<LaneGenerator>(lowered, std::move(options));
          }};
}

}  // namespace maxwell_dg::dg
