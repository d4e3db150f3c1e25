#include "apps/config/frequency_keys.hpp"

namespace maxwell_dg::config {
namespace {

Key frequencies_key(std::vector<double>& frequencies) {
  return {"frequencies",
          list<double>(frequencies, 1, [](double& f) { return positive(f, core::Dimension::frequency); }),
          "at which; the first source must hold them: its own alone if it is a sine, else those down to -60 dB of its "
          "spectrum",
          required};
}

Object angle_keys(AngleRange& a) {
  return {.keys = {{"from", number(a.from, {}), "first angle, degrees"},
                   {"to", number(a.to, {}), "last angle, always included, degrees"},
                   {"step", positive(a.step), "between two angles, degrees"}},
          .check = [&a](Reader& reader) {
            if (a.to < a.from) reader.error(reader.place_of("to"), "must not be below from", "to");
            if ((a.to - a.from) / a.step > 1e5) reader.error(reader.place_of("step"), "more than 1e5 angles", "step");
          }};
}

Object far_field_keys(FarFieldOutput& f) {
  return {.keys = {{"enclosing", region_names(f.enclosing),
                    "volume regions around which the surface is laid: its faces lie between them and others, in vacuum",
                    required},
                   frequencies_key(f.frequencies),
                   {"theta", object(angle_keys(f.theta)), "from +z"},
                   {"phi", list<double>(f.phi, 1, [](double& phi) { return number(phi, {}); }),
                    "from +x towards +y, degrees; every theta for each"}}};
}

Object resonance_keys(ResonanceOutput& r) {
  return {.keys = {{"probes",
                    list<std::string>(r.probes, 1, [](std::string& name) { return text(name, "a probe's name"); }),
                    "whose signals, by their names in outputs.probes", Key::Presence::optional, "all"},
                   {"from", positive(r.from, core::Dimension::frequency), "where the band begins", required},
                   {"to", positive(r.to, core::Dimension::frequency), "where it ends", required},
                   {"start", number(r.start, {.dimension = core::Dimension::time, .min = 0.0}),
                    "from when on the signals are free oscillations: after the sources have ended"}},
          .check = [&r](Reader& reader) {
            if (!(r.to > r.from)) reader.error(reader.place_of("to"), "must be above from", "to");
          }};
}

}  // namespace

Key frequency_fields_key(Outputs& outputs, const std::vector<std::string>& quantities) {
  return {"frequency_fields",
          optional(outputs.frequency_fields,
                   [quantities](FrequencyFieldOutput& f) {
                     return object(
                         {.keys = {frequencies_key(f.frequencies),
                                   {"quantities",
                                    list<std::string>(f.quantities, 1,
                                                      [quantities](std::string& q) { return word(q, quantities); }),
                                    "fields to write", Key::Presence::optional, "all"}}});
                   }),
          "VTK files of real and imaginary parts, one a frequency, of the fields over the first source's amplitude"};
}

Key far_field_key(Outputs& outputs) {
  return {"far_field", optional(outputs.far_field, [](FarFieldOutput& f) { return object(far_field_keys(f)); }),
          "the field far away by a near-to-far-field transform: rcs.csv with the radar cross section, or radiation.csv "
          "where the first source is a dipole or a port"};
}

Key resonances_key(Outputs& outputs) {
  return {"resonances", optional(outputs.resonances, [](ResonanceOutput& r) { return object(resonance_keys(r)); }),
          "frequencies and quality factors of what rings on in the signals of probes, in resonances.csv"};
}

}  // namespace maxwell_dg::config
