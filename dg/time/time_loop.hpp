#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dg/operator/operator.hpp"
#include "dg/time/runge_kutta.hpp"

namespace maxwell_dg::dg {

/// Where a run stands.
struct Moment {
  long step{};     ///< steps done
  double time{};
};

/// Listens to the time loop. Each observer decides by itself which steps interest it.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Called before the first step, then after every step. The operator's state belongs to `now`.
  virtual void observe(Operator& op, const Moment& now) = 0;
  /// Called once, also when the loop ends early: write what is pending, close files.
  virtual void finish(Operator& op, const Moment& now) = 0;
};

/// Runs `steps` steps of size dt from time `start`, telling every observer. Returns where it stopped.
/// `stop` is asked between steps (for SIGINT); when it says true the loop ends, observers finish as usual.
struct TimeLoop {
  const RungeKutta& method;
  double dt{};
  long steps{};
  double start{0.0};
  std::vector<Observer*> observers{};
  std::function<bool()> stop{};

  Moment run(Operator& op) const;
};

}  // namespace maxwell_dg::dg
