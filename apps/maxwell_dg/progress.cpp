#include "apps/maxwell_dg/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

#include <unistd.h>

#include "apps/simulation/text.hpp"
#include "core/log.hpp"

namespace maxwell_dg {
namespace {

constexpr double bar_interval = 0.2;    // seconds between two looks of a person
constexpr double line_interval = 10.0;  // of a log file
constexpr int bar_width = 24;

/// "  port p2 driven (2 of 3)", as PortWaves counts turns.
std::string driven_text(const Progress::Options& options, long step) {
  const auto turns = static_cast<long>(options.driven.size());
  if (turns == 0) return "";
  const long turn = std::min(step * turns / std::max(options.steps, 1L), turns - 1);
  const std::string which =
      turns > 1 ? " (" + std::to_string(turn + 1) + " of " + std::to_string(turns) + ")" : std::string();
  return "  port " + options.driven[static_cast<std::size_t>(turn)] + " driven" + which;
}

}  // namespace

Progress::Progress(Options options) : options_(std::move(options)), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  clear_bar();
}

void Progress::observe(dg::Operator& op, const dg::Moment& now) {
  if (now.step == 0) {
    total_ = simulation::Stopwatch();
    since_shown_ = simulation::Stopwatch();
    return;
  }
  if (since_shown_.seconds() < (terminal_ ? bar_interval : line_interval)) return;
  op.stream().synchronize();  // steps are enqueued ahead of the device; say what is done, not what is asked for
  if (terminal_) {
    draw_bar(op, now);
  } else {
    log_info(status(op, now));
  }
  since_shown_ = simulation::Stopwatch();
}

void Progress::finish(dg::Operator&, const dg::Moment&) {
  clear_bar();
}

std::string Progress::status(const dg::Operator& op, const dg::Moment& now) const {
  const double seconds = std::max(total_.seconds(), 1e-9);
  const double done = static_cast<double>(now.step - options_.first_step);
  const double rate = static_cast<double>(op.dofs()) * options_.stages * done / seconds / 1e9;
  const double left = seconds / done * static_cast<double>(options_.steps - now.step);
  return "step " + std::to_string(now.step) + "/" + std::to_string(options_.steps) +
         "  t = " + core::with_prefix(now.time * options_.time_factor, options_.time_unit) + "  " + core::brief(rate) +
         " GDOF/s" +
         (options_.energy != nullptr ? "  energy " + core::with_prefix(options_.energy->latest(), options_.energy_unit)
                                     : "") +
         driven_text(options_, now.step) + "  " + simulation::clock_text(left) + " left";
}

void Progress::draw_bar(const dg::Operator& op, const dg::Moment& now) {
  const double fraction = static_cast<double>(now.step) / static_cast<double>(std::max(options_.steps, 1L));
  const int filled = static_cast<int>(std::lround(fraction * bar_width));
  std::string bar(static_cast<std::size_t>(bar_width), '.');
  std::fill_n(bar.begin(), std::clamp(filled, 0, bar_width), '#');
  const std::string line =
      "\r[" + bar + "] " + std::to_string(std::lround(100 * fraction)) + " %  " + status(op, now) + "\033[K";
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear_bar() {
  if (!std::exchange(drawn_, false)) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace maxwell_dg
