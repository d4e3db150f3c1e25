#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

Moment TimeLoop::run(Operator& op) const {
  Moment now{.step = 0, .time = start};
  for (Observer* observer : observers) observer->observe(op, now);
  while (now.step < steps && !(stop && stop())) {
    for (int i = 0; i < method.stages(); ++i) {
      const auto s = static_cast<std::size_t>(i);
      op.stage(method.a[s], method.b[s], dt, now.time + method.c[s] * dt);
    }
    ++now.step;
    now.time = start + static_cast<double>(now.step) * dt;
    for (Observer* observer : observers) observer->observe(op, now);
  }
  for (Observer* observer : observers) observer->finish(op, now);
  return now;
}

}  // namespace maxwell_dg::dg
