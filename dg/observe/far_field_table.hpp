#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dg/maxwell/antenna.hpp"
#include "dg/maxwell/far_field.hpp"
#include "dg/observe/antenna_figures.hpp"
#include "dg/observe/far_field_pattern.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/port_transforms.hpp"
#include "dg/observe/transforms_in_turn.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// The far field over the amplitude of the source. During a run the traces of the fields on a closed surface are
/// Fourier transformed; at its end a table gets a row for each frequency and direction. If a plane wave drives the run,
/// it is `rcs` with the columns
///
///   frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im
///
/// E_theta and E_phi are r exp(+j k r) E over the incident amplitude, in metres (see maxwell::RadiatingSurface). rcs =
/// 4 pi (|E_theta|^2 + |E_phi|^2), in square metres; rcs_dbsm = 10 log10(rcs). If another source drives the run, it is
/// `radiation`, `directivity,directivity_dbi` replace these two columns: |E|^2 over its mean over all directions; and
/// E_theta and E_phi are over the source's amplitude, or, of a current, which has none, the transform itself. Then
/// there is also `pattern`, the field by polarizations (FarFieldPattern), as gain if a port drives it, and `antenna`,
/// whose rows begin with `frequency` and, if ports drive it, `port`, counted from 1, and go on with antenna_figures. Of
/// several ports that are driven, `radiation_2` and `pattern_2` are of the second port in the config.
///
/// A run that ends early has no such tables, and logs a warning.
class FarFieldTable final : public Observer {
 public:
  enum class Of { scatterer, antenna };
  struct Options {
    Sink& sink;
    Of of = Of::scatterer;
    std::vector<ElementFace> faces;  ///< see enclosing_surface
    maxwell::Surroundings around{};
    std::vector<double> frequencies;
    double frequency_factor = 1;  ///< from the solver's unit to that of the file
    double field_factor = 1;      ///< the same of E_theta and E_phi
    AntennaUnits antenna_units{};
    std::vector<double> theta_deg, phi_deg;  ///< directions: every theta with every phi
    maxwell::PolarizationReference polarization{};
    std::optional<double> surface_step_deg{};  ///< of `pattern_000.vtp` ..., FarFieldPattern::vtp; none: no such files
    FourierSampling sampling;
    /// The wave's electric field at the origin, or the source's amplitude; of time. None: nothing is divided.
    std::optional<symbolic::Expr> reference;
    std::vector<maxwell::Port> ports{};  ///< if ports drive the run: all of them, driven by `reference`
    const Archive* resumed{};            ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// For Maxwell's equations. The operator must outlive the observer. `finish` begins the tables (and throws
  /// OutputError); until then those of an earlier run stay.
  FarFieldTable(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  /// Nothing would follow of what is transformed: the run ends early because the fields have died away.
  void complete();
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }  ///< the names of the files so far
  /// The name of the table: "rcs" or "radiation".
  [[nodiscard]] std::string name() const { return options_.of == Of::scatterer ? "rcs" : "radiation"; }
  /// The rows of `antenna` on the first rank, with frequencies in the unit of files. Empty before the end.
  [[nodiscard]] const std::vector<AntennaFigures>& antenna() const { return antenna_; }

 private:
  [[nodiscard]] TransformsInTurn::Options of_surface() const;
  [[nodiscard]] std::unique_ptr<Rows> begin_table(const std::string& name, std::vector<std::string> columns);
  void write_turn(const Operator& op, std::size_t turn);
  struct AtFrequency {
    FarFieldPattern pattern;
    double radiated;  ///< power
  };
  /// Adds a row to `antenna_`. Collective.
  [[nodiscard]] AtFrequency look_at_antenna(const Operator& op, const maxwell::RadiatingSurface& surface,
                                            std::size_t turn, std::size_t j);
  void write_antenna();
  [[nodiscard]] double frequency_in_file(std::size_t j) const;

  Options options_;
  TransformsInTurn transforms_;
  std::optional<PortTransforms> at_ports_;
  std::vector<std::string> files_;
  std::vector<AntennaFigures> antenna_;
};

}  // namespace maxwell_dg::dg
