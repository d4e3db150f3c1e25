#include "dg/time/runge_kutta.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

/// y' = f(t, y), y(0) = 1, in the 2N-storage form, up to t = 2.
template <typename F>
double integrate(const RungeKutta& method, const F& f, int steps) {
  const double dt = 2.0 / steps;
  double y = 1, residual = 0;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < method.a.size(); ++i) {
      residual = method.a[i] * residual + dt * f((step + method.c[i]) * dt, y);
      y += method.b[i] * residual;
    }
  }
  return y;
}

TEST(RungeKutta, lsrk54_is_of_order_4_where_time_enters_and_the_equation_bends) {
  const RungeKutta& method = lsrk54();
  // y' = cos(t) y + y^2 sin(t) / 4 has no simple solution; the finest run by far stands in for it.
  const auto f = [](double t, double y) { return std::cos(t) * y + 0.25 * y * y * std::sin(t); };
  const double exact = integrate(method, f, 4000);
  const double coarse = std::abs(integrate(method, f, 80) - exact), fine = std::abs(integrate(method, f, 160) - exact);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.25) << coarse << ", " << fine;
}

TEST(RungeKutta, lsrk54_reaches_the_exact_solution) {
  // y' = cos(t) y: y = exp(sin t). Self-convergence alone would not see a consistent error.
  const double y = integrate(
      lsrk54(), [](double t, double value) { return std::cos(t) * value; }, 200);
  EXPECT_NEAR(y, std::exp(std::sin(2.0)), 1e-9);
}

TEST(RungeKutta, stage_times_agree_with_the_stages) {
  // With f = 1 every stage stands at y = t: the abscissae follow from a and b.
  const RungeKutta& method = lsrk54();
  double t = 0, residual = 0;
  for (std::size_t i = 0; i < method.a.size(); ++i) {
    EXPECT_NEAR(method.c[i], t, 1e-12) << "stage " << i;
    residual = method.a[i] * residual + 1.0;
    t += method.b[i] * residual;
  }
  EXPECT_NEAR(t, 1.0, 1e-12);
}

}  // namespace
}  // namespace maxwell_dg::dg
