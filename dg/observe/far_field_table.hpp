#pragma once

#include <string>
#include <vector>

#include "dg/maxwell/far_field.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/running_transform.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// The far field over the amplitude of the source. During a run the traces of the fields on a closed surface are
/// Fourier transformed; at its end a table gets a row for each frequency and direction. If a plane wave drives the run,
/// the columns are
///
///   frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im
///
/// E_theta and E_phi are r exp(+j k r) E over the incident amplitude, in metres (see maxwell::far_field). rcs = 4 pi
/// (|E_theta|^2 + |E_phi|^2), in square metres; rcs_dbsm = 10 log10(rcs). If another source drives the run,
/// `directivity,directivity_dbi` replace these two columns: |E|^2 over its mean over all directions; and E_theta and
/// E_phi are over the source's amplitude. A run that ends early has no such table, and logs a warning.
class FarFieldTable final : public Observer {
 public:
  enum class Of { scatterer, antenna };
  struct Options {
    Sink& sink;
    Of of = Of::scatterer;
    std::vector<ElementFace> faces;  ///< see enclosing_surface
    maxwell::Surroundings around{};
    std::vector<double> frequencies;
    double frequency_factor = 1;             ///< from the solver's unit to that of the file
    std::vector<double> theta_deg, phi_deg;  ///< directions: every theta with every phi
    FourierSampling sampling;
    symbolic::Expr reference;  ///< the wave's electric field at the origin, or the source's amplitude; of time
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// For Maxwell's equations. The operator must outlive the observer. `finish` begins the table (and throws
  /// OutputError); until then the table of an earlier run stays.
  FarFieldTable(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  /// Nothing would follow of what is transformed: the run ends early because the fields have died away.
  void complete() { transform_.complete(); }
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }  ///< the names of the files so far
  /// The name of the table: "rcs" or "radiation".
  [[nodiscard]] std::string name() const { return options_.of == Of::scatterer ? "rcs" : "radiation"; }
  /// [frequency] an antenna's radiated power over the square of the source's amplitude, in the solver's units; empty
  /// before the end.
  [[nodiscard]] const std::vector<double>& radiated_power() const { return radiated_power_; }

 private:
  Options options_;
  RunningTransform transform_;
  std::vector<std::string> files_;
  std::vector<double> radiated_power_;
};

}  // namespace maxwell_dg::dg
