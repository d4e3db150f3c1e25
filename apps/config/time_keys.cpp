#include "apps/config/time_keys.hpp"

#include <string>

#include "core/dtype.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;

/// Rounding leaves more of the energy in single precision (docs/theory.md, "The end of a run by decay").
constexpr double lowest_in_single = -100;

Object until_keys(Until& until) {
  return {.keys = {{"decay", level(until.decay, -200, -1),
                    "level below its peak to which the energy, the wave out of each port, and the field at each probe "
                    "of `outputs.probe_spectra` must have fallen; of powers: -50 dB is a factor of 1e-5",
                    required}},
          .instead_of_mapping = "a time at which the run ends is the key `end`"};
}

Object time_keys(TimeSpan& time) {
  return {.keys = {{"end", optional(time.end, [](double& end) { return positive(end, Dimension::time); }),
                    "end of the simulated time; the time step is reduced so that a step ends there"},
                   {"periods", optional(time.periods, [](double& n) { return positive(n); }),
                    "instead of `end`: number of periods of the first source's frequency"},
                   {"until", optional(time.until, [](Until& until) { return object(until_keys(until)); }),
                    "instead of `end`: the run ends when the sources have ended and the fields have died away; of "
                    "several ports that are driven, each one's share ends so by itself"},
                   {"at_most", optional(time.at_most, [](double& end) { return positive(end, Dimension::time); }),
                    "with `until`, where it is needed: end of the simulated time if the fields have not died away "
                    "before; ports that are driven share it equally"}},
          .exactly_one = {"end", "periods", "until"},
          .check = [&time](Reader& reader) {
            if (time.until && !time.at_most) {
              reader.error(reader.place_of("until"),
                           "needs time.at_most beside it, the longest time to simulate; for example {until: {decay: "
                           "\"-50 dB\"}, at_most: \"200 ns\"}",
                           "until");
            }
            if (time.at_most && !time.until) {
              reader.error(reader.place_of("at_most"), "belongs to `until`; of a run that ends at a time it is `end`",
                           "at_most");
            }
          }};
}

void check_periods(const Config& config, Reader& reader) {
  const Waveform* first = config.sources.empty() ? nullptr : waveform_of(config.sources.front());
  if (first != nullptr && first->type != Waveform::Type::expression) return;
  reader.error(reader.place_of("time.periods"), "needs a first source with a frequency; or give time.end",
               "time.periods");
}

void check_until(const Config& config, Reader& reader) {
  const double decay = config.time.until->decay;
  if (config.solver.precision == Dtype::float32 && decay < lowest_in_single) {
    reader.error(reader.place_of("time.until.decay"),
                 "is below what rounding leaves in single precision, " + core::format_number(lowest_in_single) +
                     " dB, so that it would never come; take solver.precision: double, or a higher level",
                 "time.until.decay");
  }
  for (const auto& [source, waveform] : waveforms_of(config)) {
    if (waveform.type != Waveform::Type::sine) continue;
    const std::string key = source + ".waveform.type";
    reader.error(reader.place_of(key),
                 "a sine does not end, and time.until.decay waits for the sources' end; take a pulse, or give time.end "
                 "or time.periods in place of time.until",
                 key);
  }
  const auto refuse_count = [&](const std::string& output, const FieldOutput& fields) {
    if (!fields.count) return;
    const std::string key = output + ".count";
    reader.error(reader.place_of(key), "needs a run whose end is known, and time.until ends this one; give `every`",
                 key);
  };
  const Outputs& outputs = config.outputs;
  if (outputs.fields) refuse_count("outputs.fields", *outputs.fields);
  if (outputs.surface_fields) refuse_count("outputs.surface_fields", *outputs.surface_fields);
  const auto driven = sources_of<DrivenPorts>(config);
  if (outputs.resonances && !driven.empty() && driven.front().value.ports.size() > 1) {
    reader.error(
        reader.place_of("outputs.resonances"),
        "needs signals without gaps, which time.until leaves where several ports are driven; give time.end, or "
        "drive one port",
        "outputs.resonances");
  }
}

}  // namespace

Key time_key(Config& config) {
  return {"time", object(time_keys(config.time)), "simulated time", required, "", "{end: \"10 ns\"}"};
}

void check_time(const Config& config, Reader& reader) {
  if (config.time.periods) check_periods(config, reader);
  if (config.time.until) check_until(config, reader);
}

}  // namespace maxwell_dg::config
