#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/simulation/outputs/ending.hpp"
#include "apps/simulation/plan.hpp"
#include "dg/observe/checkpoints.hpp"
#include "dg/observe/element_signals.hpp"
#include "dg/observe/energy.hpp"
#include "dg/observe/energy_balance.hpp"
#include "dg/observe/far_field_table.hpp"
#include "dg/observe/field_series.hpp"
#include "dg/observe/frequency_fields.hpp"
#include "dg/observe/health_check.hpp"
#include "dg/observe/port_levels.hpp"
#include "dg/observe/port_waves.hpp"
#include "dg/observe/probe_levels.hpp"
#include "dg/observe/probes.hpp"
#include "dg/observe/surface_series.hpp"

namespace maxwell_dg::simulation {

/// After which steps outputs.fields or surface_fields are written.
[[nodiscard]] std::vector<long> snapshot_steps(const Plan& plan, const config::FieldOutput& fields);

/// Everything that a config wants to know of a run, as one listener.
class Observers final : public dg::Observer {
 public:
  /// The operator holds the initial state. `resumed`: what the observers of a run that goes on have saved. All must
  /// outlive them. Throws OutputError.
  Observers(const Plan& plan, const dg::Operator& op, dg::Sink& sink, const dg::Archive* resumed = nullptr);

  void observe(dg::Operator& op, const dg::Moment& now) override;
  void finish(dg::Operator& op, const dg::Moment& now) override;
  void flush(dg::Operator& op, const dg::Moment& now) override;
  /// Called before `finish` where a run ends before its last step because the fields have died away.
  void complete();
  /// Called after `observe`: brings energy_decay, port_levels and probe_levels up to now. Waits for the device.
  /// Collective.
  void bring_levels(dg::Operator& op, const dg::Moment& now);

  [[nodiscard]] const dg::Moment& now() const { return now_; }
  [[nodiscard]] const dg::EnergyHistory& energy() const { return energy_; }
  /// Of the energy, in the solver's units; a turn for each port that is driven.
  [[nodiscard]] const dg::DecayRecord& energy_decay() const { return health_.decay(); }
  /// [port] of the waves going out, on the first rank; empty where nobody asks (wants_port_levels).
  [[nodiscard]] std::vector<dg::DecayRecord> port_levels() const {
    return port_levels_ ? port_levels_->levels() : std::vector<dg::DecayRecord>{};
  }
  /// [probe] in the order of outputs.probe_spectra, on the first rank; empty where nobody asks (wants_probe_levels).
  [[nodiscard]] std::vector<dg::DecayRecord> probe_levels() const {
    return probe_levels_ ? probe_levels_->levels() : std::vector<dg::DecayRecord>{};
  }
  /// Of a run with time.until; else null.
  [[nodiscard]] const Ending* ending() const { return ending_ ? &*ending_ : nullptr; }
  [[nodiscard]] Ending* ending() { return ending_ ? &*ending_ : nullptr; }
  /// Of a far field without a plane wave, on the first rank: the rows of antenna.csv; else empty.
  [[nodiscard]] std::vector<dg::AntennaFigures> antenna() const {
    return far_field_ ? far_field_->antenna() : std::vector<dg::AntennaFigures>{};
  }
  /// Of outputs.s_parameters, at the end, where every port was driven.
  [[nodiscard]] std::optional<dg::Network> network() const {
    return port_waves_ ? port_waves_->network() : std::nullopt;
  }
  /// "fields.pvd (21 snapshots)", "probes.csv" ...
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  bool is_alone_;  ///< this is the only rank
  dg::EnergyHistory energy_;
  dg::HealthCheck health_;
  std::optional<dg::EnergyBalance> balance_;
  std::optional<dg::Probes> probes_;
  std::optional<dg::FieldSeries> fields_;
  std::optional<dg::SurfaceSeries> surface_fields_;
  std::optional<dg::FrequencyFields> frequency_fields_;
  std::optional<dg::FarFieldTable> far_field_;
  std::optional<dg::PortWaves> port_waves_;
  std::optional<dg::PortLevels> port_levels_;
  std::optional<dg::ProbeLevels> probe_levels_;
  std::optional<dg::ElementSignals> element_signals_;
  std::optional<Ending> ending_;
  std::vector<dg::Observer*> all_;
  std::optional<dg::Checkpoints> checkpoints_;
  bool failed_ = false;  ///< an observer has: the state may not be worth saving
  dg::Moment now_;
};

}  // namespace maxwell_dg::simulation
