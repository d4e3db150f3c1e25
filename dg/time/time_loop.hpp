#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dg/operator/operator.hpp"
#include "dg/time/runge_kutta.hpp"

namespace maxwell_dg::dg {

class Archive;

/// Where a run stands.
struct Moment {
  long step{};  ///< steps done
  double time{};
};

/// Listens to the time loop. Each observer decides by itself which steps interest it.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Called before the first step, then after every step. The operator's state belongs to `now`.
  virtual void observe(Operator& op, const Moment& now) = 0;
  /// Called once, however the loop ends: write what is pending, close files.
  virtual void finish(Operator& op, const Moment& now) = 0;
  /// Called after `observe`: hands on what is pending, for who wants to see results before the end. May wait for the
  /// device.
  virtual void flush(Operator& /*op*/, const Moment& /*now*/) {}
  /// Called after `observe`: puts in all that it needs to go on from here, after writing out what is pending, since
  /// what a file holds beyond this moment is cut off when a run is resumed. May wait for the device.
  virtual void save(Operator& /*op*/, const Moment& /*now*/, Archive& /*archive*/) {}
};

/// Every observer finishes, whatever happens to the others. Throws `error`, or else what was thrown first, when all are
/// done; what is thrown besides is a warning.
void finish_all(std::span<Observer* const> observers, Operator& op, const Moment& now,
                std::exception_ptr error = nullptr);

/// Runs steps of size dt up to the step numbered `steps`, telling every observer. Returns where it stopped.
/// `stop` is asked between steps (for SIGINT); when it says true the loop ends, observers finish as usual. So they do
/// when something throws, which then passes on.
struct TimeLoop {
  const RungeKutta& method;
  double dt{};
  long steps{};
  Moment origin{};  ///< which steps and times count from
  /// The step that the operator's state belongs to, where that is later than the origin: a run that is resumed as it
  /// was keeps the origin that it had, for its times to be the same to the bit. Of any first step but 0 observers have
  /// heard before the run was broken off, and hear nothing again.
  long first{origin.step};
  std::vector<Observer*> observers{};
  std::function<bool()> stop{};

  [[nodiscard]] double time(long step) const { return origin.time + static_cast<double>(step - origin.step) * dt; }
  Moment run(Operator& op) const;

  /// The same by parts: `begin`, `advance` as often as wanted, and, whatever they throw, `finish_all`.
  [[nodiscard]] Moment start() const { return {.step = first, .time = time(first)}; }
  /// Observers hear of the first moment, unless they did before the run was broken off.
  void begin(Operator& op) const;
  /// Steps up to the step numbered `last`, or until `stop` says true. `now` is where the run stands, also where
  /// something is thrown.
  void advance(Operator& op, Moment& now, long last) const;
};

}  // namespace maxwell_dg::dg
