#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dg/observe/csv_file.hpp"
#include "dg/observe/file_scaling.hpp"
#include "dg/operator/archive.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// The system's energies every few steps and at the end: `time`, each of System::energies, `total`. The device sums
/// them and goes on; rows are written as they arrive.
class EnergyHistory final : public Observer {
 public:
  struct Options {
    std::optional<std::filesystem::path> file{};  ///< none: only remembered
    long every = 10;                              ///< steps
    FileScaling scaling{};
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer. Throws OutputError.
  EnergyHistory(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// Total energy in file units: of the first moment observed, of the latest that has arrived. Zero before.
  [[nodiscard]] double initial() const { return initial_.value_or(0.0); }
  [[nodiscard]] double latest() const { return latest_; }
  [[nodiscard]] bool has_file() const { return file_.has_value(); }

 private:
  void resume(const Archive& archive);
  void note(const Moment& now);
  void write(std::span<const double> energies);  // [record][energy]

  Options options_;
  std::unique_ptr<Recorder> recorder_;
  std::size_t count_;
  std::deque<double> times_;  ///< of what was recorded and not yet written
  std::optional<CsvFile> file_;
  std::optional<double> initial_;
  double latest_ = 0;
  long noted_step_ = -1;
};

}  // namespace maxwell_dg::dg
