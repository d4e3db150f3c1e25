#include "dg/time/runge_kutta.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "dg/time/stable_step.hpp"

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

class EachMethod : public ::testing::TestWithParam<std::string> {
 protected:
  const RungeKutta& method_ = *find_runge_kutta(GetParam());
};

/// The method as a Butcher tableau: A[i][j] and weights, that stage values and the step take from the slopes.
struct Butcher {
  std::vector<std::vector<double>> A;
  std::vector<double> weights;
};

Butcher butcher(const RungeKutta& method) {
  const std::size_t s = method.a.size();
  Butcher tableau{.A = {}, .weights = std::vector<double>(s, 0.0)};
  std::vector<double> residual(s, 0.0);
  for (std::size_t i = 0; i < s; ++i) {
    tableau.A.push_back(tableau.weights);
    for (double& r : residual) r *= method.a[i];
    residual[i] += 1.0;
    for (std::size_t j = 0; j < s; ++j) tableau.weights[j] += method.b[i] * residual[j];
  }
  return tableau;
}

TEST_P(EachMethod, meets_the_eight_conditions_of_order_4) {
  // One for each rooted tree of up to four nodes (Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I,
  // section II.2).
  const Butcher tableau = butcher(method_);
  const std::vector<double>& b = tableau.weights;
  const std::vector<double>& c = method_.c;
  using Vector = std::vector<double>;
  const auto dot = [](const Vector& x, const Vector& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  const auto times = [&](const Vector& x) {
    Vector y;
    for (const Vector& row : tableau.A) y.push_back(dot(row, x));
    return y;
  };
  const auto by_node = [](Vector x, const Vector& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= y[i];
    return x;
  };
  const Vector one(c.size(), 1.0), c2 = by_node(c, c), c3 = by_node(c2, c);
  constexpr double rounding = 1e-13;
  EXPECT_NEAR(dot(b, one), 1.0, rounding);
  EXPECT_NEAR(dot(b, c), 1.0 / 2, rounding);
  EXPECT_NEAR(dot(b, c2), 1.0 / 3, rounding);
  EXPECT_NEAR(dot(b, times(c)), 1.0 / 6, rounding);
  EXPECT_NEAR(dot(b, c3), 1.0 / 4, rounding);
  EXPECT_NEAR(dot(b, by_node(c, times(c))), 1.0 / 8, rounding);
  EXPECT_NEAR(dot(b, times(c2)), 1.0 / 12, rounding);
  EXPECT_NEAR(dot(b, times(times(c))), 1.0 / 24, rounding);
  EXPECT_EQ(method_.order, 4);
}

TEST_P(EachMethod, is_of_order_4_where_time_enters_and_the_equation_bends) {
  const RungeKutta& method = method_;
  // y' = cos(t) y + y^2 sin(t) / 4 has no simple solution; the finest run by far stands in for it.
  const auto f = [](double t, double y) { return std::cos(t) * y + 0.25 * y * y * std::sin(t); };
  const int steps = 400 / method.stages();
  const double exact = integrate(method, f, 50 * steps);
  const double coarse = std::abs(integrate(method, f, steps) - exact);
  const double fine = std::abs(integrate(method, f, 2 * steps) - exact);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.25) << coarse << ", " << fine;
}

TEST_P(EachMethod, reaches_the_exact_solution) {
  // y' = cos(t) y: y = exp(sin t). Self-convergence alone would not see a consistent error.
  const double y = integrate(
      method_, [](double t, double value) { return std::cos(t) * value; }, 200);
  EXPECT_NEAR(y, std::exp(std::sin(2.0)), 1e-9);
}

TEST_P(EachMethod, stage_times_agree_with_the_stages) {
  // With f = 1 every stage stands at y = t: the abscissae follow from a and b.
  const RungeKutta& method = method_;
  double t = 0, residual = 0;
  for (std::size_t i = 0; i < method.a.size(); ++i) {
    EXPECT_NEAR(method.c[i], t, 1e-12) << "stage " << i;
    residual = method.a[i] * residual + 1.0;
    t += method.b[i] * residual;
  }
  EXPECT_NEAR(t, 1.0, 1e-12);
}

TEST_P(EachMethod, stays_stable_when_losses_move_eigenvalues_left) {
  // stable_step divides the step's reach between waves and losses: whatever of the stability region is drawn together
  // towards a point of the real axis, 0.86 of its extent away, must stay inside.
  const RungeKutta& method = method_;
  const double losses = 0.86 * real_extent(method);
  EXPECT_LT(growth(method, -losses), 1.0);
  for (double angle = 0.5 * std::numbers::pi; angle <= std::numbers::pi; angle += 0.01) {
    double radius = 0.01;
    while (growth(method, std::polar(radius + 0.01, angle)) <= 1.0) radius += 0.01;
    const std::complex<double> edge = 0.95 * std::polar(radius, angle);
    for (double share = 0.0; share <= 1.0; share += 0.05) {
      EXPECT_LT(growth(method, (1 - share) * edge - share * losses), 1.0 + 1e-12) << edge << ", share " << share;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RungeKutta, EachMethod, ::testing::Values("lsrk54", "lsrk144"),
                         [](const auto& method) { return method.param; });

TEST(RungeKutta, regions_of_stability_are_the_published_ones) {
  // Carpenter & Kennedy (1994) give 3.34 on the imaginary axis; Niegemann, Diehl & Busch (2012) made theirs for spectra
  // that lean far to the left.
  const auto reach = [](const RungeKutta& method, std::complex<double> direction) {
    double r = 0.5;
    while (growth(method, (r + 1e-3) * direction) <= 1.0) r += 1e-3;
    return r;
  };
  EXPECT_NEAR(reach(lsrk54(), {0, 1}), 3.34, 0.01);
  EXPECT_NEAR(reach(lsrk54(), {-1, 0}), 4.65, 0.01);
  EXPECT_NEAR(reach(lsrk144(), {0, 1}), 6.08, 0.01);
  EXPECT_NEAR(reach(lsrk144(), {-1, 0}), 18.52, 0.01);
}

TEST(DefaultMethod, is_the_cheaper_one_by_order_and_flux) {
  const auto cost = [](int N, double alpha, const RungeKutta& method) {
    return method.stages() / stability_number(N, alpha, method);
  };
  for (int N = 1; N <= 9; ++N) {
    EXPECT_EQ(&default_method(N, 1.0), N <= 6 ? &lsrk144() : &lsrk54()) << N;
    EXPECT_EQ(&default_method(N, 0.0), &lsrk54()) << N;
    EXPECT_EQ(&default_method(N, std::nullopt), &lsrk54()) << "an unknown flux may be central";
    EXPECT_GT(cost(N, 1.0, lsrk54()), 1.25 * cost(N, 1.0, lsrk144())) << N;
    EXPECT_GT(cost(N, 0.0, lsrk144()), cost(N, 0.0, lsrk54())) << N;
    for (const RungeKutta* method : runge_kutta_methods()) {
      EXPECT_LE(stability_number(N, std::nullopt, *method), stability_number(N, 0.3, *method));
      EXPECT_EQ(stability_number(N, 0.3, *method),
                std::min(stability_number(N, 0.0, *method), stability_number(N, 0.5, *method)));
    }
  }
  EXPECT_THROW((void)stability_number(3, 1.0, {.name = "euler", .order = 1, .a = {0}, .b = {1}, .c = {0}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace maxwell_dg::dg
