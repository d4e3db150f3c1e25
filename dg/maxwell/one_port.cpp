#include "dg/maxwell/one_port.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

#include "dg/symbolic/oscillation.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

using Complex = std::complex<double>;

OnePort without_states(OnePort::Input input, double D) {
  return {.input = input, .A = Eigen::MatrixXd(0, 0), .B = Eigen::VectorXd(0), .C = Eigen::RowVectorXd(0), .D = D};
}

OnePort with_states(OnePort::Input input, int count) {
  return {.input = input,
          .A = Eigen::MatrixXd::Zero(count, count),
          .B = Eigen::VectorXd::Zero(count),
          .C = Eigen::RowVectorXd::Zero(count)};
}

/// y over u of exp(s t); and how large the sum's parts are, of which rounding leaves a share.
struct OutputOverInput {
  Complex value;
  double parts{};
};
OutputOverInput output_over_input(const OnePort& circuit, Complex s) {
  if (circuit.states() == 0) return {circuit.D, std::abs(circuit.D)};
  const Eigen::MatrixXcd matrix =
      s * Eigen::MatrixXcd::Identity(circuit.states(), circuit.states()) - circuit.A.cast<Complex>();
  const Eigen::VectorXcd x = matrix.partialPivLu().solve(circuit.B.cast<Complex>());
  return {circuit.D + (circuit.C.cast<Complex>() * x)(0), std::abs(circuit.D) + circuit.C.norm() * x.norm()};
}

/// An inductance (or, with current and voltage exchanged, a capacitance) as the first of two states: what drives it is
/// the input less `loss` times its own output and less the other state's.
OnePort storing(OnePort::Input input, double storage, double loss, std::optional<double> other) {
  OnePort circuit = with_states(input, other ? 2 : 1);
  const double root = std::sqrt(storage);
  circuit.A(0, 0) = -loss / storage;
  circuit.B(0) = circuit.C(0) = 1 / root;
  if (other) {
    circuit.A(0, 1) = -1 / (root * std::sqrt(*other));
    circuit.A(1, 0) = -circuit.A(0, 1);
  }
  return circuit;
}

/// A single state beside, or in series with, a loss: the output is that of both.
OnePort storing_beside(OnePort::Input input, double storage, double loss) {
  OnePort circuit = storing(input, storage, 0, std::nullopt);
  circuit.D = loss;
  return circuit;
}

/// The frequencies where the real part of y over u may vanish.
std::vector<double> changes_of_sign(const OnePort& circuit) {
  const int n = circuit.states(), size = 2 * n + 1;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size), N = Eigen::MatrixXd::Zero(size, size);
  M.topLeftCorner(n, n) = circuit.A;
  M.block(n, n, n, n) = -circuit.A.transpose();
  M.block(0, 2 * n, n, 1) = circuit.B;
  M.block(n, 2 * n, n, 1) = -circuit.C.transpose();
  M.block(2 * n, 0, 1, n) = circuit.C;
  M.block(2 * n, n, 1, n) = circuit.B.transpose();
  M(2 * n, 2 * n) = 2 * circuit.D;
  N.topLeftCorner(2 * n, 2 * n).setIdentity();
  const Eigen::GeneralizedEigenSolver<Eigen::MatrixXd> solver(M, N, false);
  std::vector<double> frequencies;
  if (solver.info() != Eigen::Success) return frequencies;
  for (Eigen::Index i = 0; i < size; ++i) {
    const Complex s = solver.alphas()(i) / solver.betas()(i);
    if (std::isfinite(s.real()) && std::isfinite(s.imag())) frequencies.push_back(std::abs(s.imag()));
  }
  return frequencies;
}

}  // namespace

Complex OnePort::admittance(Complex s) const {
  const Complex y = output_over_input(*this, s).value;
  return input == Input::voltage ? y : 1.0 / y;
}

OnePort OnePort::times(double factor) const {
  const double of_output = input == Input::voltage ? factor : 1 / factor, root = std::sqrt(of_output);
  return {.input = input, .A = A, .B = root * B, .C = root * C, .D = of_output * D};
}

OnePort OnePort::beside(double Y) const {
  OnePort both{.input = Input::current, .A = A, .B = B, .C = C};
  if (input == Input::voltage) {  // u = (g - C x) / (Y + D)
    both.D = 1 / (Y + D);
    both.A -= both.D * B * C;
    both.B *= both.D;
    both.C *= -both.D;
  } else {  // u = g - Y y, y = (C x + D g) / (1 + D Y)
    const double share = 1 / (1 + D * Y);
    both.A -= Y * share * B * C;
    both.B *= share;
    both.C *= share;
    both.D = D * share;
  }
  return both;
}

