#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/recorded_rows.hpp"

namespace maxwell_dg::dg {

/// A table of the balance of energy every few steps and at the end of a run, for an operator with Options::powers.
/// Columns: `time`; `total`, the energy; for each power P (PowerTerms) `P.power`, its mean since the row before, and
/// `P.energy`, its injected energy since the beginning (negative for losses); and `unaccounted`, the change of the
/// energy minus the sum of these, which is the error of the time integration.
class EnergyBalance final : public RecordedRows {
 public:
  struct Options {
    Sink& sink;       ///< gets the table "balance"
    long every = 10;  ///< steps
    FileScaling scaling{};
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer. Throws OutputError.
  EnergyBalance(const Operator& op, const Options& options);

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// The value in the latest row that has arrived from the device, in file units; zero before.
  [[nodiscard]] double unaccounted() const { return unaccounted_; }

 private:
  std::vector<double> row_of(double time, std::span<const double> record) override;  // [energy, then power]

  FileScaling scaling_;
  std::size_t energies_;
  std::vector<double> before_;  ///< of the row before, in file units: time, total, injected energy of each power
  double initial_ = 0;          ///< at the first row: the energy minus the injected energies
  double unaccounted_ = 0;
};

}  // namespace maxwell_dg::dg
