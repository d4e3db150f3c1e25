#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dg/maxwell/far_field.hpp"
#include "dg/observe/csv_file.hpp"
#include "dg/observe/running_transform.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// What a scatterer sends far away, over the plane wave that drives it: the traces of the fields on a closed surface
/// are transformed while the run goes on, and at its end each frequency and direction is a row of
///
///   frequency,theta_deg,phi_deg,rcs,rcs_dbsm,E_theta_re,E_theta_im,E_phi_re,E_phi_im
///
/// E_theta, E_phi: r exp(+j k r) E over the incident amplitude, in metres (see maxwell::far_field). rcs = 4 pi |E|^2 of
/// both, in square metres; rcs_dbsm = 10 log10 of it. A run that ends early leaves the file without rows, with a
/// warning.
class RadarCrossSection final : public Observer {
 public:
  struct Options {
    std::filesystem::path file;
    std::vector<ElementFace> faces;  ///< see enclosing_surface
    std::vector<double> frequencies;
    double frequency_factor = 1;             ///< to the unit of the file
    std::vector<double> theta_deg, phi_deg;  ///< every theta for every phi
    FourierSampling sampling;
    symbolic::Expr incident;   ///< the wave's electric field at the origin, of time
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// For Maxwell's equations. The operator must outlive the observer. Throws OutputError.
  RadarCrossSection(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

 private:
  Options options_;
  RunningTransform transform_;
  CsvFile file_;
};

}  // namespace maxwell_dg::dg
