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

/// Looks at the energy every few steps and ends a run that has gone wrong by a DivergenceError, which says when, where
/// (element, its centroid, region, quality and material) and what to try, and leaves the fields in a file to look at.
/// It waits for nothing: an energy is judged when it has arrived, two checks later at the latest. The state is fetched
/// only for the message.
class HealthCheck final : public Observer {
 public:
  struct Options {
    long every = 20;  ///< steps; an energy costs no more than a stage
    /// Largest energy that the run may reach, in the solver's units. Without sources: a little more than the initial.
    double energy_limit = std::numeric_limits<double>::infinity();
    FileScaling scaling{};
    std::string time_unit{};    ///< put behind times in the message: " s", or nothing
    std::string length_unit{};  ///< the same behind positions
    /// From this time on sources bring nothing more, or a steady wave; the energy may then be no more than so many
    /// times the largest until then. In the solver's units.
    double settled_time = std::numeric_limits<double>::infinity();
    double growth_limit = 1e3;
    std::function<std::string(std::size_t)> remedy{};  ///< what to try if the largest field is in that element
    std::optional<std::filesystem::path> file{};       ///< a .vtu that gets the fields of a run that failed
    DecayRecord decay{DecayRecord::Options{.end = std::numeric_limits<double>::infinity(), .name = "health.decay"}};
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer.
  HealthCheck(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  /// Throws where the present state is not worth saving.
  void save(Operator& op, const Moment& now, Archive& archive) override;

  /// Of the energies that have arrived, in the solver's units.
  [[nodiscard]] const DecayRecord& decay() const { return options_.decay; }

 private:
  void note(const Moment& now);
  void judge(const Operator& op, std::span<const double> energies);  // [record][energy]
  [[noreturn]] void fail(const Operator& op, const Moment& then, double energy) const;

  Options options_;
  std::unique_ptr<Recorder> recorder_;
  std::size_t count_;
  std::deque<Moment> moments_;  ///< of what was recorded and not yet judged
  double energy_before_ = 0;    ///< at the last check
  double largest_ = 0;          ///< energy until the settled time, or where none was seen until then the first
  long checked_step_ = -1;
  bool failed_ = false;  ///< what comes after it is no news
};

}  // namespace maxwell_dg::dg
