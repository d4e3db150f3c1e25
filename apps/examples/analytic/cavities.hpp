#pragma once

#include <array>

#include "apps/examples/analytic/vector.hpp"

/// Standing waves in closed boxes and balls, as functions of place and time. At t = 0 the field that `cos(omega t)`
/// multiplies is at its largest.
namespace maxwell_dg::analytic {

/// Box [0, size] with perfectly conducting walls, filled with a uniform medium:
/// E = (A cos sin sin, B sin cos sin, C sin sin cos)(k x) e(t), k_i = pi mode_i / size_i, (A, B, C).k = 0. Without
/// losses e = cos(omega t). With conductivity e'' + (sigma/epsilon) e' + k^2/(mu epsilon) e = 0:
/// e = exp(-gamma t) cos(omega t), gamma = sigma / (2 epsilon), omega^2 = k^2/(mu epsilon) - gamma^2.
class RectangularCavity {
 public:
  struct Options {
    Vec3 size{1, 1, 1};
    std::array<int, 3> mode{1, 1, 0};
    Vec3 amplitude{0, 0, 1};  ///< (A, B, C); only its part orthogonal to k is used
    double epsilon_r = 1.0;
    double mu_r = 1.0;
    double sigma = 0.0;  ///< throws std::invalid_argument when nothing oscillates any more
  };
  explicit RectangularCavity(const Options& options);
  [[nodiscard]] double omega() const { return omega_; }
  [[nodiscard]] Fields at(const Vec3& x, double t) const;

 private:
  Vec3 k_{}, amplitude_{};
  double mu_r_{}, gamma_{}, omega_{};
};

/// Box [0, size] with perfectly conducting walls, epsilon_r = epsilon_below for z < interface and epsilon_above beyond.
/// With k_x, k_y from the walls, k_z^2 = omega^2 epsilon_r - k_x^2 - k_y^2 in each half (either sign):
///  - TE to z: E = curl(psi z), psi = cos cos f(z) cos(omega t); f = 0 at the ends, f and f' continuous. E is
///  continuous.
///  - TM to z: H = curl(psi z), psi = sin sin g(z) cos(omega t); g' = 0 at the ends, g and g'/epsilon_r continuous.
///    E_z jumps at the interface, epsilon_r E_z does not.
class HalfFilledCavity {
 public:
  enum class Polarization { te_to_z, tm_to_z };
  struct Options {
    Polarization polarization = Polarization::tm_to_z;
    Vec3 size{1, 1, 1};
    double interface = 0.5;
    double epsilon_below = 1.0;
    double epsilon_above = 4.0;
    std::array<int, 2> mode{1, 1};  ///< half waves along x and y
    int branch = 0;                 ///< 0: the lowest frequency with these half waves
  };
  /// The dispersion relation is bracketed and bisected to the last bit. Throws std::invalid_argument on options that
  /// make no cavity or no mode.
  explicit HalfFilledCavity(const Options& options);
  [[nodiscard]] double omega() const { return omega_; }
  [[nodiscard]] double epsilon_r(bool above) const { return above ? options_.epsilon_above : options_.epsilon_below; }
  /// k_z^2 of a half; negative where the field is evanescent.
  [[nodiscard]] double kz_squared(bool above) const;
  /// On the interface itself the limit from the half that `above` names.
  [[nodiscard]] Fields at(const Vec3& x, double t, bool above) const;
  [[nodiscard]] Fields at(const Vec3& x, double t) const { return at(x, t, x[2] > options_.interface); }

 private:
  struct Profile {
    double value, slope;
  };
  [[nodiscard]] double kz_squared(double omega, bool above) const;
  [[nodiscard]] double dispersion(double omega) const;
  [[nodiscard]] Profile profile(double z, bool above) const;

  Options options_;
  double kx_{}, ky_{}, omega_{}, scale_{1.0};
};

/// Ball of vacuum at the origin with a perfectly conducting wall, loaded with a smaller ball of a medium: the lowest
/// modes, m = 0 about the z axis. With k^2 = omega^2 epsilon, epsilon = epsilon_r + i sigma / omega in the medium, f =
/// psi_1(k r) in it, a combination of psi_1 and chi_1 beyond, and u = f/r^2, for the time dependence exp(-i omega t),
///  - TM_11: H = -i u z x r, E = curl(u z x r)/(omega epsilon); f and f'/epsilon continuous, f' = 0 at the wall;
///  - TE_11: E = u z x r, H = -i curl(u z x r)/omega; f and f' continuous, f = 0 at the wall.
/// (Balanis, Advanced Engineering Electromagnetics, 2nd ed., section 10.4, with a second medium.)
class SphericalCavity {
 public:
  enum class Mode { tm_11, te_11 };
  struct Options {
    Mode mode{};
    double radius = 1.0;       ///< of the wall
    double ball_radius = 0.5;  ///< of the medium
    double epsilon_r = 1.0;    ///< of the medium, as is
    double sigma = 0.0;        ///< so small that the mode still oscillates
  };
  /// Throws std::invalid_argument on options that make no cavity or no mode.
  explicit SphericalCavity(const Options& options);
  /// Fields go as exp(-decay t) at this angular frequency.
  [[nodiscard]] double omega() const { return omega_.real(); }
  [[nodiscard]] double decay() const { return -omega_.imag(); }
  /// As they are in the medium, or beyond it (continued where x is not there).
  [[nodiscard]] Fields at(const Vec3& x, double t, bool in_medium) const;
  [[nodiscard]] Fields at(const Vec3& x, double t) const {
    return at(x, t, dot(x, x) <= options_.ball_radius * options_.ball_radius);
  }

 private:
  struct Profile {
    Complex value, slope;
  };
  [[nodiscard]] Complex epsilon(Complex omega) const;
  [[nodiscard]] Complex dispersion(Complex omega) const;
  [[nodiscard]] Profile within(Complex omega, double r) const;
  [[nodiscard]] Profile beyond(Complex omega, double r) const;

  Options options_;
  Complex omega_, beyond_;  // angular frequency, and what multiplies f beyond the medium
};

/// Pressure and velocity at one point and time.
struct Sound {
  double p{};
  Vec3 u{};
};

/// Box [0, size] with rigid walls: p = cos cos cos (k x) cos(omega t) for p_t = -rho c^2 div u, u_t = -grad p / rho.
class AcousticBox {
 public:
  struct Options {
    Vec3 size{1, 1, 1};
    std::array<int, 3> mode{1, 1, 1};
    double rho = 1.0;
    double c = 1.0;
  };
  explicit AcousticBox(const Options& options);
  [[nodiscard]] double omega() const { return omega_; }
  [[nodiscard]] Sound at(const Vec3& x, double t) const;

 private:
  Vec3 k_{};
  double rho_{}, omega_{};
};

}  // namespace maxwell_dg::analytic
