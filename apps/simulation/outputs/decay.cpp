#include "apps/simulation/outputs/decay.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

#include "apps/config/transforms.hpp"
#include "apps/config/type.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/text.hpp"
#include "core/log.hpp"

namespace maxwell_dg::simulation {
namespace {

/// Of an energy or of a wave's power. What a transform misses is then about a hundredth of the peak's share in it:
/// fields go with the root.
constexpr double died_away_db = -40;
/// Of the largest amplitude. Behind a screen fields are weak, and asked for.
constexpr double faint_wave = 1e-3, faint_field = 1e-5;

std::optional<double> decibels(const std::optional<double>& ratio, double factor) {
  if (!ratio || !(*ratio > 0)) return std::nullopt;
  return factor * std::log10(*ratio);
}

/// Names of the outputs that transform the whole run: of a sine the last periods are taken, when fields are steady.
std::vector<std::string> transforms_of_all(const Plan& plan) {
  const auto sampling = fourier_sampling(plan);
  const bool takes_last_periods = sampling && sampling->hann_length > 0;
  std::vector<std::string> names;
  for (const config::Transform& asked : config::transforms(plan.config)) {
    if (!asked.sums_up || !takes_last_periods) names.push_back(asked.name);
  }
  return names;
}

std::string of_wave(const Decay::Level& wave) {
  return "the wave out of port '" + wave.name + "'";
}

std::string of_probe(const Decay::Level& probe) {
  return "the field at probe '" + probe.name + "'";
}

struct Remains {
  std::vector<std::string> texts;  ///< "its energy at -12 dB of the peak"
  double largest_db = died_away_db;
};

Remains what_remains(const Decay& decay) {
  Remains remains;
  const auto note = [&](const std::string& what, const std::optional<double>& level) {
    if (!level || *level <= died_away_db) return;
    remains.texts.push_back(what + " at " + level_text(level) + " of its peak");
    remains.largest_db = std::max(remains.largest_db, *level);
  };
  note("the energy", decay.level_db);
  for (const Decay::Level& wave : decay.strong_waves()) note(of_wave(wave), wave.level_db);
  for (const Decay::Level& probe : decay.strong_probes()) note(of_probe(probe), probe.level_db);
  return remains;
}

/// Of a run that was to end by decay and did not.
void warn_of_at_most(const Plan& plan, const Decay& decay, bool has_turns) {
  const double wanted = plan.end_rule->wanted_db;
  std::string levels = "the energy at " + level_text(decay.level_db) + " of its peak";
  for (const Decay::Level& wave : decay.strong_waves())
    levels += ", " + of_wave(wave) + " at " + level_text(wave.level_db);
  for (const Decay::Level& probe : decay.strong_probes()) {
    levels += ", " + of_probe(probe) + " at " + level_text(probe.level_db);
  }
  const double end = plan.config.end_time() / static_cast<double>(turns_of(plan.config));
  warn(plan.config, "time.at_most",
       (has_turns ? "reached while port '" + decay.driven + "' was driven, " + time_text(end, plan.config.units) +
                        " for it by itself, "
                  : "reached, ") +
           "before the fields had died away: " + levels + " (wanted: " + brief(wanted) +
           " dB). Give a longer time.at_most, or a higher time.until.decay; where levels have stopped falling, static "
           "fields or rounding are left");
}

std::vector<Decay::Level> strong(const std::vector<Decay::Level>& levels, double faint) {
  double largest = 0;
  for (const Decay::Level& level : levels) largest = std::max(largest, level.peak);
  std::vector<Decay::Level> result;
  std::ranges::copy_if(levels, std::back_inserter(result),
                       [&](const Decay::Level& level) { return level.peak > faint * largest; });
  return result;
}

}  // namespace

std::vector<Decay::Level> Decay::strong_waves() const {
  return strong(waves, faint_wave);
}

std::vector<Decay::Level> Decay::strong_probes() const {
  return strong(probes, faint_field);
}

double Decay::highest_db() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(peak > 0)) return infinity;
  double highest = level_db.value_or(-infinity);
  for (const Level& wave : strong_waves()) highest = std::max(highest, wave.level_db.value_or(-infinity));
  for (const Level& probe : strong_probes()) highest = std::max(highest, probe.level_db.value_or(-infinity));
  return highest;
}

std::vector<std::string> driven_in_turn(const Plan& plan) {
  std::vector<std::string> names;
  for (const std::size_t p : dg::driven_in_turn(plan.ports)) names.push_back(plan.config.ports[p].name);
  return names;
}

std::string level_text(const std::optional<double>& level_db) {
  return level_db ? brief(std::round(*level_db)) + " dB" : "0";
}

std::vector<Decay> decays(const Plan& plan, const Observers& observers) {
  const dg::DecayRecord& energy = observers.energy_decay();
  const std::vector<dg::DecayRecord> ports = observers.port_levels(), probes = observers.probe_levels();
  const std::vector<std::string> driven = driven_in_turn(plan);
  const Ending* ending = observers.ending();
  std::vector<Decay> result;
  for (std::size_t turn = 0; turn < energy.turns(); ++turn) {
    Decay decay{.driven = turn < driven.size() ? driven[turn] : "",
                .peak = energy.peak(turn) * plan.file_scaling.energy,
                .last = energy.last(turn) * plan.file_scaling.energy,
                .level_db = decibels(energy.ratio(turn), 10)};
    for (std::size_t p = 0; p < ports.size(); ++p) {
      decay.waves.push_back({plan.config.ports[p].name, ports[p].peak(turn), decibels(ports[p].ratio(turn), 20)});
    }
    for (std::size_t p = 0; p < probes.size(); ++p) {
      decay.probes.push_back(
          {plan.config.outputs.probe_spectra->probes[p], probes[p].peak(turn), decibels(probes[p].ratio(turn), 20)});
    }
    if (ending != nullptr && ending->ends()[turn]) decay.ended = *ending->ends()[turn] * plan.file_scaling.time;
    result.push_back(std::move(decay));
  }
  return result;
}

void warn_of_truncation(const Plan& plan, const std::vector<Decay>& decays) {
  const std::vector<std::string> transforms = transforms_of_all(plan);
  for (const Decay& decay : decays) {
    if (plan.end_rule && !decay.ended) {
      warn_of_at_most(plan, decay, decays.size() > 1);
      continue;
    }
    if (transforms.empty()) continue;
    const auto [remains, largest_db] = what_remains(decay);
    if (remains.empty()) continue;
    const std::string when =
        decays.size() > 1 ? "the share of the run in which port '" + decay.driven + "' is driven" : "the run";
    log_warning(config::joined(transforms) + ": " + when +
                " ends before the fields have died away: " + config::joined(remains) +
                " (wanted: " + brief(died_away_db) + " dB). Results miss what would follow, " + "up to about " +
                brief(std::round(100 * std::pow(10, largest_db / 20))) + " % of the largest value; " +
                (plan.end_rule ? "ask for a lower time.until.decay" : "simulate a longer time"));
  }
}

}  // namespace maxwell_dg::simulation
