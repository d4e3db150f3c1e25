#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/recorded_rows.hpp"

namespace maxwell_dg::dg {

/// A table of the system's energies every few steps and at the end of a run. Columns: `time`, each of System::energies,
/// `total`.
class EnergyHistory final : public RecordedRows {
 public:
  struct Options {
    Sink* sink{};     ///< gets the table "energy"; null: only `initial` and `latest` are kept
    long every = 10;  ///< steps
    FileScaling scaling{};
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer. Throws OutputError.
  EnergyHistory(const Operator& op, const Options& options);

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// The total energy in file units: the first one, and the latest one that has arrived from the device. None before.
  [[nodiscard]] std::optional<double> initial() const { return initial_; }
  [[nodiscard]] std::optional<double> latest() const { return latest_; }

 private:
  std::vector<double> row_of(double time, std::span<const double> energies) override;

  FileScaling scaling_;
  std::optional<double> initial_, latest_;
};

}  // namespace maxwell_dg::dg
