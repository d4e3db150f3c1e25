#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/recorded_rows.hpp"

namespace maxwell_dg::dg {

/// Where the energy comes from and goes to, every few steps and at the end, for an operator with Options::powers. A row
/// holds `time`, `total` (the energy), then of each power P (see PowerTerms) `P.power`, its mean since the row before,
/// and `P.energy`, what it has put in since the beginning (negative: taken out), and `unaccounted`: by how much the
/// energy has changed beyond the sum of these. That is the integrator's error alone.
class EnergyBalance final : public RecordedRows {
 public:
  struct Options {
    Sink& sink;       ///< of the table "balance"
    long every = 10;  ///< steps
    FileScaling scaling{};
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer. Throws OutputError.
  EnergyBalance(const Operator& op, const Options& options);

  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// Of the latest row that has arrived, in file units; zero before.
  [[nodiscard]] double unaccounted() const { return unaccounted_; }

 private:
  std::vector<double> row_of(double time, std::span<const double> record) override;  // [energy, then power]

  FileScaling scaling_;
  std::size_t energies_;
  std::vector<double> before_;  ///< of the row before: time, total, what each power had put in; in file units
  double initial_ = 0;          ///< energy less what powers had put in, at the first row
  double unaccounted_ = 0;
};

}  // namespace maxwell_dg::dg
