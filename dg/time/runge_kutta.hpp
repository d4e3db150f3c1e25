#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// A low-storage (2N) explicit Runge-Kutta method: stage i does res = a_i res + dt f(q, t + c_i dt); q += b_i res.
struct RungeKutta {
  std::string name;
  int order{};
  std::vector<double> a, b, c;
  [[nodiscard]] int stages() const { return static_cast<int>(a.size()); }
};

/// LSRK(5,4), Carpenter & Kennedy, NASA TM-109112 (1994). Exact rationals: the convergence test catches a mistyped one.
[[nodiscard]] const RungeKutta& lsrk54();

/// LSRK(14,4), Niegemann, Diehl & Busch, J. Comput. Phys. 231 (2012) 364-372, Table 3: stable far to the left of the
/// imaginary axis, where an upwind flux has its eigenvalues, and not far along it.
[[nodiscard]] const RungeKutta& lsrk144();

/// |R(z)| of a method's stability polynomial: the growth in one step of q' = (z / dt) q.
[[nodiscard]] double growth(const RungeKutta& method, std::complex<double> z);

/// All of them.
[[nodiscard]] std::span<const RungeKutta* const> runge_kutta_methods();
/// By the name a config uses; null when there is none.
[[nodiscard]] const RungeKutta* find_runge_kutta(const std::string& name);

}  // namespace maxwell_dg::dg
