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

/// Writes checkpoints during a run and one at its end, and keeps the latest few. A checkpoint is taken between two
/// steps: the state is copied in the stream, observers write pending rows (and wait for the device for them), and a
/// thread writes the file while the run continues. The next checkpoint waits for that thread; it, or `finish`, throws
/// what the thread threw.
class Checkpoints final : public Observer {
 public:
  struct Options {
    std::filesystem::path directory;
    bool writes = true;  ///< no: another rank writes the file, and this one has a part of what is in it
    std::optional<double> every_seconds{};  ///< of wall time; either this
    std::optional<long> every_steps{};      ///< or this
    std::size_t keep = 2;                   ///< files
    std::vector<Observer*> observers{};     ///< whose `save` is called
    Archive description{};                  ///< content of every file besides that of state and observers
    std::optional<long> resumed_from{};  ///< of a resumed run: files up to this step belong to it, others are removed
  };

  /// The operator must outlive the observer.
  Checkpoints(const Operator& op, Options options);
  ~Checkpoints() override;

  /// To be called last, after all other observers' `observe`. Throws what they throw, and OutputError.
  void observe(Operator& op, const Moment& now) override;
  /// To be called first, before other observers' `finish` writes what only belongs to the end of a run.
  void finish(Operator& op, const Moment& now) override;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_due(const Moment& now) const;
  void begin(Operator& op, const Moment& now);
  void finish_writing();
  using Warnings = std::vector<std::string>;          // logged by the thread that steps: each thread has its own log
  Warnings write(const Archive& archive, long step);  // runs in the writing thread
  [[nodiscard]] Warnings drop_old();

  Options options_;
  std::unique_ptr<StateCopy> copy_;
  Archive archive_;
  Clock::time_point begun_ = Clock::now();
  long saved_step_ = -1;
  std::vector<CheckpointName> own_;  ///< the run's files, the oldest first
  std::future<Warnings> writing_;    ///< the last member: its destructor waits for a thread that uses the others
};

}  // namespace maxwell_dg::dg
