#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "dg/observe/decay_record.hpp"
#include "dg/observe/files/file_scaling.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Checks the energy every few steps and ends a run that diverges with a DivergenceError. The error says when, where
/// (element, its centroid, region, quality and material) and what to try; the fields are written to a file. The check
/// does not wait for the device: an energy is checked when it has arrived, two checks later at the latest. The state is
/// read only for the message.
class HealthCheck final : public Observer {
 public:
  struct Options {
    long every = 20;  ///< steps; computing an energy costs at most as much as a stage
    /// The largest energy that the run may reach, in the solver's units. Without sources: slightly above the initial
    /// one.
    double energy_limit = std::numeric_limits<double>::infinity();
    FileScaling scaling{};
    std::string time_unit{};    ///< suffix of times in the message: " s", or empty
    std::string length_unit{};  ///< suffix of positions
    /// The time, in the solver's units, from which on sources are zero or steady. After the first check behind it the
    /// energy may be at most `growth_limit` times the largest one until then, and `regrowth_limit` times the least one
    /// since; what is below `regrowth_floor` times that largest counts as that much, so that rounding does not matter.
    double settled_time = std::numeric_limits<double>::infinity();
    double growth_limit = 1e3;
    double regrowth_limit = std::numeric_limits<double>::infinity();
    double regrowth_floor = 1e-9;
    std::function<std::string(std::size_t)> remedy{};  ///< what to try if the largest field is in this element
    /// A .vtu file that gets the fields of a run that diverged; of several ranks SnapshotFiles of its stem.
    std::optional<std::filesystem::path> file{};
    DecayRecord decay{DecayRecord::Options{.end = std::numeric_limits<double>::infinity(), .name = "health.decay"}};
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer.
  HealthCheck(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  /// Throws DivergenceError if the present state has diverged, so that it is not saved.
  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// The decay of the energies that have arrived, in the solver's units: of every so many steps, and of the end; not
  /// of checkpoints between, so that it does not depend on when these are written.
  [[nodiscard]] const DecayRecord& decay() const { return options_.decay; }

 private:
  void record(const Moment& now);
  /// What is wrong with the energy at a time, beside how large it is: "512 times the largest until t = 3 s ..."; empty
  /// if it is merely too large or no number; none if nothing is.
  [[nodiscard]] std::optional<std::string> fault_of(double energy, double time);
  void check(const Operator& op, std::span<const double> energies);  // [record][energy]
  [[noreturn]] void fail(const Operator& op, const Moment& then, double energy, const std::string& fault) const;

  Options options_;
  std::unique_ptr<Recorder> recorder_;
  std::size_t count_;
  std::deque<Moment> moments_;  ///< of records that were not checked yet
  double energy_before_ = 0;    ///< at the last check
  double largest_ = 0;          ///< the largest energy until the first check after the settled time
  double least_ = std::numeric_limits<double>::infinity();  ///< since then; infinite before
  long checked_step_ = -1;
  bool failed_ = false;  ///< later records are not checked
};

}  // namespace maxwell_dg::dg
