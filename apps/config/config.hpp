#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "apps/config/entries.hpp"
#include "apps/config/systems.hpp"
#include "apps/config/values.hpp"
#include "core/dtype.hpp"
#include "dg/maxwell/symmetry.hpp"

namespace maxwell_dg::dg {
struct Mesh;
}

/// A configuration as the user wrote it, checked and typed. Numbers are in SI units, or in normalized ones with
/// `units: normalized`; `Scaling` takes them inside. What each key means and may hold is said once, in keys.cpp.
namespace maxwell_dg::config {

struct MeshBox {
  Vector3 min{-1, -1, -1};
  Vector3 max{1, 1, 1};
  std::array<int, 3> cells{1, 1, 1};
};

/// Exactly one of `file` and `box` is set, unless the mesh is in memory.
struct MeshSource {
  std::optional<std::filesystem::path> file;  ///< relative paths are already resolved against the config's folder
  std::optional<double> scale;                ///< metres per mesh unit of the file; none: dg::MeshReading says
  std::optional<int> order;                   ///< of the geometry of a file that is meshed; none: mesh_reading says
  std::optional<double> size;                 ///< length of edges to aim at there
  std::optional<MeshBox> box;
  int slices_above{5'000'000};  ///< elements from which on several ranks read the mesh by slices
  bool trust_geometry{false};   ///< of the command line, never of a config: it may come with the geometry
  /// Of a program that has the mesh: taken in place of what `file` or `box` says. Prepared, in metres (or normalized
  /// units); not written by resolved_yaml.
  std::shared_ptr<const dg::Mesh> in_memory{};
};

struct Solver {
  int order{4};
  Dtype precision{Dtype::float32};
  double flux{1.0};                       ///< alpha: 1 upwind, 0 central
  std::optional<std::string> integrator;  ///< none: by order and flux, dg::default_method
  double cfl{1.0};
  double tuning_seconds{60};
};

/// When the fields have died away.
struct Until {
  double decay{};  ///< dB, of powers, below the peak
};

/// Exactly one of the first three is set.
struct TimeSpan {
  std::optional<double> end;
  std::optional<double> periods;  ///< of the first source's frequency
  std::optional<Until> until;
  std::optional<double> at_most;  ///< with `until`: the end if the fields have not died away before
};

/// The name of values in the mesh, dg::Mesh::cell_values or vertex_values, in the config's units.
struct FromMesh {
  std::string name;
};

/// A number in the config's units: the same everywhere, or by place.
using NumberByPlace = std::variant<double, Formula, FromMesh>;

/// A constant of a material.
struct MaterialConstant {
  std::vector<NumberByPlace> components;  ///< one: a scalar; three: the diagonal of a tensor; nine: its rows
};

/// A pole of the permittivity, beside epsilon_r at infinite frequency.
struct Pole {
  enum class Model { debye, drude, lorentz };
  Model model{Model::debye};
  double delta_epsilon{1.0};     ///< of debye and lorentz: what the pole adds at frequency 0
  double tau{};                  ///< of debye
  double plasma_frequency{};     ///< of drude
  double collision_frequency{};  ///< of drude
  double frequency{};            ///< of lorentz
  double damping{};              ///< of lorentz
};

/// A constant ratio of the imaginary to the real part of the permittivity in a band of frequencies.
struct LossTangent {
  std::optional<double> value;  ///< default: that of the material's name
  double from{}, to{};
  std::optional<double> at;  ///< where epsilon_r is the real part; default: sqrt(from to)
};

struct Material {
  /// What of expressions and of values at vertices an element takes: their mean, or all of them.
  enum class WithinElements { constant, smooth };
  RegionNames region;
  WithinElements within_elements{WithinElements::constant};
  std::optional<std::string> name;  ///< of known_materials(): gives what the constants leave out
  std::vector<Pole> dispersion;     ///< none beside loss_tangent; config::poles_of has the poles of either
  std::optional<LossTangent> loss_tangent;
  bool active{};                                      ///< may put energy in: sigma below 0
  std::map<std::string, MaterialConstant> constants;  ///< by the names of dg::System::parameters
};

/// The end of a waveguide.
struct GuideEnd {
  static constexpr const char* type = "guide";
  std::string mode;                     ///< "tem", "te10" ...
  std::optional<Vector3> polarization;  ///< of a round guide; not zero
  double plane{};                       ///< of reference, so far into the guide
};

/// A source with a resistance across the gap between two conductors.
struct LumpedPort {
  static constexpr const char* type = "lumped";
  double impedance{};    ///< of the source
  std::string from, to;  ///< surfaces: voltage and current are counted from the first to the second
};

struct Port {
  std::string name;
  std::string boundary;  ///< a surface
  std::variant<GuideEnd, LumpedPort> kind;

