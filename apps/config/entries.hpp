#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apps/config/values.hpp"

/// The entries of the lists `sources` and `boundaries`: a variant of the kinds that there are.
namespace maxwell_dg::config {

struct Waveform {
  enum class Type { sine, gaussian_pulse, ricker, expression };
  Type type{Type::sine};
  double amplitude{1.0};
  double frequency{};           ///< not of expression
  double bandwidth{};           ///< of gaussian_pulse
  std::optional<double> delay;  ///< of gaussian_pulse and ricker; left out: the waveform's own
  Formula value;                ///< of expression, of t; times the amplitude
};

struct Injection {
  enum class Type { total_field, scattered_field };
  Type type{Type::scattered_field};
  RegionNames regions;  ///< of total_field: where the incident wave is part of the field
};

struct PlaneWave {
  static constexpr const char* type = "plane_wave";
  Waveform waveform{};
  Vector3 direction{0, 0, 1};     ///< of propagation; not zero, of any length
  Vector3 polarization{1, 0, 0};  ///< of E; perpendicular to the direction, not zero, of any length
  Injection injection{};
};

struct Dipole {
  static constexpr const char* type = "dipole";
  enum class Kind { electric, magnetic };
  Waveform waveform{};
  Vector3 at{};
  Vector3 moment{0, 0, 1};  ///< times the waveform: C m, or A m^2
  Kind kind{Kind::electric};
};

/// An impressed current density.
struct Current {
  static constexpr const char* type = "current";
  RegionNames region{};
  std::vector<Formula> density = std::vector<Formula>(3, "0");            ///< A/m^2, of x, y, z and t
  std::vector<Formula> imaginary_density = std::vector<Formula>(3, "0");  ///< likewise, where fields are complex
};

/// Modes that enter through ports.
struct DrivenPorts {
  static constexpr const char* type = "port";
  Waveform waveform{};
  RegionNames ports{};  ///< names of those that are driven, one after the other
};

using Source = std::variant<PlaneWave, Dipole, Current, DrivenPorts>;

/// The time dependence of a source; null where it has none of these: of a current.
[[nodiscard]] const Waveform* waveform_of(const Source& source);

/// A condition of the system of equations (dg::System::conditions), which know its name and its numbers.
struct Condition {
  std::string type;
  std::map<std::string, double> numbers{};  ///< by their names, of one that takes some
};

/// Joins a surface to another one, which is then the same.
struct Periodic {
  static constexpr const char* type = "periodic";
  std::string with;
  double phase{};  ///< degrees: k . a, with a from `region` to `with`; complex fields if not 0
};

/// A layer inside a built-in box; what absorbs stands behind it.
struct PmlSide {
  static constexpr const char* type = "pml";
  double thickness{};
};

/// A thin film on faces between elements.
struct Sheet {
  static constexpr const char* type = "sheet";
  double resistance{};  ///< tangential E over the surface current
};

/// What holds on named surfaces.
struct Boundary {
  RegionNames region;
  std::variant<Condition, Periodic, PmlSide, Sheet> kind{};

  [[nodiscard]] std::string type() const { return word_of(kind); }
};

}  // namespace maxwell_dg::config
