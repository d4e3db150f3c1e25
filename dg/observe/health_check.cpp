#include "dg/observe/health_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/quality.hpp"
#include "dg/observe/files/vtk_data.hpp"

namespace maxwell_dg::dg {
namespace {

using core::brief;

/// The first element with a value that is not finite; if there is none, the element with the largest value.
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

std::string material(const Problem& problem, std::size_t k, const FileScaling& scaling) {
  std::string text;
  for (std::size_t p = 0; p < problem.parameters.size(); ++p) {
    text += (text.empty() ? "" : ", ") + problem.system.parameters[p].name + " " +
            brief(problem.parameters[p][k] * scaling.parameter(static_cast<int>(p)));
  }
  return text;
}

/// Writes the fields and returns the part of the message that names the file. If it cannot be written, only logs a
/// warning, so that the divergence is still reported.
std::string write_fields(const Operator& op, std::span<const double> q, const FileScaling& scaling,
                         const std::filesystem::path& path) {
  try {
    VtkWriter writer(op.discretization(), op.precision(), cell_data(op.problem(), scaling), scaling.parts);
    writer.write(path, q, op.problem().system.field_count(), point_data(op.problem().system, {}, scaling));
    return "; the fields are in " + path.string();
  } catch (const Error& error) {
    log_warning(error.what());
    return "";
  }
}

}  // namespace

HealthCheck::HealthCheck(const Operator& op, Options options)
    : options_(std::move(options)), recorder_(op.record_energies()), count_(op.problem().system.energies.size()) {
  options_.every = std::max(options_.every, 1L);
  if (options_.resumed == nullptr) return;
  options_.decay.load(*options_.resumed);
  if (!options_.resumed->has("health.largest")) return;
  largest_ = options_.resumed->number("health.largest");
  least_ = options_.resumed->number("health.least");
}

void HealthCheck::observe(Operator& op, const Moment& now) {
  if (now.step % options_.every != 0) return;
  record(now);
  check(op, now.step == 0 ? recorder_->take() : recorder_->take_arrived());  // a bad initial state is reported at once
}

void HealthCheck::finish(Operator& op, const Moment& now) {
  if (now.step != checked_step_) record(now);
  check(op, recorder_->take());
}

void HealthCheck::save(Operator& op, const Moment& now, Archive& archive) {
  finish(op, now);
  options_.decay.save(archive);
  archive.put_number("health.largest", largest_);
  archive.put_number("health.least", least_);
}

void HealthCheck::record(const Moment& now) {
  recorder_->record();
  moments_.push_back(now);
  checked_step_ = now.step;
}

void HealthCheck::check(const Operator& op, std::span<const double> energies) {
  for (; !energies.empty(); energies = energies.subspan(count_)) {
    const Moment then = moments_.front();
    moments_.pop_front();
    const double energy =
        std::accumulate(energies.begin(), energies.begin() + static_cast<std::ptrdiff_t>(count_), 0.0);
    if (failed_) continue;
    if (const auto fault = fault_of(energy, then.time)) {
      failed_ = true;
      fail(op, then, energy, *fault);
    }
    energy_before_ = energy;
    options_.decay.add(then.time, energy);
  }
}

std::optional<std::string> HealthCheck::fault_of(double energy, double time) {
  if (!std::isfinite(energy)) return "";
  const bool is_settled = std::isfinite(least_);  // since an earlier check
  const double least = std::max(least_, options_.regrowth_floor * largest_);
  if (!is_settled) largest_ = std::max(largest_, energy);
  if (time > options_.settled_time && largest_ > 0) least_ = std::min(least_, energy);
  const std::string since = "t = " + brief(options_.settled_time * options_.scaling.time) + options_.time_unit +
                            ", from when on sources are ";
  if (is_settled && energy > options_.growth_limit * largest_) {
    return brief(energy / largest_) + " times the largest until " + since + "over or steady";
  }
  if (is_settled && energy > options_.regrowth_limit * least) {
    return brief(energy / least) + " times the least since " + since + "over";
  }
  if (energy > options_.energy_limit) return "";
  return std::nullopt;
}

void HealthCheck::fail(const Operator& op, const Moment& then, double energy, const std::string& fault) const {
  const Discretization& d = op.discretization();
  std::vector<double> q(op.dofs());
  op.get_state(q);
  const std::size_t k = worst_element(d, q);
  const std::string remedy = options_.remedy ? options_.remedy(k) : "";
  const std::string file = options_.file ? write_fields(op, q, options_.scaling, *options_.file) : "";
  const std::string before = brief(energy_before_ * options_.scaling.energy);
  const std::string what =
      std::isfinite(energy)
          ? "its energy grew to " + brief(energy * options_.scaling.energy) + " (" + before + " at the check before)" +
                (fault.empty() ? "" : ", " + fault) + "; the largest field is in "
          : "its energy is no longer a finite number (" + before + " at the check before); first seen in ";
  throw DivergenceError("the solution diverged by step " + std::to_string(then.step) +
                        ", t = " + brief(then.time * options_.scaling.time) + options_.time_unit + ": " + what +
                        where_is(d.mesh, k, options_.length_unit) + ", " + material(op.problem(), k, options_.scaling) +
                        ", quality " + brief(quality(d.mesh, d.geometry, k)) + " of 1" +
                        (remedy.empty() ? "" : "; " + remedy) + file);
}

}  // namespace maxwell_dg::dg
