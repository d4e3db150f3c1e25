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

HealthCheck::HealthCheck(Options options) : options_(std::move(options)) {
  options_.every = std::max(options_.every, 1L);
}

void HealthCheck::observe(Operator& op, const Moment& now) {
  if (now.step % options_.every == 0) check(op, now);
}

void HealthCheck::finish(Operator& op, const Moment& now) {
  if (now.step != checked_step_) check(op, now);
}

void HealthCheck::check(const Operator& op, const Moment& now) {
  checked_step_ = now.step;
  const std::vector<double> parts = op.energies();
  const double energy = std::accumulate(parts.begin(), parts.end(), 0.0);
  if (std::isfinite(energy) && energy <= options_.energy_limit) {
    energy_before_ = energy;
    return;
  }
  const Discretization& d = op.discretization();
  std::vector<double> q(op.dofs());
  op.get_state(q);
  const std::size_t k = worst_element(d, q);
  const std::string before = brief(energy_before_ * options_.scaling.energy);
  const std::string what = std::isfinite(energy) ? "its energy grew to " + brief(energy * options_.scaling.energy) +
                                                       " (" + before + " at the check before); the largest field is in "
                                                 : "its energy is no longer a finite number (" + before +
                                                       " at the check before); first seen in ";
  throw DivergenceError("the solution diverged by step " + std::to_string(now.step) +
                        ", t = " + brief(now.time * options_.scaling.time) + options_.time_unit + ": " + what +
                        where(d, k, options_.length_unit) + (options_.remedy.empty() ? "" : "; " + options_.remedy));
}

}  // namespace maxwell_dg::dg
