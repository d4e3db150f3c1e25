#pragma once

#include <chrono>
#include <cstdint>
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
/// thread writes the file while the run continues. The next checkpoint waits for that thread; what the thread threw,
/// the next call throws.
///
/// Of several ranks each writes what it has (CheckpointWriter), and tells the first one, which then finishes the file.
class Checkpoints final : public Observer {
 public:
  struct Options {
    std::filesystem::path directory;
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
  /// Goes on with what is being written as far as it does not have to wait.
  void look_after_writing();
  /// Waits until the file is complete. Collective.
  void finish_writing();
  void tell_first(bool has_written);
  [[nodiscard]] bool all_have_written() const;
  void finish_file();
  using Warnings = std::vector<std::string>;  // logged by the thread that steps: each thread has its own log
  [[nodiscard]] Warnings drop_old();

  Options options_;
  core::Communicator ranks_;
  std::unique_ptr<StateCopy> copy_;
  Archive archive_;
  Clock::time_point begun_ = Clock::now();
  long saved_step_ = -1;
  std::vector<CheckpointName> own_;           ///< the run's files, the oldest first
  std::optional<CheckpointWriter> writer_{};  ///< of a file that is not complete, as far as this rank knows
  std::vector<std::uint8_t> have_written_;    ///< [other rank] on the first rank: 1 once it has, 0 where it failed
  std::vector<core::Message> messages_;       ///< that say so: to the first rank, or on it from the others
  // The last members: their destructors wait for threads that use the others.
  std::future<void> part_;         ///< of this rank
  std::future<Warnings> writing_;  ///< of the first rank: of all else
};

}  // namespace maxwell_dg::dg