  [[nodiscard]] bool is_lumped() const { return std::holds_alternative<LumpedPort>(kind); }
};

/// A resistance, an inductance and a capacitance, as far as they are there.
struct RlcElement {
  static constexpr const char* type = "rlc";
  enum class Connection { series, parallel } connection{Connection::series};
  std::optional<double> resistance, inductance, capacitance;
};

/// dx/dt = A x + B V, I = C x + D V.
struct NetworkElement {
  static constexpr const char* type = "network";
  std::vector<std::vector<double>> A;  ///< [row][column], square
  std::vector<double> B, C;
  double D{};
};

/// A passive circuit across the gap between two conductors.
struct LumpedElement {
  std::string name;
  std::string boundary;  ///< a surface
  std::string from, to;  ///< surfaces: voltage and current are counted from the first to the second
  std::variant<RlcElement, NetworkElement> kind;
};

/// A perfectly matched layer against the outer boundary.
struct Pml {
  enum class Shape { box, sphere, cylinder };
  RegionNames region;
  double thickness{};
  /// Of a wave that meets it head on, were the mesh infinitely fine. None: as strong as its elements can follow.
  std::optional<double> reflection;
  std::optional<double> alpha;  ///< frequency below which it damps less
  double kappa{1};              ///< real stretch at the outer boundary
  std::optional<Shape> shape;   ///< left out: from the outer boundary
};

struct FieldOutput {
  std::optional<double> every;  ///< time between two files; or
  std::optional<int> count;     ///< so many files after the first, evenly spaced
  std::vector<std::string> quantities;
};

/// The same of what named surfaces show.
struct SurfaceFieldOutput : FieldOutput {
  RegionNames surfaces;
};

struct Probe {
  std::string name;
  Vector3 at{};
};

struct EnergyOutput {
  int every{10};  ///< steps
  bool balance{};
};

struct FrequencyFieldOutput {
  std::vector<double> frequencies;
  std::vector<std::string> quantities;
};

/// from, from + step ... to; both ends included. Degrees.
struct AngleRange {
  double from{0}, to{180}, step{1};
};

/// A plane wave from many angles, one after the other. Degrees.
struct PlaneWaveSweep {
  enum class Polarization { theta, phi };
  AngleRange theta{.from = 0, .to = 180, .step = 5};  ///< where it comes from
  std::vector<double> phi{0};
  Polarization polarization{Polarization::theta};  ///< of E, along the unit vector of that angle
};

/// An endless conducting plane, where a coordinate is `at`.
struct GroundPlane {
  std::size_t axis{2};
  double at{0};
};

/// Against what the polarization of an antenna is measured; of any length.
struct CoPolarization {
  Vector3 boresight{0, 0, 1};
  Vector3 along{1, 0, 0};  ///< E there
};

struct FarFieldOutput {
  RegionNames enclosing;
  std::vector<double> frequencies;
  AngleRange theta;
  std::vector<double> phi{0, 90};  ///< degrees
  std::optional<GroundPlane> ground;
  CoPolarization co_polarization;
  std::optional<double> pattern_step;  ///< degrees; none: no pattern for ParaView
};

/// Frequencies and quality factors in the signals of probes.
struct ResonanceOutput {
  std::vector<std::string> probes;  ///< names; all where left out
  double from{}, to{};              ///< the band
  double start{};                   ///< after the sources have ended
};

/// Fourier transforms of the signals of probes.
struct ProbeSpectraOutput {
  std::vector<std::string> probes;  ///< names; all where left out
  double from{}, to{};
  int count{101};
  bool shielding{};  ///< against an incident plane wave, too
};

/// Of lumped elements, over time.
struct ElementOutput {
  int every{1};  ///< steps
};

struct SParameterOutput {
  double from{}, to{};
  int count{101};
  std::optional<double> reference;  ///< impedance of all ports; none: each has its own
};

struct Outputs {
  std::filesystem::path directory;  ///< relative to the current directory; filled in when left out
  std::optional<FieldOutput> fields;
  std::optional<SurfaceFieldOutput> surface_fields;
  std::vector<Probe> probes;
  std::optional<EnergyOutput> energy;
  std::optional<FrequencyFieldOutput> frequency_fields;
  std::optional<FarFieldOutput> far_field;
  std::optional<ResonanceOutput> resonances;
  std::optional<ProbeSpectraOutput> probe_spectra;
  std::optional<SParameterOutput> s_parameters;
  std::optional<ElementOutput> elements;
};

/// Exactly one of `every` and `steps` is set.
struct Checkpoint {
  std::optional<double> every;  ///< seconds on the clock
  std::optional<int> steps;
  int keep{2};  ///< files
};

/// Where something was said.
struct Place {
  std::string source;  ///< the config's path as given, or "--set"
  int line{};          ///< from 1; 0: not known
  int column{};        ///< from 1
  int text_column{};   ///< where a one-line scalar's text starts inside its quotes; 0: not known
};

/// Of complex fields, beside the real part that the keys of the same names give.
struct ImaginaryPart {
  FieldFormulas initial_fields;
  std::optional<FieldFormulas> reference_solution;
};

struct Config {
  std::shared_ptr<const Systems> systems{known_systems()};  ///< what `system` may name
  Units units{Units::si};
  std::string system{systems->front().name};
  std::vector<std::pair<std::string, double>> constants;
  MeshSource mesh;
  Solver solver;
  std::string device{"auto"};
  TimeSpan time;
  std::vector<Material> materials;
  std::vector<Boundary> boundaries;
  std::vector<dg::maxwell::SymmetryPlane> symmetry;
  FieldFormulas initial_fields;                     ///< every field of the system, "0" where left out
  std::optional<FieldFormulas> reference_solution;  ///< likewise
  std::optional<ImaginaryPart> imaginary;
  std::vector<Source> sources;
  std::vector<Port> ports;
  std::vector<LumpedElement> elements;
  std::optional<Pml> pml;
  Outputs outputs;
  std::optional<Checkpoint> checkpoint;
  std::optional<PlaneWaveSweep> sweep;

