#pragma once

#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "dg/checkpoint/archive.hpp"
#include "dg/observe/checkpoint_file.hpp"
#include "dg/operator/state_copy.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Writes checkpoints as the run goes on, and a last one where it stops, and keeps the latest few. A checkpoint is
/// taken between two steps: the state is copied in the stream, observers write out what is pending (for which they wait
/// for the device), and a thread makes and writes the file while the run goes on. The next one waits for it; what went
/// wrong with it is thrown then, or by `finish`.
class Checkpoints final : public Observer {
 public:
  struct Options {
    std::filesystem::path directory;
    std::optional<double> every_seconds{};  ///< of the clock on the wall; or
    std::optional<long> every_steps{};      ///< either
    std::size_t keep = 2;                   ///< files
    std::vector<Observer*> observers{};     ///< who also has something to save
    Archive description{};                  ///< what every file holds besides
    std::optional<long> resumed_from{};     ///< a step: files of it and before are this run's own
  };

  /// The operator must outlive the observer.
  Checkpoints(const Operator& op, Options options);
  ~Checkpoints() override;

  /// To be told last, when all observers know of `now`. Throws what they throw, and OutputError.
  void observe(Operator& op, const Moment& now) override;
  /// To be told first, before files get what belongs to the end of the run alone.
  void finish(Operator& op, const Moment& now) override;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_due(const Moment& now) const;
  void begin(Operator& op, const Moment& now);
  void finish_writing();
  using Complaints = std::vector<std::string>;          // which the thread's owner says: the log is a thread's own
  Complaints write(const Archive& archive, long step);  // by the thread
  [[nodiscard]] Complaints drop_old();

  Options options_;
  std::unique_ptr<StateCopy> copy_;
  Archive archive_;
  Clock::time_point begun_ = Clock::now();
  long saved_step_ = -1;
  std::vector<CheckpointName> own_;  ///< files, the oldest first
  std::future<Complaints> writing_;  ///< last: what it uses outlives it
};

}  // namespace maxwell_dg::dg
