#pragma once

#include <cmath>
#include <stdexcept>

namespace maxwell_dg::analytic {

/// A root of a continuous function between two places where its signs differ, bisected to the last bit.
template <typename F>
[[nodiscard]] double bisect(const F& f, double low, double high) {
  const bool rises = f(low) < 0;
  if (rises == (f(high) < 0)) throw std::invalid_argument("bisect: no change of sign");
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high) return middle;
    ((f(middle) < 0) == rises ? low : high) = middle;
  }
}

/// Root number `index` (0: the first) beyond `start`, found by steps that must be smaller than the roots' distance.
/// Throws std::invalid_argument when `max_steps` steps do not reach it.
template <typename F>
[[nodiscard]] double nth_root(const F& f, double start, double step, int index, int max_steps = 100000) {
  double left = f(start);
  for (int i = 1; i <= max_steps; ++i) {
    const double right = f(start + i * step);
    if ((left < 0) != (right < 0) && index-- == 0) return bisect(f, start + (i - 1) * step, start + i * step);
    left = right;
  }
  throw std::invalid_argument("nth_root: no such root within reach");
}

}  // namespace maxwell_dg::analytic
