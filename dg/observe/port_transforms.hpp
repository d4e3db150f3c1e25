#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "dg/maxwell/port.hpp"
#include "dg/observe/transforms_in_turn.hpp"

namespace maxwell_dg::dg {

/// The ports that are driven, in the order of their turns.
[[nodiscard]] std::vector<std::size_t> driven_in_turn(const std::vector<maxwell::Port>& ports);

/// The signal that drives a port in its turn, of the one that drives all of them from time 0.
[[nodiscard]] symbolic::Expr in_turn_of(const maxwell::Port& port, const symbolic::Expr& voltage);

/// V and I at ports in the frequency domain, from the transforms of the fields on the ports' faces in each turn.
class PortTransforms {
 public:
  struct Options {
    std::vector<maxwell::Port> ports;  ///< all of them; each that is driven has an equal share of the run
    std::vector<double> frequencies;
    FourierSampling sampling;
    symbolic::Expr voltage;    ///< the incident voltage of the driven port, as in port_terms
    std::string name;          ///< in archives
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// For Maxwell's equations, with a driven port. The operator must outlive it.
  PortTransforms(const Operator& op, Options options);

  void observe(const Moment& now) { transforms_.observe(now); }
  void save(Archive& archive) const { transforms_.save(archive); }
  void complete() { transforms_.complete(); }
  [[nodiscard]] bool is_complete() const { return transforms_.is_complete(); }

  [[nodiscard]] const std::vector<maxwell::Port>& ports() const { return options_.ports; }
  [[nodiscard]] const std::vector<double>& frequencies() const { return options_.frequencies; }
  [[nodiscard]] const std::vector<std::size_t>& driven() const { return driven_; }  ///< in the order of turns

  /// [port, turn] of one frequency, over the voltage that drives the ports (maxwell::modal_amplitudes), and the power
  /// that the films of lumped ports take beside them (maxwell::power_of_unevenness); on the first rank, zero on others.
  /// Collective.
  struct Amplitudes {
    Eigen::MatrixXcd V, I;
    Eigen::MatrixXd uneven;
  };
  [[nodiscard]] Amplitudes amplitudes(const Operator& op, std::size_t frequency) const;

 private:
  [[nodiscard]] TransformsInTurn::Options of_faces() const;

  Options options_;
  std::vector<std::size_t> driven_;
  TransformsInTurn transforms_;
};

}  // namespace maxwell_dg::dg
