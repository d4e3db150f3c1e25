#include "apps/simulation/directory/saved_run.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <random>

namespace maxwell_dg::simulation {
namespace {

constexpr std::int64_t most_steps = std::int64_t{1} << 52;  // doubles count up to there

void require(bool plausible, const std::string& what) {
  if (!plausible) throw dg::DamagedCheckpoint(what + ", which is of no run");
}

bool is_close(double a, double b, double scale) {
  return std::abs(a - b) <= 1e-6 * scale;  // of what only rounding keeps apart
}

void require_plausible(const SavedRun& run) {
  const auto text = [](double value) { return std::to_string(value); };
  require(run.steps >= 0 && run.steps <= most_steps, "its run has " + std::to_string(run.steps) + " steps");
  require(run.now.step >= 0 && run.now.step <= run.steps,
          "it is of step " + std::to_string(run.now.step) + " of " + std::to_string(run.steps));
  require(run.origin.step >= 0 && run.origin.step <= run.now.step,
          "its steps are counted from " + std::to_string(run.origin.step));
  require(std::isfinite(run.largest_dt) && run.largest_dt > 0, "its largest step is " + text(run.largest_dt));
  require(std::isfinite(run.end) && run.end > 0, "its run ends at " + text(run.end));
  require(std::isfinite(run.dt) && run.dt >= 0 && run.dt <= 1.01 * run.largest_dt, "its step is " + text(run.dt));
  require(run.origin.time >= 0 && run.origin.time <= 1.01 * run.end, "its times begin at " + text(run.origin.time));
  const auto time_of = [&](long step) {
    return run.origin.time + static_cast<double>(step - run.origin.step) * run.dt;
  };
  require(is_close(run.now.time, time_of(run.now.step), run.end), "its time is " + text(run.now.time));
  require(is_close(run.end, time_of(run.steps), run.end) || run.steps == run.origin.step,
          "its steps lead to " + text(time_of(run.steps)) + " of " + text(run.end));
}

}  // namespace

SavedRun SavedRun::of(const dg::FoundCheckpoint& checkpoint) {
  const dg::Archive& archive = checkpoint.archive;
  const auto step = [&](const std::string& name) { return static_cast<long>(archive.integer(name)); };
  SavedRun run{.id = archive.has("run.id") ? archive.text("run.id") : "",
               .now = {.step = step("step"), .time = archive.number("time")},
               .largest_dt = archive.number("run.largest_dt"),
               .end = archive.number("run.end"),
               .method = archive.text("run.method"),
               .dt = archive.number("run.dt"),
               .steps = step("run.steps"),
               .origin = {.step = step("run.origin.step"), .time = archive.number("run.origin.time")}};
  require(run.now.step == checkpoint.name.step,
          "it is of step " + std::to_string(run.now.step) + ", not of that in its name");
  require_plausible(run);
  return run;
}

std::string new_run_id() {
  std::random_device random;
  std::array<char, 40> id{};
  std::snprintf(id.data(), id.size(), "%08x%08x%08x%08x", random(), random(), random(), random());
  return id.data();
}

}  // namespace maxwell_dg::simulation
