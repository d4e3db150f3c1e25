#include "apps/maxwell_dg/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "core/log.hpp"

namespace maxwell_dg {
namespace {

constexpr double bar_interval = 0.2;    // seconds between two looks of a person
constexpr double line_interval = 10.0;  // of a log file
constexpr int bar_width = 24;

template <class... Values>
std::string text(const char* format, Values... values) {
  std::array<char, 160> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

}  // namespace

std::string with_prefix(double value, const std::string& unit) {
  constexpr std::array<const char*, 9> prefixes{"f", "p", "n", "u", "m", "", "k", "M", "G"};
  if (unit.empty() || value == 0 || !std::isfinite(value)) return text("%.4g", value) + (unit.empty() ? "" : " " + unit);
  const int thousands = std::clamp(static_cast<int>(std::floor(std::log10(std::abs(value)) / 3)), -5, 3);
  return text("%.4g ", value * std::pow(1000.0, -thousands)) + prefixes[static_cast<std::size_t>(thousands + 5)] + unit;
}

std::string clock_text(double seconds) {
  const long s = std::lround(std::clamp(seconds, 0.0, 1e9));
  if (s < 3600) return text("%ld:%02ld", s / 60, s % 60);
  return text("%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

Progress::Progress(Options options) : options_(std::move(options)), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear_bar(); }

void Progress::observe(dg::Operator& op, const dg::Moment& now) {
  if (now.step == 0) {
    total_ = Stopwatch();
    since_shown_ = Stopwatch();
    return;
  }
  if (since_shown_.seconds() < (terminal_ ? bar_interval : line_interval)) return;
  op.stream().synchronize();  // steps are enqueued ahead of the device; say what is done, not what is asked for
  if (terminal_) {
    draw_bar(op, now);
  } else {
    log_info(status(op, now));
  }
  since_shown_ = Stopwatch();
}

void Progress::finish(dg::Operator&, const dg::Moment&) { clear_bar(); }

std::string Progress::status(const dg::Operator& op, const dg::Moment& now) const {
  const double seconds = std::max(total_.seconds(), 1e-9);
  const double done = static_cast<double>(now.step);
  const double rate = static_cast<double>(op.dofs()) * options_.stages * done / seconds / 1e9;
  const double left = seconds / done * static_cast<double>(options_.steps - now.step);
  return text("step %ld/%ld", now.step, options_.steps) + "  t = " +
         with_prefix(now.time * options_.time_factor, options_.time_unit) + text("  %.3g GDOF/s", rate) +
         (options_.energy != nullptr ? text("  energy %.4g", options_.energy->latest()) : "") + "  " +
         clock_text(left) + " left";
}

void Progress::draw_bar(const dg::Operator& op, const dg::Moment& now) {
  const double fraction = static_cast<double>(now.step) / static_cast<double>(std::max(options_.steps, 1L));
  const int filled = static_cast<int>(std::lround(fraction * bar_width));
  std::string bar(static_cast<std::size_t>(bar_width), '.');
  std::fill_n(bar.begin(), std::clamp(filled, 0, bar_width), '#');
  const std::string line = "\r[" + bar + text("] %3.0f %%  ", 100 * fraction) + status(op, now) + "\033[K";
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
