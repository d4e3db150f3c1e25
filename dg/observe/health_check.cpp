#include "dg/observe/health_check.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/mpi/first_error.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/quality.hpp"
#include "dg/observe/files/snapshot_files.hpp"
#include "dg/observe/files/vtk_data.hpp"

namespace maxwell_dg::dg {
namespace {

using core::brief;

struct Worst {
  double largest = -1;      ///< value in an element; infinite where one is not finite
  std::size_t element{};    ///< of the part
  std::int64_t of_whole{};  ///< its number in the whole mesh
};

/// The first own element with a value that is not finite; if there is none, the element with the largest value.
Worst worst_of_own(const Operator& op) {
  const Discretization& part = op.part();
  const auto stride = static_cast<std::size_t>(op.problem().system.field_count() * part.Np());
  Worst worst;
  op.own_state([&](std::size_t first, std::span<const double> q) {
    for (std::size_t k = first; k < first + q.size() / stride; ++k) {
      double largest = 0;
      for (const double value : q.subspan((k - first) * stride, stride)) {
        largest = std::max(largest, std::isfinite(value) ? std::abs(value) : std::numeric_limits<double>::infinity());
      }
      const std::int64_t number = part.whole_numbers.empty() ? static_cast<std::int64_t>(k) : part.whole_numbers[k];
      if (largest > worst.largest || (largest == worst.largest && number < worst.of_whole))
        worst = {largest, k, number};
    }
  });
  return worst;
}

/// The rank that has the worst element of all. Collective.
int rank_of_worst(const core::Communicator& ranks, const Worst& mine) {
  Worst worst;
  int rank = 0;
  const auto all = ranks.gather_to_all(std::as_bytes(std::span(&mine, 1)));
  for (std::size_t r = 0; r < all.size(); ++r) {
    const Worst theirs = core::values_of<Worst>(all[r]).front();
    if (theirs.largest < worst.largest || (theirs.largest == worst.largest && theirs.of_whole > worst.of_whole))
      continue;
    worst = theirs;
    rank = static_cast<int>(r);
  }
  return rank;
}

std::string material(const Problem& problem, std::size_t k, const FileScaling& scaling) {
  std::string text;
  for (std::size_t p = 0; p < problem.parameters.size(); ++p) {
    text += (text.empty() ? "" : ", ") + problem.system.parameters[p].name + " " +
            brief(problem.parameters[p][k] * scaling.parameter(static_cast<int>(p)));
  }
  return text;
}

/// Writes the fields, piece by piece: the state on the device may be larger than what the host has left. Returns the
/// part of the message that names the file. If it cannot be written, only logs a warning, so that the divergence is
/// still reported. Collective.
std::string write_fields(const Operator& op, const FileScaling& scaling, const std::filesystem::path& path) {
  const VtkWriter writer(op.part(), op.precision(), cell_data(op.problem_of_part(), scaling), scaling.parts);
  const std::vector<VtkWriter::PointData> data = point_data(op.problem().system, {}, scaling);
  const SnapshotFiles files(
      path.parent_path(),
      {.name = path.stem().string(),
       .cells = op.part().own(),
       .write_vtu =
           [&](const std::filesystem::path& file, std::span<const double>) {
             writer.write_once(
                 file, [&](const TakeElements& take) { op.own_state(take); }, op.problem().system.field_count(), data);
           },
       .write_pvtu = [&](const std::filesystem::path& file,
                         std::span<const std::string> pieces) { writer.write_pieces(file, data, pieces); }},
      op.ranks());
  const auto failure_of = [&](const auto& write) { return core::first_error<Error>(op.ranks(), write); };
  const std::string stem = path.stem().string();
  std::string failure = failure_of([&] { files.write(stem, {}); });
  if (failure.empty()) {
    failure = failure_of([&] {
      if (op.ranks().is_first()) files.write_whole(stem);
    });
  }
  if (failure.empty()) return "; the fields are in " + (path.parent_path() / (stem + files.extension())).string();
  log_warning(failure);
  return "";
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
  if (now.step % options_.every != 0) options_.decay.add(now.time, energy_before_);
}

void HealthCheck::flush(Operator& op, const Moment&) {
  check(op, recorder_->take());
}

void HealthCheck::save(Operator& op, const Moment& now, Archive& archive) {
  if (now.step != checked_step_) record(now);
  check(op, recorder_->take());
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
    if (then.step % options_.every == 0) options_.decay.add(then.time, energy);
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
  const Worst worst = worst_of_own(op);
  const int rank = rank_of_worst(op.ranks(), worst);
  std::string element;
  if (op.ranks().rank() == rank) {
    const Discretization& d = op.discretization();
    // As the operator numbers them, which may have nothing but the part.
    const std::size_t k = &d == &op.part() ? worst.element : static_cast<std::size_t>(worst.of_whole);
    const std::string remedy = options_.remedy ? options_.remedy(k) : "";
    element = where_is(d.mesh, k, options_.length_unit) + ", " +
              material(op.problem_of_part(), worst.element, options_.scaling) + ", quality " +
              brief(quality(d.mesh, d.geometry, k)) + " of 1" + (remedy.empty() ? "" : "; " + remedy);
  }
  element = op.ranks().broadcast(element, rank);
  const std::string file = options_.file ? write_fields(op, options_.scaling, *options_.file) : "";
  const std::string before = brief(energy_before_ * options_.scaling.energy);
  const std::string what =
      std::isfinite(energy)
          ? "its energy grew to " + brief(energy * options_.scaling.energy) + " (" + before + " at the check before)" +
                (fault.empty() ? "" : ", " + fault) + "; the largest field is in "
          : "its energy is no longer a finite number (" + before + " at the check before); first seen in ";
  throw DivergenceError("the solution diverged by step " + std::to_string(then.step) + ", t = " +
                        brief(then.time * options_.scaling.time) + options_.time_unit + ": " + what + element + file);
}

}  // namespace maxwell_dg::dg
