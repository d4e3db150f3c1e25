#include "apps/config/frequency_keys.hpp"

#include <cmath>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::config {
namespace {

Key frequencies_key(std::vector<double>& frequencies) {
  return {"frequencies",
          list<double>(frequencies, 1, [](double& f) { return positive(f, core::Dimension::frequency); }),
          "frequencies to compute. The first source must contain them: a sine contains its own alone, a pulse those "
          "where its spectrum is above -60 dB of its peak",
          required};
}

Object angle_keys(AngleRange& a) {
  return {.keys = {{"from", number(a.from, {}), "first angle, degrees"},
                   {"to", number(a.to, {}), "last angle, always included, degrees"},
                   {"step", positive(a.step), "step between two angles, degrees"}},
          .check = [&a](Reader& reader) {
            if (a.to < a.from) reader.error(reader.place_of("to"), "must not be below from", "to");
            if ((a.to - a.from) / a.step > 1e5) reader.error(reader.place_of("step"), "more than 1e5 angles", "step");
          }};
}

Object sweep_keys(PlaneWaveSweep& s) {
  using Polarization = PlaneWaveSweep::Polarization;
  const auto wave = [&s] {
    return object(
        {.keys = {{"theta", object(angle_keys(s.theta)), "polar angle from +z that the wave comes from"},
                  {"phi", list<double>(s.phi, 1, [](double& phi) { return number(phi, {}); }),
                   "azimuth in degrees, from +x towards +y; each is combined with every theta"},
                  {"polarization",
                   word<Polarization>(s.polarization, {{"theta", Polarization::theta}, {"phi", Polarization::phi}}),
                   "direction of E: the unit vector of `theta` or of `phi` there"}}});
  };
  return {.keys = {{"plane_wave", wave(), "the angles"}}};
}

Object ground_keys(GroundPlane& g) {
  return {.keys = {{"plane", word<std::size_t>(g.axis, {{"x", 0}, {"y", 1}, {"z", 2}}),
                    "the coordinate that is the same all over the ground: `x`, `y` or `z`"},
                   {"at", number(g.at, {.dimension = core::Dimension::length}), "its value there"}}};
}

Object co_polarization_keys(CoPolarization& p) {
  return {.keys = {{"boresight", vector3(p.boresight), "a direction; its length does not matter"},
                   {"along", vector3(p.along),
                    "direction of E of the co-polarization in that direction, at a right angle to it"}},
          .check = [&p](Reader& reader) {
            const double product = dg::length(p.boresight) * dg::length(p.along);
            if (product > 0 && std::abs(dg::dot(p.boresight, p.along)) < 1e-6 * product) return;
            reader.error(reader.place_of("along"),
                         product > 0 ? "must be at a right angle to boresight" : "neither it nor boresight may be zero",
                         "along");
          }};
}

Object far_field_keys(FarFieldOutput& f) {
  return {.keys = {{"enclosing", region_names(f.enclosing),
                    "volume regions inside the transform's surface, which consists of the faces between them and "
                    "other regions; outside of it there must be one medium without losses",
                    required},
                   frequencies_key(f.frequencies),
                   {"theta", object(angle_keys(f.theta)), "polar angle from +z"},
                   {"phi", list<double>(f.phi, 1, [](double& phi) { return number(phi, {}); }),
                    "azimuth in degrees, from +x towards +y; each is combined with every theta"},
                   {"ground", optional(f.ground, [](GroundPlane& g) { return object(ground_keys(g)); }),
                    "an endless perfectly conducting ground on which the surface stands: boundaries of type pec lie in "
                    "it, and the far field is that above it"},
                   {"co_polarization", object(co_polarization_keys(f.co_polarization)),
                    "what pattern.csv divides the field of an antenna by: Ludwig's third definition"},
                   {"pattern_step",
                    optional(f.pattern_step, [](double& step) { return number(step, {.min = 0.5, .max = 30}); }),
                    "degrees between the directions of an antenna's pattern as a surface for ParaView, pattern_000.vtp "
                    "and so on"}}};
}

Key chosen_probes_key(std::vector<std::string>& probes) {
  return {"probes", list<std::string>(probes, 1, [](std::string& name) { return text(name, "a probe's name"); }),
          "names of the probes (of outputs.probes) whose signals are used", Key::Presence::optional, "all"};
}

Object resonance_keys(ResonanceOutput& r) {
  return {.keys = {chosen_probes_key(r.probes),
                   {"from", positive(r.from, core::Dimension::frequency), "lowest frequency of the band", required},
                   {"to", positive(r.to, core::Dimension::frequency), "highest frequency of the band", required},
                   {"start", number(r.start, {.dimension = core::Dimension::time, .min = 0.0}),
                    "time from which the signals are used; choose it after the sources have ended"}},
          .check = [&r](Reader& reader) {
            if (!(r.to > r.from)) reader.error(reader.place_of("to"), "must be above from", "to");
          }};
}

Object probe_spectra_keys(ProbeSpectraOutput& s) {
  return {.keys = {chosen_probes_key(s.probes),
                   {"from", positive(s.from, core::Dimension::frequency), "lowest frequency", required},
                   {"to", positive(s.to, core::Dimension::frequency), "highest", required},
                   {"count", integer(s.count, {2, 10000}), "number of frequencies, evenly spaced, both ends included"},
                   {"shielding", boolean(s.shielding),
                    "whether shielding.csv is written, too: how much weaker than the incident plane wave, the only "
                    "source, the total field is, in dB"}},
          .check = [&s](Reader& reader) {
            if (!(s.to > s.from)) reader.error(reader.place_of("to"), "must be above from", "to");
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
          "fields in the frequency domain, divided by the first source's amplitude: for each frequency a VTK file "
          "with real and imaginary parts"};
}

Key far_field_key(Outputs& outputs) {
  return {"far_field", optional(outputs.far_field, [](FarFieldOutput& f) { return object(far_field_keys(f)); }),
          "far field, by a near-to-far-field transform: rcs.csv with the radar cross section, or for other first "
          "sources radiation.csv, pattern.csv and antenna.csv"};
}

Key sweep_key(Config& config) {
  return {
      "sweep", optional(config.sweep, [](PlaneWaveSweep& s) { return object(sweep_keys(s)); }),
      "a run for each angle from which the plane wave comes, all in one process: monostatic.csv has the radar cross "
      "section back there"};
}

void check_sweep(const Config& config, Reader& reader) {
  if (!config.sweep) return;
  const auto refuse = [&](const std::string& key, const std::string& message) {
    reader.error(reader.place_of(key), message, key);
  };
  if (config.sources.size() != 1 || !std::holds_alternative<PlaneWave>(config.sources.front())) {
    refuse("sweep", "turns the plane wave that is the only source: give one under `sources`");
  }
  const Outputs& outputs = config.outputs;
  if (!outputs.far_field) refuse("sweep", "needs outputs.far_field, whose angles it replaces");
  const bool has_others = outputs.fields || outputs.surface_fields || !outputs.probes.empty() || outputs.energy ||
                          outputs.frequency_fields || outputs.resonances || outputs.probe_spectra ||
                          outputs.s_parameters || outputs.elements || config.checkpoint;
  if (has_others) {
    refuse("sweep", "writes monostatic.csv alone: leave out all outputs but far_field, and checkpoint");
  }
}

Key resonances_key(Outputs& outputs) {
  return {"resonances", optional(outputs.resonances, [](ResonanceOutput& r) { return object(resonance_keys(r)); }),
          "frequencies and quality factors of resonances, from the decaying signals of probes; written to "
          "resonances.csv"};
}

Key probe_spectra_key(Outputs& outputs) {
  return {"probe_spectra",
          optional(outputs.probe_spectra, [](ProbeSpectraOutput& s) { return object(probe_spectra_keys(s)); }),
          "Fourier transforms of the signals of probes, divided by that of the first source's waveform; written to "
          "probe_spectra.csv"};
}

}  // namespace maxwell_dg::config
