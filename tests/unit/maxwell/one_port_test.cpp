#include "dg/maxwell/one_port.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace maxwell_dg::dg::maxwell {
namespace {

using Complex = std::complex<double>;

constexpr double R = 1.7, L = 0.6, C = 0.4;
const std::vector<Complex> points{{0, 0.3}, {0, 2.1}, {0.4, 1.0}, {0.2, 0}};

void expect_admittance(const OnePort& circuit, const std::function<Complex(Complex s)>& expected) {
  for (const Complex s : points) {
    EXPECT_LT(std::abs(circuit.admittance(s) - expected(s)), 1e-12 * std::abs(expected(s))) << s;
    // With a load beside it, driven by a current.
    const double Y = 0.9;
    EXPECT_LT(std::abs(circuit.beside(Y).admittance(s) - (expected(s) + Y)), 1e-12 * std::abs(expected(s) + Y)) << s;
    EXPECT_LT(std::abs(circuit.times(3.5).admittance(s) - 3.5 * expected(s)), 1e-11 * std::abs(expected(s))) << s;
  }
  EXPECT_FALSE(find_active(circuit));
  EXPECT_FALSE(find_active(circuit.beside(0.3)));
}

TEST(OnePort, is_any_circuit_in_series) {
  expect_admittance(in_series({.resistance = R}), [](Complex) { return 1 / R; });
  expect_admittance(in_series({.inductance = L}), [](Complex s) { return 1.0 / (s * L); });
  expect_admittance(in_series({.capacitance = C}), [](Complex s) { return s * C; });
  expect_admittance(in_series({.resistance = R, .inductance = L}), [](Complex s) { return 1.0 / (R + s * L); });
  expect_admittance(in_series({.resistance = R, .capacitance = C}),
                    [](Complex s) { return 1.0 / (R + 1.0 / (s * C)); });
  expect_admittance(in_series({.inductance = L, .capacitance = C}),
                    [](Complex s) { return 1.0 / (s * L + 1.0 / (s * C)); });
  expect_admittance(in_series({.resistance = R, .inductance = L, .capacitance = C}),
                    [](Complex s) { return 1.0 / (R + s * L + 1.0 / (s * C)); });
  EXPECT_THROW(static_cast<void>(in_series({})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(in_series({.resistance = 0})), std::invalid_argument);
}

TEST(OnePort, is_any_circuit_in_parallel) {
  expect_admittance(in_parallel({.resistance = R}), [](Complex) { return 1 / R; });
  expect_admittance(in_parallel({.inductance = L}), [](Complex s) { return 1.0 / (s * L); });
  expect_admittance(in_parallel({.capacitance = C}), [](Complex s) { return s * C; });
  expect_admittance(in_parallel({.resistance = R, .inductance = L}), [](Complex s) { return 1 / R + 1.0 / (s * L); });
  expect_admittance(in_parallel({.resistance = R, .capacitance = C}), [](Complex s) { return 1 / R + s * C; });
  expect_admittance(in_parallel({.inductance = L, .capacitance = C}), [](Complex s) { return s * C + 1.0 / (s * L); });
  expect_admittance(in_parallel({.resistance = R, .inductance = L, .capacitance = C}),
                    [](Complex s) { return 1 / R + 1.0 / (s * L) + s * C; });
  EXPECT_THROW(static_cast<void>(in_parallel({})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(in_parallel({.resistance = 0, .capacitance = C})), std::invalid_argument);
}

/// A passive network with states in random units: A = S - D with S skew and D at least zero, C = B^T before that.
OnePort random_network(int states, std::mt19937& random, double loss) {
  std::normal_distribution<double> value;
  const auto any = [&](int rows, int columns) {
    return Eigen::MatrixXd(Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return value(random); }));
  };
  const Eigen::MatrixXd S = any(states, states), losses = any(states, states), units = any(states, states);
  const Eigen::VectorXd B = any(states, 1);
  const Eigen::MatrixXd A = S - S.transpose() - loss * losses * losses.transpose();
  return {.A = units * A * units.inverse(), .B = units * B, .C = B.transpose() * units.inverse(), .D = loss};
}

TEST(OnePort, is_found_passive_where_it_is) {
  std::mt19937 random(3);
  for (int i = 0; i < 60; ++i) {
    const int states = 1 + i % 8;
    for (const double loss : {0.0, 0.01, 1.0}) {
      EXPECT_FALSE(find_active(random_network(states, random, loss))) << i << ", loss " << loss;
    }
  }
}

/// A resonance at 2 with a width of 0.05, whose conductance is `height` there, beside a resistor.
OnePort resonance(double height, double conductance) {
  const double width = 0.05;
  OnePort circuit{.A = Eigen::MatrixXd(2, 2), .B = Eigen::VectorXd(2), .C = Eigen::RowVectorXd(2), .D = conductance};
  circuit.A << -width, -2, 2, -width;
  circuit.B << 1, 0;
  circuit.C << 2 * height * width, 0;
  return circuit;
}

TEST(OnePort, is_found_active_in_a_narrow_band) {
  EXPECT_FALSE(find_active(resonance(0.5, 0.2)));
  EXPECT_FALSE(find_active(resonance(-0.19, 0.2)));
  const auto found = find_active(resonance(-0.21, 0.2));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->angular_frequency, 2, 0.03);
  EXPECT_LT(found->response.real(), 0);
  EXPECT_FALSE(found->is_unstable);
}

TEST(OnePort, is_found_active_where_the_imaginary_axis_does_not_show_it) {
  OnePort negative = in_series({.inductance = L});
  negative.C = -negative.C;  // -1/(s L): its real part vanishes on the axis
  EXPECT_TRUE(find_active(negative));
  OnePort resistor = in_series({.resistance = R});
  resistor.D = -R;
  EXPECT_TRUE(find_active(resistor));
  OnePort unstable = resonance(0.5, 0.2);
  unstable.A(0, 0) = unstable.A(1, 1) = 0.01;
  ASSERT_TRUE(find_active(unstable));
  EXPECT_TRUE(find_active(unstable)->is_unstable);
  EXPECT_NEAR(find_active(unstable)->angular_frequency, 2, 1e-6);
}

}  // namespace
}  // namespace maxwell_dg::dg::maxwell
