#include "apps/config/transforms.hpp"

#include <algorithm>
#include <cstddef>

namespace maxwell_dg::config {
namespace {

Transform at(const std::string& name, const std::vector<double>& frequencies) {
  if (frequencies.empty()) return {.name = name};  // of a config that is refused
  const auto [lowest, highest] = std::ranges::minmax_element(frequencies);
  return {.name = name,
          .lowest = *lowest,
          .highest = *highest,
          .highest_key = "outputs." + name + ".frequencies." + std::to_string(highest - frequencies.begin())};
}

Transform between(const std::string& name, double from, double to) {
  return {.name = name, .lowest = from, .highest = to, .highest_key = "outputs." + name + ".to"};
}

}  // namespace

std::vector<Transform> transforms(const Config& config) {
  const Outputs& outputs = config.outputs;
  std::vector<Transform> all;
  if (const auto& o = outputs.frequency_fields) all.push_back(at("frequency_fields", o->frequencies));
  if (const auto& o = outputs.far_field) all.push_back(at("far_field", o->frequencies));
  if (const auto& o = outputs.s_parameters) all.push_back(between("s_parameters", o->from, o->to));
  if (const auto& o = outputs.probe_spectra) {
    all.push_back(between("probe_spectra", o->from, o->to));
    all.back().sums_up = false;
  }
  return all;
}

}  // namespace maxwell_dg::config
