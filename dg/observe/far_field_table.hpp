#pragma once

#include <string>
#include <vector>

#include "dg/maxwell/far_field.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/running_transform.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// What is sent far away, over the amplitude of what drives it: the traces of the fields on a closed surface are
/// transformed while the run goes on, and at its end each frequency and direction is a row. Driven by a plane wave,
///
///   frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im
///
/// E_theta, E_phi: r exp(+j k r) E over the incident amplitude, in metres (see maxwell::far_field). rcs = 4 pi |E|^2 of
/// both, in square metres; rcs_dbsm = 10 log10 of it. Driven by another source, `directivity,directivity_dbi` stand in
/// their place: |E|^2 over its mean over all directions; and E is over the source's amplitude. A run that ends early
/// leaves the table without rows, with a warning.
class FarFieldTable final : public Observer {
 public:
  enum class Of { scatterer, antenna };
  struct Options {
    Sink& sink;
    Of of = Of::scatterer;
    std::vector<ElementFace> faces;  ///< see enclosing_surface
    std::vector<double> frequencies;
    double frequency_factor = 1;             ///< to the unit of the file
    std::vector<double> theta_deg, phi_deg;  ///< every theta for every phi
    FourierSampling sampling;
    symbolic::Expr reference;  ///< the wave's electric field at the origin, or the source's amplitude; of time
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// For Maxwell's equations. The operator must outlive the observer. The table is begun by `finish`, which throws
  /// OutputError: what an earlier run left stays until then.
  FarFieldTable(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// Of the table: "rcs" or "radiation".
  [[nodiscard]] std::string name() const { return options_.of == Of::scatterer ? "rcs" : "radiation"; }
  /// Of an antenna, [frequency], over the amplitude squared, in the solver's units; empty before the end.
  [[nodiscard]] const std::vector<double>& radiated_power() const { return radiated_power_; }

 private:
  Options options_;
  RunningTransform transform_;
  std::vector<double> radiated_power_;
};

}  // namespace maxwell_dg::dg
