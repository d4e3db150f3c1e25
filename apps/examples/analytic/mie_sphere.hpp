#pragma once

#include <optional>
#include <vector>

#include "apps/examples/analytic/vector.hpp"

namespace maxwell_dg::analytic {

/// A sphere at the origin in a plane wave, of a perfect conductor or of a medium, bare or coated: the Mie series.
///
/// Time dependence exp(-i omega t), k = omega. The incident field is E = p exp(i k d.x), H = d x E, for unit vectors
/// d (direction) and p (polarization), p.d = 0. Notation of Bohren & Huffman (1983), chapter 4.
class MieSphere {
 public:
  struct Options {
    double radius = 1.0;
    double k = 1.0;
    Vec3 direction{0, 0, 1};
    Vec3 polarization{1, 0, 0};
    /// When set, space ends at this radius with the Silver-Mueller condition E_t = -n x H on the scattered field
    /// (what a solver has whose upwind flux sees a zero field outside), and the series solves that problem exactly.
    std::optional<double> absorbing_radius{};
    /// When set, the sphere is of this relative permittivity (with losses its imaginary part is positive), mu_r = 1.
    std::optional<Complex> epsilon_r{};
    /// When set, `radius` is that of a coat of this permittivity, and the sphere within it has the core's.
    struct Coat {
      double core_radius;
      Complex epsilon_r;
    };
    std::optional<Coat> coat{};
  };

  /// Throws std::invalid_argument unless k > 0, 0 < core_radius < radius < absorbing_radius, and direction and
  /// polarization are orthogonal unit vectors (to 1e-9).
  explicit MieSphere(const Options& options);

  [[nodiscard]] Phasors incident(const Vec3& x) const;
  /// Outside of the sphere (and inside of the absorbing radius, if any) only.
  [[nodiscard]] Phasors scattered(const Vec3& x) const;
  [[nodiscard]] Phasors total(const Vec3& x) const;

  /// Far-field amplitudes S_1 (perpendicular), S_2 (parallel to the scattering plane) at an angle from forward. With an
  /// absorbing radius, of the outgoing waves alone: the regular ones that the boundary sends back have no source around
  /// the sphere, and add nothing to a near-to-far-field transform on a surface between sphere and boundary.
  struct Amplitudes {
    Complex S1, S2;
  };
  [[nodiscard]] Amplitudes amplitudes(double scattering_angle) const;
  /// Bistatic radar cross section 4 pi r^2 |E_s|^2 / |E_i|^2 towards a unit vector.
  [[nodiscard]] double radar_cross_section(const Vec3& towards) const;
  /// From the series' coefficients; and from the forward amplitude by the optical theorem. In free space only:
  /// std::logic_error with an absorbing radius.
  [[nodiscard]] double scattering_cross_section() const;
  [[nodiscard]] double extinction_cross_section() const;

 private:
  [[nodiscard]] Vec3 to_local(const Vec3& x) const;
  void require_free_space() const;

  Options options_;
  std::array<Vec3, 3> axes_{};  // p, d x p, d: the frame in which the series is written
  // [n - 1], n = 1, 2 ...: outgoing TM and TE waves; c_, d_ multiply the regular waves that the boundary sends back.
  std::vector<Complex> a_, b_, c_, d_;
};

}  // namespace maxwell_dg::analytic
