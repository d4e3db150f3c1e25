#include "dg/variants/variants.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "dg/lowering/element_basis.hpp"
#include "dg/variants/slicings.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::dg {

namespace {

using rtcg::Configuration;
using rtcg::SearchSpace;

constexpr int space_version = 8;

StageProblem problem_of(const VariantQuestion& q) {
  return {.lowered = q.lowered, .N = q.N, .precision = q.precision};
}

std::string text_with(const VariantQuestion& q, std::string_view what) {
  return "stage " + std::to_string(space_version) + " " + q.system + " N" + std::to_string(q.N) + " " +
         std::string(name_of(q.precision)) + std::string(what);
}

/// The question whose shipped answers are looked at.
std::string shipped_text(const VariantQuestion& q) {
  return text_with(q, q.has_additions ? " with additions" : "");
}

Schedule rule_of_thumb(const core::DeviceInfo& device, const VariantQuestion& question) {
  for (const Slicing& slicing : all_slicings()) {
    if (slicing.rule_of_thumb == nullptr) continue;
    if (const std::optional<Schedule> schedule = slicing.rule_of_thumb(problem_of(question), device)) return *schedule;
  }
  throw std::logic_error("no slicing has a schedule for " + device.name);
}

}  // namespace

std::string VariantQuestion::text() const {
  if (!has_curved) return text_with(*this, has_additions ? " with additions" : "");
  return text_with(*this, has_additions ? " with curved elements and additions" : " with curved elements");
}

bool has_additions(const Problem& problem, bool powers) {
  return problem.has_terms() || powers;
}

VariantQuestion question_of(const LoweredSystem& lowered, const Problem& problem, const StagesOfProblem& stages,
                            const core::DeviceInfo& device) {
  return {.lowered = lowered,
          .system = problem.system.name,
          .N = stages.N,
          .precision = stages.precision,
          .has_additions = !device.is_cpu && has_additions(problem, stages.powers),
          .has_curved = !device.is_cpu && stages.has_curved};
}

std::vector<SearchSpace> variant_spaces(const core::DeviceInfo& device, const VariantQuestion& question) {
  std::vector<Schedule::Basis> bases{Schedule::Basis::cartesian};
  if (!question.has_additions && element_basis(question.lowered)) bases.insert(bases.begin(), Schedule::Basis::element);
  std::vector<CandidateSpace> candidates;
  for (const Slicing& slicing : all_slicings()) {
    if (question.has_curved && slicing.make_fused == nullptr) continue;
    for (CandidateSpace& space : slicing.candidates(problem_of(question), device, bases)) {
      candidates.push_back(std::move(space));
    }
  }
  std::ranges::stable_sort(candidates, {}, &CandidateSpace::rank);
  std::vector<SearchSpace> spaces;
  for (CandidateSpace& candidate : candidates) spaces.push_back(std::move(candidate.space));
  return spaces;
}

std::vector<SearchSpace> variant_spaces(const core::DeviceInfo& device, const VariantQuestion& question,
                                        const std::string& slicing) {
  std::vector<SearchSpace> spaces = variant_spaces(device, question);
  if (slicing.empty()) return spaces;
  std::string others;
  std::erase_if(spaces, [&](const SearchSpace& space) {
    const std::string other = space.parameters().front().second.front().text();  // the first, with one value
    if (other == slicing) return false;
    if (others.find(other) == std::string::npos) others += (others.empty() ? "" : ", ") + other;
    return true;
  });
  if (spaces.empty()) {
    throw std::invalid_argument("no variants of slicing '" + slicing + "' on " + device.name + "; it has " + others);
  }
  return spaces;
}

Schedule default_schedule(const core::DeviceInfo& device, const VariantQuestion& question) {
  const std::vector<SearchSpace> spaces = variant_spaces(device, question);
  const auto fits = [&](const Configuration& c) {
    return std::ranges::any_of(spaces, [&](const SearchSpace& space) { return space.contains(c); });
  };
  const std::string kind = rtcg::device_kind(device);
  const std::string asked = shipped_text(question), of_any_system = asked.substr(asked.rfind(" N"));
  // Smaller is better: this system or another, this device, one of its kind (of its maker first), or another GPU.
  using Distance = std::pair<bool, rtcg::DeviceDistance>;
  std::optional<std::pair<Distance, Configuration>> best;
  for (const rtcg::WisdomEntry& entry : rtcg::parse_wisdom(shipped_wisdom())) {
    if (!entry.question.ends_with(of_any_system) || (device.is_cpu && entry.kind != kind)) continue;
    const Distance distance{entry.question != asked, rtcg::device_distance(entry, device)};
    if ((!best || distance < best->first) && fits(entry.configuration)) best = {distance, entry.configuration};
  }
  if (best) return schedule_of(best->second);
  return question.has_curved ? schedule_of(spaces.front().points()[0]) : rule_of_thumb(device, question);
}

bool is_offered(const Schedule& schedule, const core::DeviceInfo& device, const VariantQuestion& question) {
  const Configuration configuration = configuration_of(schedule);
  return std::ranges::any_of(variant_spaces(device, question),
                             [&](const SearchSpace& space) { return space.contains(configuration); }) ||
         schedule == default_schedule(device, question);
}

}  // namespace maxwell_dg::dg
