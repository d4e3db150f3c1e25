#include "apps/config/source_keys.hpp"

#include <cmath>

namespace maxwell_dg::config {
namespace {

using core::Dimension;

constexpr const char* waveform_example = "{type: gaussian_pulse, frequency: \"1 GHz\", bandwidth: \"1 GHz\"}";

Object waveform_keys(Waveform& w) {
  using Type = Waveform::Type;
  const auto frequency = [&w] {
    return Key{"frequency", positive(w.frequency, Dimension::frequency),
               "carrier frequency; of a ricker: where its spectrum peaks", required};
  };
  const auto delay = [&w] {
    return Key{"delay",
               optional(w.delay, [](double& t) { return number(t, {.dimension = Dimension::time, .min = 0}); }),
               "time at which the pulse peaks at the origin; left out: late enough for the pulse to start from zero"};
  };
  const auto bandwidth = [&w] {
    return Key{"bandwidth", positive(w.bandwidth, Dimension::frequency), "full width of the spectrum at -20 dB",
               required};
  };
  const auto value = [&w] {
    return Key{"value", formula(w.value, {.coordinates = false, .time = true}),
               "expression of t, multiplied by the amplitude", required};
  };
  return {
      .keys = {{"amplitude", number(w.amplitude, {}),
                "of a plane wave: peak of E in V/m; of a dipole: factor of its moment; of a port: peak of the mode's "
                "voltage, which is the square root of the integral of |E|^2 over the port"}},
      .choice = choice<Type>(
          "type", w.type, "time dependence",
          {{"sine", Type::sine, "ramps up smoothly over two periods", [=] { return std::vector<Key>{frequency()}; }},
           {"gaussian_pulse", Type::gaussian_pulse, "a sine under a Gaussian",
            [=] {
              return std::vector<Key>{frequency(), bandwidth(), delay()};
            }},
           {"ricker", Type::ricker, "second derivative of a Gaussian",
            [=] {
              return std::vector<Key>{frequency(), delay()};
            }},
           {"expression", Type::expression, "given by `value`", [=] { return std::vector<Key>{value()}; }}},
          required)};
}

Object injection_keys(Injection& injection) {
  using Type = Injection::Type;
  return {.keys = {},
          .choice = choice<Type>(
              "type", injection.type, "how the wave enters",
              {{"total_field", Type::total_field, "through the surface of `regions`, which hold the total field",
                [&injection] {
                  return std::vector<Key>{{"regions", region_names(injection.regions),
                                           "volume regions that hold incident plus scattered field; all others hold "
                                           "the scattered field alone",
                                           required}};
                }},
               {"scattered_field", Type::scattered_field,
                "the unknowns are the scattered field everywhere; boundaries, and media other than that of the open "
                "space, radiate it",
                [] { return std::vector<Key>{}; }}},
              required)};
}

std::vector<Key> plane_wave_keys(PlaneWave& s) {
  return {{"direction", vector3(s.direction), "direction of propagation; its length does not matter", required},
          {"polarization", vector3(s.polarization), "direction of E, perpendicular to `direction`", required},
          {"waveform", object(waveform_keys(s.waveform)), "E at the origin over time", required, "", waveform_example},
          {"injection", object(injection_keys(s.injection)), "how the wave enters the mesh", required, "",
           "{type: scattered_field}, or {type: total_field, regions: [NAME]}"}};
}

void check_plane_wave(const PlaneWave& s, Reader& reader) {
  const Vector3& d = s.direction;
  const Vector3& p = s.polarization;
  const double length_d = std::hypot(d[0], d[1], d[2]), length_p = std::hypot(p[0], p[1], p[2]);
  if (length_d == 0) reader.error(reader.place_of("direction"), "must not be zero", "direction");
  if (length_p == 0) reader.error(reader.place_of("polarization"), "must not be zero", "polarization");
  // Rounded decimals are let through; a real angle is not.
  if (std::abs(d[0] * p[0] + d[1] * p[1] + d[2] * p[2]) > 1e-6 * length_d * length_p) {
    reader.error(reader.place_of("polarization"), "must be perpendicular to direction", "polarization");
  }
}

std::vector<Key> dipole_keys(Dipole& s) {
  return {
      {"at", vector3(s.at, Dimension::length), "a point of the mesh", required},
      {"moment", vector3(s.moment), "dipole moment in C m, of a magnetic dipole in A m^2; multiplied by the waveform",
       required},
      {"kind", word<Dipole::Kind>(s.kind, {{"electric", Dipole::Kind::electric}, {"magnetic", Dipole::Kind::magnetic}}),
       "`electric` or `magnetic`"},
      {"waveform", object(waveform_keys(s.waveform)), "the moment over time", required, "", waveform_example}};
}

std::vector<Key> current_keys(Current& s) {
  return {
      {"region", region_names(s.region), "volume regions in which the current flows", required},
      {"density", fixed_list<std::vector<Formula>>(s.density, [](Formula& f) { return formula(f, {.time = true}); }),
       "components of the current density in A/m^2, expressions of x, y, z and t", required},
      {"imaginary_density",
       fixed_list<std::vector<Formula>>(s.imaginary_density, [](Formula& f) { return formula(f, {.time = true}); }),
       "imaginary part of the current density, if fields are complex"}};
}

std::vector<Key> driven_port_keys(DrivenPorts& s) {
  return {{"ports", region_names(s.ports),
           "names of the ports to drive, one after the other, each for an equal share of the run",
           Key::Presence::optional, "all"},
          {"waveform", object(waveform_keys(s.waveform)), "voltage of the incoming mode over time", required, "",
           waveform_example}};
}

Object source_keys(Source& s) {
  return {
      .keys = {},
      .choice = choice<Source>("type", s, "kind of source",
                               {kind_of<Source>(PlaneWave{}, "its phase is zero at the origin", plane_wave_keys),
                                kind_of<Source>(Dipole{}, "a point source", dipole_keys),
                                kind_of<Source>(Current{}, "an impressed current density", current_keys),
                                kind_of<Source>(DrivenPorts{}, "a mode that enters through a port", driven_port_keys)},
                               required),
      .check = [&s](Reader& reader) {
        if (const auto* wave = std::get_if<PlaneWave>(&s)) check_plane_wave(*wave, reader);
      }};
}

Object pml_keys(Pml& pml) {
  using Shape = Pml::Shape;
  return {
      .keys = {
          {"region", region_names(pml.region), "volume regions of the PML", required},
          {"thickness", positive(pml.thickness, Dimension::length),
           "thickness of the PML, measured inwards from the outer boundary", required},
          {"reflection",
           optional(pml.reflection, [](double& r) { return number(r, {.min = 0.0, .max = 1.0, .above_min = true}); }),
           "reflection of a wave at normal incidence, on an infinitely fine mesh; the default is as low as elements of "
           "the "
           "order can follow, at least 1e-8, and `--check`, `run.log` and `summary.json` say what it is",
           Key::Presence::optional, "from the mesh and the order"},
          {"alpha",
           optional(pml.alpha, [](double& a) { return number(a, {.dimension = Dimension::frequency, .min = 0.0}); }),
           "frequency below which the PML damps less; keeps static fields and grazing waves from growing",
           Key::Presence::optional, "0.016 c / thickness"},
          {"kappa", number(pml.kappa, {.min = 1.0, .max = 100.0}),
           "real stretch of lengths along the depth of the PML: it grows linearly from 1 at the inner face to this "
           "value at the outer boundary, so that evanescent fields decay; field files show the PML stretched"},
          {"shape",
           optional(pml.shape,
                    [](Shape& shape) {
                      return word<Shape>(
                          shape, {{"box", Shape::box}, {"sphere", Shape::sphere}, {"cylinder", Shape::cylinder}});
                    }),
           "shape of the outer boundary: `box`, `sphere`, or `cylinder` (along z)", Key::Presence::optional,
           "from the mesh"}}};
}

}  // namespace

Key sources_key(Config& config) {
  return {"sources", list<Source>(config.sources, 0, [](Source& s) { return object(source_keys(s)); }),
          "what drives the fields"};
}

Key pml_key(Config& config) {
  return {"pml", optional(config.pml, [](Pml& pml) { return object(pml_keys(pml)); }),
          "a perfectly matched layer (PML), which absorbs waves at any angle: open space"};
}

}  // namespace maxwell_dg::config
