#pragma once

#include <complex>
#include <optional>

#include <Eigen/Core>

namespace maxwell_dg::dg::maxwell {

/// A linear circuit between two terminals, with states x:
///
///   dx/dt = A x + B u,   y = C x + D u,
///
/// where u is the voltage across it and y the current through it, or the other way round. Units are any consistent set:
/// inside, admittances are relative to 1/Z_0 and times are lengths c_0 t.
struct OnePort {
  enum class Input { voltage, current };
  Input input{Input::voltage};
  Eigen::MatrixXd A;     ///< [state, state]
  Eigen::VectorXd B;     ///< [state]
  Eigen::RowVectorXd C;  ///< [state]
  double D{};

  [[nodiscard]] int states() const { return static_cast<int>(A.rows()); }
  /// Current over voltage of exp(s t).
  [[nodiscard]] std::complex<double> admittance(std::complex<double> s) const;
  /// The circuit whose admittance is this one's times `factor`, above 0.
  [[nodiscard]] OnePort times(double factor) const;
  /// With an admittance Y > 0 beside it: the states are driven by the current into both, and y is the voltage.
  [[nodiscard]] OnePort beside(double Y) const;
  /// What the states ask of a time step, as a rate of decay (FaceTerm::fastest_rate): the largest of an eigenvalue of
  /// A, in which a rate of oscillation counts weight_of_oscillation times. 0 without states.
  [[nodiscard]] double fastest_rate() const;
};

/// A resistance, an inductance and a capacitance, those that there are: above 0, a resistance at least 0.
struct Rlc {
  std::optional<double> resistance{}, inductance{}, capacitance{};
};
/// States are roots of twice the energies: sqrt(L) times the current in the inductance, and charge over sqrt(C). In
/// series what is left out is a short, in parallel an open end. Throws std::invalid_argument where nothing is left that
/// limits the current (in series), or that carries it (in parallel).
[[nodiscard]] OnePort in_series(const Rlc& parts);
[[nodiscard]] OnePort in_parallel(const Rlc& parts);

/// Where a circuit could give energy.
struct ActiveAt {
  double angular_frequency{};
  std::complex<double> response{};  ///< y over u there
  bool is_unstable{};               ///< because a state grows by itself; else because the real part is negative
};
/// Whether y over u is not positive real, up to rounding: a passive circuit's is, and that it is suffices for a film of
/// such circuits to take as much energy as it has given back, or more (docs/theory.md, Lumped elements). The real part
/// is looked at between the frequencies where it vanishes, which are eigenvalues of a Hamiltonian pencil
/// (Grivet-Talocia & Gustavsen, Passive Macromodeling, 2016), and next to poles on the imaginary axis.
[[nodiscard]] std::optional<ActiveAt> find_active(const OnePort& circuit);

}  // namespace maxwell_dg::dg::maxwell
