#pragma once

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

/// By the name a config uses; null when there is none.
[[nodiscard]] const RungeKutta* find_runge_kutta(const std::string& name);

}  // namespace maxwell_dg::dg
