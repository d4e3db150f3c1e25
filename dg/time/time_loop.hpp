#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dg/operator/operator.hpp"
#include "dg/time/runge_kutta.hpp"

namespace maxwell_dg::dg {

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
};

/// Every observer finishes, whatever happens to the others. Throws `error`, or else what was thrown first, when all are
/// done; what is thrown besides is a warning.
void finish_all(std::span<Observer* const> observers, Operator& op, const Moment& now,
                std::exception_ptr error = nullptr);

/// Runs `steps` steps of size dt from time `start`, telling every observer. Returns where it stopped.
/// `stop` is asked between steps (for SIGINT); when it says true the loop ends, observers finish as usual. So they do
/// when something throws, which then passes on.
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
