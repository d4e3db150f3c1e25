#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dg/observe/csv_file.hpp"
#include "dg/observe/file_scaling.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// The system's energies every few steps and at the end: `time`, each of System::energies, `total`.
class EnergyHistory final : public Observer {
 public:
  struct Options {
    std::optional<std::filesystem::path> file{};  ///< none: only remembered
    long every = 10;                              ///< steps
    FileScaling scaling{};
  };

  /// Throws OutputError.
  EnergyHistory(const System& system, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;

  /// Total energy in file units: of the first moment observed, of the latest. Zero before the first.
  [[nodiscard]] double initial() const { return initial_; }
  [[nodiscard]] double latest() const { return latest_; }
  [[nodiscard]] bool has_file() const { return file_.has_value(); }

 private:
  void note(const Operator& op, const Moment& now);

  Options options_;
  std::optional<CsvFile> file_;
  double initial_ = 0;
  double latest_ = 0;
  long noted_step_ = -1;
};

}  // namespace maxwell_dg::dg
