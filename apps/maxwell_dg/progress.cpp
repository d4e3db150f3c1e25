#include "apps/maxwell_dg/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

#include <unistd.h>

#include "apps/simulation/outputs/decay.hpp"
#include "apps/simulation/text.hpp"
#include "core/log.hpp"

namespace maxwell_dg {
namespace {

constexpr double bar_interval = 0.2;    // seconds between two looks of a person
constexpr double line_interval = 10.0;  // of a log file
constexpr int bar_width = 24;

/// "  port p2 driven (2 of 3)", as PortWaves counts turns.
std::string driven_text(const std::vector<std::string>& driven, long step, long steps) {
  const auto turns = static_cast<long>(driven.size());
  if (turns == 0) return "";
  const long turn = std::min(step * turns / std::max(steps, 1L), turns - 1);
  const std::string which =
      turns > 1 ? " (" + std::to_string(turn + 1) + " of " + std::to_string(turns) + ")" : std::string();
  return "  port " + driven[static_cast<std::size_t>(turn)] + " driven" + which;
}

}  // namespace

Progress::Progress(simulation::Simulation& simulation)
    : simulation_(simulation),
      driven_(simulation::driven_in_turn(simulation.plan())),
      terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  clear_bar();
}

void Progress::show() {
  ++steps_;
  if (simulation_.steps() == 0) {
    steps_ = 0;
    total_ = simulation::Stopwatch();
    since_shown_ = simulation::Stopwatch();
    return;
  }
  if (since_shown_.seconds() < (terminal_ ? bar_interval : line_interval)) return;
  simulation_.synchronize();  // steps are enqueued ahead of the device; say what is done, not what is asked for
  if (terminal_) {
    draw_bar();
  } else {
    log_info(status());
  }
  since_shown_ = simulation::Stopwatch();
}

std::string Progress::status() const {
  const simulation::Plan& plan = simulation_.plan();
  const config::Units units = plan.config.units;
  const double seconds = std::max(total_.seconds(), 1e-9);
  const long step = simulation_.steps();
  const auto done = static_cast<double>(std::max(steps_, 1L));
  const double rate = plan.dofs() * plan.method->stages() * done / seconds / 1e9;
  std::string text = "step " + std::to_string(step) + "/" + std::to_string(plan.steps) +
                     "  t = " + core::with_prefix(simulation_.time(), config::unit_in(units, "s")) + "  " +
                     core::brief(rate) + " GDOF/s";
  if (const auto energy = simulation_.energy()) {
    text += "  energy " + core::with_prefix(*energy, config::unit_in(units, "J"));
  }
  text += driven_text(driven_, step, plan.steps);
  const auto decay = simulation_.decay();
  const std::string left = simulation::clock_text(seconds / done * steps_left(decay)) + " left";
  if (!decay) return text + "  " + left;
  if (std::isfinite(decay->level_db)) {
    text +=
        "  at " + core::brief(std::round(10 * decay->level_db) / 10) + " dB, wanted " + core::brief(decay->wanted_db);
  }
  return text + (decay->time_left && driven_.size() < 2 ? "  about " : "  at most ") + left;
}

double Progress::steps_left(const std::optional<simulation::DecayStatus>& decay) const {
  const simulation::Plan& plan = simulation_.plan();
  const auto left = static_cast<double>(plan.steps - simulation_.steps());
  if (!decay || !decay->time_left || driven_.size() > 1) return left;
  return std::min(left, *decay->time_left / plan.file_scaling.time / plan.dt);
}

void Progress::draw_bar() {
  const auto step = static_cast<double>(simulation_.steps());
  const double fraction = step / std::max(step + steps_left(simulation_.decay()), 1.0);
  const int filled = static_cast<int>(std::lround(fraction * bar_width));
  std::string bar(static_cast<std::size_t>(bar_width), '.');
  std::fill_n(bar.begin(), std::clamp(filled, 0, bar_width), '#');
  const std::string line =
      "\r[" + bar + "] " + std::to_string(std::lround(100 * fraction)) + " %  " + status() + "\033[K";
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