  std::filesystem::path file;           ///< as given
  std::map<std::string, Place> places;  ///< by key path: "materials.0.region.1"
  /// Key paths of numbers that were written with their unit, which a resolved config keeps.
  std::set<std::string> with_unit;

  /// "FILE:LINE:COLUMN: key.path: message", the text of a ConfigError about a key; the nearest key that the user
  /// wrote gives the place. Throws nothing.
  [[nodiscard]] std::string blame(std::string_view key_path, std::string_view message) const;

  /// The equations that `system` names.
  [[nodiscard]] const KnownSystem& equations() const;

  /// Are fields complex, because a pair of periodic surfaces has a phase?
  [[nodiscard]] bool has_phases() const;

  /// When the run ends, at the latest, in the config's units of time.
  [[nodiscard]] double end_time() const;
  /// The key that says so: "time.end".
  [[nodiscard]] std::string end_key() const;
};

/// An entry of a list of the config, with its key path: "sources.1".
template <class Kind>
struct Entry {
  std::string key;
  const Kind& value;
};

/// The sources of one kind.
template <class Kind>
[[nodiscard]] std::vector<Entry<Kind>> sources_of(const Config& config) {
  std::vector<Entry<Kind>> entries;
  for (std::size_t i = 0; i < config.sources.size(); ++i) {
    if (const auto* kind = std::get_if<Kind>(&config.sources[i])) {
      entries.push_back({"sources." + std::to_string(i), *kind});
    }
  }
  return entries;
}

/// The waveforms of the sources that have one, each with the key path of its source.
[[nodiscard]] std::vector<Entry<Waveform>> waveforms_of(const Config& config);

/// A boundary of one kind, with the surfaces on which it holds.
template <class Kind>
struct BoundaryEntry : Entry<Kind> {
  const RegionNames& region;
};
template <class Kind>
[[nodiscard]] std::vector<BoundaryEntry<Kind>> boundaries_of(const Config& config) {
  std::vector<BoundaryEntry<Kind>> entries;
  for (std::size_t i = 0; i < config.boundaries.size(); ++i) {
    const Boundary& boundary = config.boundaries[i];
    if (const auto* kind = std::get_if<Kind>(&boundary.kind)) {
      entries.push_back({{"boundaries." + std::to_string(i), *kind}, boundary.region});
    }
  }
  return entries;
}

/// A config that says nothing yet.
[[nodiscard]] Config empty_config(std::shared_ptr<const Systems> systems);

}  // namespace maxwell_dg::config
