#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "dg/maxwell/port.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/files/touchstone.hpp"
#include "dg/observe/port_transforms.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// The waves of ports' modes, with power |a|^2 into the domain and |b|^2 out of it:
///
///   a = (V + Z I) / (2 sqrt Z),  b = (V - Z I) / (2 sqrt Z),  Z the mode's impedance at each frequency,
///
/// (Kurokawa, IEEE Trans. Microwave Theory Tech. 13, 1965), from running transforms of the fields on the ports' faces.
/// Ports are driven one after the other, each for an equal share of the run. At its end `port_waves.csv` has
///
///   frequency,driven,port,a_re,a_im,b_re,b_im,impedance
///
/// where a and b are relative to the incoming wave at the driven port, ports are counted from 1, and the impedance is
/// the port's, to which S refers (PortMode::reference_impedance): of lumped ports and TEM not Z, though b over a is the
/// same. If every port has been driven, `s_parameters.sNp` has the matrix S for which b = S a holds in all turns; so
/// reflections by the ports themselves are taken into account. S may have other reference planes and impedances than
/// the waves. A run that ends early, and not because the fields have died away, writes neither, and logs a warning.
class PortWaves final : public Observer {
 public:
  struct Options {
    Sink& sink;
    std::vector<maxwell::Port> ports;       ///< all of them; each that is driven has an equal share of the run
    std::vector<std::string> descriptions;  ///< [port] for the comments of files
    std::vector<double> frequencies;        ///< above the cut-off of every port
    std::vector<double> names;              ///< [frequency] in the unit of files
    FourierSampling sampling;
    symbolic::Expr voltage;       ///< the incident voltage of the driven port, as in port_terms
    double impedance_factor = 1;  ///< from the solver's unit to ohm
    /// Of the scattering parameters, relative to Z_0: of all ports, each of which has a line impedance. None: of each
    /// port its mode's.
    std::optional<double> reference{};
    std::vector<double> planes{};  ///< [port] how far into the guide the reference plane lies; empty: at its end
    const Archive* resumed{};      ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// For Maxwell's equations. The operator must outlive the observer. `finish` begins the table (and throws
  /// OutputError); until then the table of an earlier run stays.
  PortWaves(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  /// Nothing would follow of what is transformed: the run ends early because the fields have died away.
  void complete() { transforms_.complete(); }
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }  ///< the names of the files so far
  /// The scattering parameters, on the first rank; none before the end, or if a port was not driven.
  [[nodiscard]] const std::optional<Network>& network() const { return network_; }

 private:
  /// [port, driven] of one frequency; on the first rank.
  struct Waves {
    Eigen::MatrixXcd a, b;
  };
  [[nodiscard]] Waves waves(const Operator& op, std::size_t frequency) const;
  [[nodiscard]] Network network_of(std::vector<Eigen::MatrixXcd> S) const;
  /// S of one frequency with the reference planes and impedances that are asked for.
  [[nodiscard]] Eigen::MatrixXcd as_asked(Eigen::MatrixXcd S, double frequency) const;

  Options options_;
  PortTransforms transforms_;
  std::vector<std::string> files_;
  std::optional<Network> network_;
};

}  // namespace maxwell_dg::dg
