#include "rtcg/tune/known_answers.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/digest.hpp"

namespace maxwell_dg::rtcg {

namespace {

std::string digest_of(std::initializer_list<std::string_view> parts) {
  Sha256 digest;
  for (const std::string_view part : parts) digest.add_field(part);
  return digest.hex();
}

std::string environment_of(const core::Device& device) {
  Sha256 digest;
  for (const std::string& part : device.compiler_fingerprint()) digest.add_field(part);
  return digest.hex();
}

/// How far apart two shapes are: by how much their numbers differ, as factors.
double distance(const Record& a, const Record& b) {
  double sum = 0;
  for (const auto& [name, value] : a) {
    const auto other = b.find(name);
    if (other == b.end() || !value.is_number() || !other->second.is_number()) continue;
    sum += std::abs(std::log(std::max(value.number(), 1e-300) / std::max(other->second.number(), 1e-300)));
  }
  return sum;
}

Match match_of(const WisdomEntry& entry, const WisdomEntry& asked, const core::DeviceInfo& device) {
  const bool is_here = is_same_device(entry, device);
  if (!is_here || entry.environment != asked.environment || entry.code != asked.code) return Match::elsewhere;
  return entry.shape == asked.shape ? Match::exact : Match::other_shape;
}

// What ships was found with another driver, perhaps, and before the last change of the code.
Match match_of_shipped(const WisdomEntry& entry, const core::DeviceInfo& device) {
  const bool same = entry.device == device.name || (device.is_cpu && entry.kind == device_kind(device));
  return same ? Match::shipped : Match::elsewhere;
}

}  // namespace

WisdomEntry question_of(const TuningProblem& problem, const core::Device& device) {
  WisdomEntry asked;
  asked.question = problem.question;
  asked.shape = problem.shape;
  asked.device = device.info().name;
  asked.kind = device_kind(device.info());
  asked.processor = device.info().processor;
  asked.environment = environment_of(device);
  std::string digests;
  for (const SearchSpace* space : problem.spaces()) digests += space->digest();
  asked.code = digest_of({problem.code, digests});
  return asked;
}

std::string digest_of_question(const WisdomEntry& asked) {
  return digest_of(
      {asked.question, Value(asked.shape).written(), asked.device, asked.processor, asked.environment, asked.code});
}

std::vector<KnownAnswer> known_answers(const TuningProblem& problem, const WisdomEntry& asked, const Wisdom& wisdom,
                                       const core::DeviceInfo& device) {
  const std::vector<const SearchSpace*> spaces = problem.spaces();
  std::vector<KnownAnswer> all;
  const auto add = [&](WisdomEntry& entry, Match match) {
    const auto contains = [&](const SearchSpace* space) { return space->contains(entry.configuration); };
    if (std::ranges::any_of(spaces, contains)) all.push_back({std::move(entry), match});
  };
  for (WisdomEntry& entry : parse_wisdom(problem.shipped)) {
    if (entry.question == problem.question) add(entry, match_of_shipped(entry, device));
  }
  for (WisdomEntry& entry : wisdom.find(problem.question)) add(entry, match_of(entry, asked, device));
  std::ranges::reverse(all);
  std::ranges::stable_sort(all, {}, [&](const KnownAnswer& one) {
    return std::tuple(-static_cast<int>(one.match), device_distance(one.entry, device),
                      distance(one.entry.shape, asked.shape));
  });
  return all;
}

}  // namespace maxwell_dg::rtcg
