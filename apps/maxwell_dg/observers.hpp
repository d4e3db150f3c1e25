#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/maxwell_dg/plan.hpp"
#include "apps/maxwell_dg/progress.hpp"
#include "dg/observe/checkpoints.hpp"
#include "dg/observe/energy.hpp"
#include "dg/observe/energy_balance.hpp"
#include "dg/observe/far_field_table.hpp"
#include "dg/observe/field_series.hpp"
#include "dg/observe/frequency_fields.hpp"
#include "dg/observe/health_check.hpp"
#include "dg/observe/port_waves.hpp"
#include "dg/observe/probes.hpp"
#include "dg/observe/surface_series.hpp"

namespace maxwell_dg {

/// Everything that a config wants to know of a run, as one listener.
class Observers final : public dg::Observer {
 public:
  /// The operator holds the initial state. `resumed`: what the observers of a run that goes on have saved. Throws
  /// OutputError.
  Observers(const Plan& plan, const dg::Operator& op, bool quiet, const dg::Archive* resumed = nullptr);

  void observe(dg::Operator& op, const dg::Moment& now) override;
  void finish(dg::Operator& op, const dg::Moment& now) override;

  [[nodiscard]] const dg::Moment& now() const { return now_; }
  [[nodiscard]] const dg::EnergyHistory& energy() const { return energy_; }
  /// Of a far field without a plane wave, [frequency of outputs.far_field], inside; else empty.
  [[nodiscard]] std::vector<double> radiated_power() const {
    return far_field_ ? far_field_->radiated_power() : std::vector<double>{};
  }
  /// "fields.pvd (21 snapshots)", "probes.csv" ...
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  dg::EnergyHistory energy_;
  dg::HealthCheck health_;
  std::optional<dg::EnergyBalance> balance_;
  std::optional<dg::Probes> probes_;
  std::optional<dg::FieldSeries> fields_;
  std::optional<dg::SurfaceSeries> surface_fields_;
  std::optional<dg::FrequencyFields> frequency_fields_;
  std::optional<dg::FarFieldTable> far_field_;
  std::optional<dg::PortWaves> port_waves_;
  std::optional<Progress> progress_;
  std::vector<dg::Observer*> all_;
  std::optional<dg::Checkpoints> checkpoints_;
  bool failed_ = false;  ///< an observer has: the state may not be worth saving
  dg::Moment now_;
};

}  // namespace maxwell_dg
