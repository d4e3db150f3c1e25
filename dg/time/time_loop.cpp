#include "dg/time/time_loop.hpp"

#include <algorithm>
#include <string>

#include "core/log.hpp"

namespace maxwell_dg::dg {
namespace {

std::string message_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an observer of the time loop failed";
  }
}

}  // namespace

void finish_all(std::span<Observer* const> observers, Operator& op, const Moment& now, std::exception_ptr error) {
  for (Observer* observer : observers) {
    try {
      observer->finish(op, now);
    } catch (...) {
      const std::exception_ptr another = std::current_exception();
      if (error == nullptr) {
        error = another;
      } else if (message_of(another) != message_of(error)) {
        log_warning(message_of(another));
      }
    }
  }
  if (error != nullptr) std::rethrow_exception(error);
}

void TimeLoop::begin(Operator& op) const {
  if (first != 0) return;
  for (Observer* observer : observers) observer->observe(op, start());
}

void TimeLoop::advance(Operator& op, Moment& now, long last) const {
  while (now.step < std::min(last, steps) && !(stop && stop())) {
    op.step({.a = method.a, .b = method.b, .c = method.c}, dt, now.time);
    ++now.step;
    now.time = time(now.step);
    for (Observer* observer : observers) observer->observe(op, now);
  }
}

Moment TimeLoop::run(Operator& op) const {
  Moment now = start();
  std::exception_ptr error;
  try {
    begin(op);
    advance(op, now, steps);
  } catch (...) {
    error = std::current_exception();
  }
  finish_all(observers, op, now, error);
  return now;
}

}  // namespace maxwell_dg::dg
