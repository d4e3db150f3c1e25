// The rules of this slicing, its candidates, and its generator.

#include <algorithm>
#include <bit>
#include <string>

#include "dg/codegen/nodes/node_sizes.hpp"
#include "dg/codegen/slicing.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

namespace {

FitRules node_rules(const StageProblem& problem) {
  return [problem](const Schedule& schedule, const core::DeviceInfo* device) {
    return fits(NodeSizes(schedule.as<Schedule::Nodes>(), problem.fields(), problem.N, problem.precision), device);
  };
}

/// Adds the choices of how the volume or the surface kernel is sliced and where it reads its matrices from. A group has
/// at least two warps. It repeats its work (sequence) only if it keeps matrices in shared memory or registers.
void add_slices(rtcg::SearchSpace& space, const std::string& operation, const std::string& matrices) {
  const std::string parallel = operation + "_parallel", inlined = operation + "_inlined",
                    sequence = operation + "_sequence";
  space.add(parallel, {1, 2, 4, 8, 16, 32, 64})
      .add(inlined, {1, 2, 4})
      .add(sequence, {1, 4})
      .add(matrices, {"streamed", "shared", "constant", "registers"})
      .require(parallel + " * nodes >= 64 and " + parallel + " * nodes <= 512")
      .require(sequence + " == 1 or " + matrices + " == 'shared' or " + matrices + " == 'registers'")
      .require(inlined + " * registers_in_" + operation + " + (registers_of_" + matrices + " if " + matrices +
               " == 'registers' else 0) <= 128");
}

/// A layout of the state.
struct NodeLayout {
  int padding, block;
  const char* fields;
};

rtcg::SearchSpace space_of_nodes(const NodeLayout& layout, const FitRules& rules, const StageProblem& problem,
                                 const core::DeviceInfo& device) {
  const int words = static_cast<int>(size_of(problem.precision)) / 4, nodes = node_count(problem.N);
  rtcg::SearchSpace space;
  space.add("slicing", {"nodes"})
      .add("padding", {layout.padding})
      .add("block", {layout.block})
      .add("fields", {layout.fields})
      .constant("nodes", nodes)
      .constant("registers_of_D", 3 * nodes * words)
      .constant("registers_of_LIFT", 4 * face_node_count(problem.N) * words)
      .constant("registers_in_volume", 3 * static_cast<int>(problem.lowered.differentiated.size()) * words)
      .constant("registers_in_surface", problem.fields() * words);
  add_slices(space, "volume", "D");
  add_slices(space, "surface", "LIFT");
  space
      .only_if("it fits", {"volume_parallel", "volume_inlined", "D", "surface_parallel", "surface_inlined", "LIFT"},
               fits_on(device, {Schedule::Nodes{}}, rules))
      .add("connectivity", {"face", "node"})
      .add("updated", {1, 4})
      .operation("volume", {"volume_parallel", "volume_inlined", "volume_sequence", "D"})
      .operation("surface", {"surface_parallel", "surface_inlined", "surface_sequence", "LIFT", "connectivity"})
      .operation("update", {"updated"});
  return space;
}

/// A space for each of five layouts of the state.
std::vector<CandidateSpace> node_candidates(const StageProblem& problem, const core::DeviceInfo& device,
                                            std::span<const Schedule::Basis> /*bases*/) {
  constexpr int after_all_others = 100;
  std::vector<CandidateSpace> spaces;
  if (device.is_cpu) return spaces;
  const FitRules rules = node_rules(problem);
  for (const NodeLayout& layout : {NodeLayout{1, 1, "apart"}, NodeLayout{4, 1, "apart"}, NodeLayout{4, 4, "apart"},
                                   NodeLayout{4, 16, "apart"}, NodeLayout{1, 1, "together"}}) {
    spaces.push_back({space_of_nodes(layout, rules, problem, device), after_all_others});
  }
  return spaces;
}

/// 64 to 128 work-items in a group, but few enough that the fluxes of several groups fit in a multiprocessor's shared
/// memory.
std::optional<Schedule> node_rule_of_thumb(const StageProblem& problem, const core::DeviceInfo& device) {
  if (device.is_cpu) return std::nullopt;
  const int flux_bytes =
      problem.fields() * 4 * face_node_count(problem.N) * static_cast<int>(size_of(problem.precision));
  const int most = std::clamp(128 / node_count(problem.N), 1, std::max(1, 24 * 1024 / flux_bytes));
  const auto elements = static_cast<int>(std::bit_floor(static_cast<unsigned>(most)));
  return Schedule{Schedule::Nodes{.volume = {elements}, .surface = {elements}}};
}

}  // namespace

Slicing slicings::kernels_of(const Nodes& /*nodes*/) {
  return {
      .rules = node_rules, .candidates = node_candidates, .rule_of_thumb = node_rule_of_thumb, .make_fused = nullptr};
}

}  // namespace maxwell_dg::dg
