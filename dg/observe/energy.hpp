#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/recorded_rows.hpp"

namespace maxwell_dg::dg {

/// The system's energies every few steps and at the end: `time`, each of System::energies, `total`.
class EnergyHistory final : public RecordedRows {
 public:
  struct Options {
    Sink* sink{};     ///< of the table "energy"; none: energies are only remembered
    long every = 10;  ///< steps
    FileScaling scaling{};
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer. Throws OutputError.
  EnergyHistory(const Operator& op, const Options& options);

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// Total energy in file units: of the first moment observed, of the latest that has arrived. Zero before.
  [[nodiscard]] double initial() const { return initial_.value_or(0.0); }
  [[nodiscard]] double latest() const { return latest_; }

 private:
  std::vector<double> row_of(double time, std::span<const double> energies) override;

  FileScaling scaling_;
  std::optional<double> initial_;
  double latest_ = 0;
};

}  // namespace maxwell_dg::dg
