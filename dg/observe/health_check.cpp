#include "dg/observe/health_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/quantity.hpp"

namespace maxwell_dg::dg {
namespace {

using core::brief;

/// The first element with a value that is no number, else the one with the largest value.
std::size_t worst_element(const Discretization& d, std::span<const double> q) {
  const std::size_t stride = q.size() / std::max<std::size_t>(d.K(), 1);
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (const double value : q.subspan(k * stride, stride)) {
      if (!std::isfinite(value)) return k;
      if (std::abs(value) > largest) {
        largest = std::abs(value);
        worst = k;
      }
    }
  }
  return worst;
}

std::string where(const Discretization& d, std::size_t k, const std::string& unit) {
  const auto [x, y, z] = centroid(d.mesh, d.mesh.cells[k]);
  const std::int32_t region = d.mesh.cell_region[k];
  return "element " + std::to_string(k) + " at (" + brief(x) + ", " + brief(y) + ", " + brief(z) + ")" + unit +
         (region < 0 ? "" : " in region '" + d.mesh.regions[static_cast<std::size_t>(region)] + "'");
}

}  // namespace

HealthCheck::HealthCheck(const Operator& op, Options options)
    : options_(std::move(options)), recorder_(op.record_energies()), count_(op.problem().system.energies.size()) {
  options_.every = std::max(options_.every, 1L);
}

void HealthCheck::observe(Operator& op, const Moment& now) {
  if (now.step % options_.every != 0) return;
  note(now);
  judge(op, now.step == 0 ? recorder_->take() : recorder_->take_arrived());  // a bad beginning is told at once
}

void HealthCheck::finish(Operator& op, const Moment& now) {
  if (now.step != checked_step_) note(now);
  judge(op, recorder_->take());
}

void HealthCheck::save(Operator& op, const Moment& now, Archive&) {
  finish(op, now);
}

void HealthCheck::note(const Moment& now) {
  recorder_->record();
  moments_.push_back(now);
  checked_step_ = now.step;
}

void HealthCheck::judge(const Operator& op, std::span<const double> energies) {
  for (; !energies.empty(); energies = energies.subspan(count_)) {
    const Moment then = moments_.front();
    moments_.pop_front();
    const double energy =
        std::accumulate(energies.begin(), energies.begin() + static_cast<std::ptrdiff_t>(count_), 0.0);
    if (failed_) continue;
    if (!std::isfinite(energy) || energy > options_.energy_limit) {
      failed_ = true;
      fail(op, then, energy);
    }
    energy_before_ = energy;
  }
}

void HealthCheck::fail(const Operator& op, const Moment& then, double energy) const {
  const Discretization& d = op.discretization();
  std::vector<double> q(op.dofs());
  op.get_state(q);
  const std::size_t k = worst_element(d, q);
  const std::string before = brief(energy_before_ * options_.scaling.energy);
  const std::string what = std::isfinite(energy) ? "its energy grew to " + brief(energy * options_.scaling.energy) +
                                                       " (" + before + " at the check before); the largest field is in "
                                                 : "its energy is no longer a finite number (" + before +
                                                       " at the check before); first seen in ";
  throw DivergenceError("the solution diverged by step " + std::to_string(then.step) +
                        ", t = " + brief(then.time * options_.scaling.time) + options_.time_unit + ": " + what +
                        where(d, k, options_.length_unit) + (options_.remedy.empty() ? "" : "; " + options_.remedy));
}

}  // namespace maxwell_dg::dg
