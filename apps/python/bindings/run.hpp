#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "apps/python/bindings/plan.hpp"
#include "apps/python/bindings/shared_fields.hpp"
#include "apps/simulation/simulation.hpp"

namespace maxwell_dg::python {

/// A simulation as Python uses it. It computes without holding Python's lock, looks for signals while it does, and
/// refuses what would crash: use by two threads at a time, after `close`, and in a forked child of the process that
/// made it, where the device's driver does not work.
class Run {
 public:
  /// `planned`, which may be null, is of this config: the run takes it. Without a directory results stay in memory.
  /// `log`, called with a level of Python's module logging and a text, takes messages.
  Run(const config::Config& config, Planned* planned, const std::optional<std::filesystem::path>& directory,
      bool resume, nanobind::object log);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Makes so many steps, or fewer where the run ends or `stop` is called. Returns how many. Throws what a signal
  /// handler of Python raises, such as KeyboardInterrupt, between two steps; the run can go on then.
  long step(long count);
  /// Steps to the end.
  void run();
  void finish();
  /// May be called by any thread, and by what a step calls.
  void stop() { stop_ = true; }
  /// Ends what steps, and each later step before it begins: `stop` does nothing where a thread is about to step.
  void abandon() { is_abandoned_ = true; }
  /// Gives back the device's memory, and ends a run with files.
  void close();
  [[nodiscard]] bool is_closed() const { return simulation_ == nullptr; }

  /// The present values of fields in memory that others may look at; of the same names it is the same memory.
  [[nodiscard]] std::shared_ptr<SharedFields> share_fields(const std::vector<std::string>& names);

  /// Calls a function of the simulation without Python's lock.
  template <class Function>
  auto use(Function function) {
    const Use use(*this);
    const nanobind::gil_scoped_release without_lock;
    return function(*simulation_);
  }

 private:
  /// While it lives, no other thread uses the run.
  class Use {
   public:
    explicit Use(Run& run);
    ~Use() { run_.busy_.clear(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Run& run_;
  };

  [[nodiscard]] bool must_stop();

  nanobind::object log_;
  int forks_at_start_;
  std::atomic_flag busy_{};
  std::atomic<bool> stop_{false};
  std::atomic<bool> is_abandoned_{false};
  bool interrupted_ = false;  ///< a signal handler has raised an exception
  std::chrono::steady_clock::time_point looked_for_signals_{};
  std::unique_ptr<simulation::OutputDirectory> directory_;
  std::unique_ptr<simulation::Simulation> simulation_;
  using AllShared = std::vector<std::shared_ptr<SharedFields>>;
  std::unique_ptr<AllShared> shared_ = std::make_unique<AllShared>();  ///< of the simulation
};

}  // namespace maxwell_dg::python
