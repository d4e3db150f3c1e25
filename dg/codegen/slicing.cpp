#include "dg/codegen/slicing.hpp"

#include <utility>

#include "dg/schedule/configuration.hpp"

namespace maxwell_dg::dg {

Schedule chosen(const rtcg::Configuration& configuration, const Schedule& usual) {
  rtcg::Configuration all = configuration_of(usual);
  for (const auto& [key, value] : configuration) all[key] = value;
  return schedule_of(all);
}

std::function<bool(const rtcg::Configuration&)> fits_on(const core::DeviceInfo& device, const Schedule& usual,
                                                        FitRules rules) {
  return [device, usual, rules = std::move(rules)](const rtcg::Configuration& configuration) {
    return static_cast<bool>(rules(chosen(configuration, usual), &device));
  };
}

std::vector<rtcg::Value> values_of_parts(std::size_t parts) {
  if (parts == 1) return {"together"};
  return {"together", "apart"};
}

rtcg::Value word_of(Schedule::Basis basis) {
  return configuration_of({Schedule::Elements{.basis = basis}}).at("basis");
}

}  // namespace maxwell_dg::dg
