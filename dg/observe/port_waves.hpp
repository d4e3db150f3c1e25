#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include "dg/maxwell/port.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/files/touchstone.hpp"
#include "dg/observe/running_transform.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// The waves of ports' modes, of power |a|^2 in and |b|^2 out:
///
///   a = (V + Z I) / (2 sqrt Z),  b = (V - Z I) / (2 sqrt Z),  Z the mode's impedance at each frequency,
///
/// (Kurokawa, IEEE Trans. Microwave Theory Tech. 13, 1965), from running transforms of the fields on the ports' faces.
/// Ports are driven one after the other, each for an equal share of the run. At its end `port_waves.csv` has
///
///   frequency,driven,port,a_re,a_im,b_re,b_im,impedance
///
/// over the wave that comes in at the driven port, ports counted from 1; and where every port has been driven,
/// `s_parameters.sNp` has S with b = S a in all these experiments: what ports themselves reflect is taken into account.
/// A run that ends early leaves port_waves.csv without rows and writes no other, with a warning.
class PortWaves final : public Observer {
 public:
  struct Options {
    Sink& sink;
    std::vector<maxwell::Port> ports;       ///< those that are driven, by equal shares of the run
    std::vector<std::string> descriptions;  ///< [port] for people
    std::vector<double> frequencies;        ///< above every cut-off
    std::vector<double> names;              ///< [frequency] as the files have it
    FourierSampling sampling;
    symbolic::Expr voltage;       ///< as port_term has it
    double impedance_factor = 1;  ///< to ohm
    const Archive* resumed{};     ///< what was saved, of a run that goes on; read at once
  };

  /// For Maxwell's equations. The operator must outlive it. The table is begun by `finish`, which throws OutputError:
  /// what an earlier run left stays until then.
  PortWaves(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }  ///< names of those written
  /// Nothing before the end, and where not every port was driven.
  [[nodiscard]] const std::optional<Network>& network() const { return network_; }

 private:
  [[nodiscard]] std::vector<ElementFace> faces() const;
  /// [port, driven] of one frequency.
  struct Waves {
    Eigen::MatrixXcd a, b;
  };
  [[nodiscard]] Waves waves(const Discretization& discretization, std::size_t frequency) const;
  [[nodiscard]] Network network_of(std::vector<Eigen::MatrixXcd> S) const;

  Options options_;
  std::vector<std::size_t> driven_;           ///< ports, in the order of their turns
  std::vector<RunningTransform> transforms_;  ///< [turn]
  std::vector<std::string> files_;
  std::optional<Network> network_;
};

}  // namespace maxwell_dg::dg