double OnePort::fastest_rate() const {
  if (states() == 0) return 0.0;
  const Eigen::VectorXcd rates = A.eigenvalues();
  return (rates.real().cwiseAbs() + weight_of_oscillation * rates.imag().cwiseAbs()).maxCoeff();
}

OnePort in_series(const Rlc& parts) {
  const double R = parts.resistance.value_or(0.0);
  if (parts.inductance) return storing(OnePort::Input::voltage, *parts.inductance, R, parts.capacitance);
  if (parts.capacitance) return storing_beside(OnePort::Input::current, *parts.capacitance, R);
  if (R > 0) return without_states(OnePort::Input::current, R);
  throw std::invalid_argument("is a short circuit: it has no resistance, inductance or capacitance");
}

OnePort in_parallel(const Rlc& parts) {
  if (parts.resistance && *parts.resistance == 0) {
    throw std::invalid_argument("is a short circuit: its resistance is zero, in parallel with the rest");
  }
  const double G = parts.resistance ? 1 / *parts.resistance : 0.0;
  if (parts.capacitance) return storing(OnePort::Input::current, *parts.capacitance, G, parts.inductance);
  if (parts.inductance) return storing_beside(OnePort::Input::voltage, *parts.inductance, G);
  if (G > 0) return without_states(OnePort::Input::voltage, G);
  throw std::invalid_argument("carries no current: it has no resistance, inductance or capacitance");
}

std::optional<ActiveAt> find_active(const OnePort& circuit) {
  constexpr double rounding = 1e-6;  // of the modulus; poles that are hardly damped magnify it
  const int n = circuit.states();
  if (n == 0) return circuit.D < 0 ? std::optional(ActiveAt{.response = circuit.D}) : std::nullopt;
  const Eigen::VectorXcd poles = circuit.A.eigenvalues();
  const double largest = circuit.A.norm() > 0 ? circuit.A.norm() : 1.0;  // of an integrator all frequencies are alike
  constexpr double of_pole = 1e-7;  // a double pole's eigenvalues are off by the root of rounding
  for (const Complex& pole : poles) {
    if (pole.real() <= of_pole * largest) continue;
    return ActiveAt{.angular_frequency = std::abs(pole.imag()),
                    .response = output_over_input(circuit, {0.0, std::abs(pole.imag())}).value,
                    .is_unstable = true};
  }
  std::optional<ActiveAt> worst;
  double worst_share = -rounding;
  const auto look_at = [&](Complex s) {
    const auto [y, parts] = output_over_input(circuit, s);
    if (!std::isfinite(std::abs(y)) || y.real() >= -1e-12 * parts) return;
    if (y.real() / std::abs(y) >= worst_share) return;
    worst_share = y.real() / std::abs(y);
    worst = ActiveAt{.angular_frequency = std::abs(s.imag()), .response = y};
  };
  std::vector<double> frequencies = changes_of_sign(circuit);
  for (const Complex& pole : poles) {
    frequencies.push_back(std::abs(pole.imag()));
    frequencies.push_back(std::abs(pole));
  }
  for (int i = -80; i <= 80; ++i) frequencies.push_back(largest * std::pow(10.0, 0.05 * i));
  frequencies.push_back(0.0);
  std::ranges::sort(frequencies);
  const auto is_at_pole = [&](double frequency) {
    return std::ranges::any_of(
        poles, [&](const Complex& pole) { return std::abs(Complex(0.0, frequency) - pole) < 1e-5 * largest; });
  };
  for (std::size_t i = 0; i + 1 < frequencies.size(); ++i) {
    const double middle = (frequencies[i] + frequencies[i + 1]) / 2;
    if (!is_at_pole(middle)) look_at({0.0, middle});
  }
  look_at({0.0, 1.5 * frequencies.back()});
  if (!is_at_pole(0)) look_at(0.0);
  // Around poles on the imaginary axis, on the side where waves grow: residues must be positive.
  for (const Complex& pole : poles) {
    if (std::abs(pole.real()) > of_pole * largest) continue;
    for (const double distance : {1e-5, 1e-4, 1e-3, 1e-2}) {
      for (const double angle : {-1.5, -0.7, 0.0, 0.7, 1.5}) {
        look_at(Complex(0.0, pole.imag()) + std::polar(distance * largest, angle));
      }
    }
  }
  return worst;
}

}  // namespace maxwell_dg::dg::maxwell
