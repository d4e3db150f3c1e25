#include "apps/simulation/checks/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "apps/config/materials/loss_tangent.hpp"
#include "apps/config/resolve.hpp"
#include "apps/simulation/checks/mesh_lines.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/checks/plausibility.hpp"
#include "apps/simulation/outputs/frequency_outputs.hpp"
#include "apps/simulation/outputs/snapshots.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/ports.hpp"
#include "apps/simulation/rate.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/mesh/box_tree.hpp"

namespace maxwell_dg::simulation {
namespace {

/// Lines of YAML comments: "# name: value". Of several ranks with parts of the mesh all make them, and the first one's
/// count.
class Forecast {
 public:
  Forecast(const Plan& plan, std::vector<RankRow> ranks)
      : plan_(plan), d_(*plan.discretization), with_parts_(plan.ranks_with_parts()), ranks_(std::move(ranks)) {}

  [[nodiscard]] std::string text() {
    line("device", plan_.device.info().name + (plan_.device_reason.empty() ? "" : " (" + plan_.device_reason + ")"));
    mesh();
    line("dofs", std::to_string(std::llround(plan_.dofs())));
    memory();
    line("dt", time_text(plan_.config.end_time() / static_cast<double>(plan_.steps), plan_.config.units));
    line("steps", (plan_.end_rule ? "at most " : "") + std::to_string(plan_.steps));
    if (plan_.end_rule) end_by_decay(*plan_.end_rule);
    for (const auto& [what, text] : config::describe_loss_tangents(plan_.config)) line(what, text);
    if (plan_.pml) line("PML", describe_pml(plan_));
    waves();
    if (const auto sampling = fourier_sampling(plan_)) {
      line("Fourier sums",
           "a sample every " + (sampling->every == 1 ? "step" : std::to_string(sampling->every) + " steps"));
    }
    files();
    time();
    return text_;
  }

 private:
  void line(const std::string& name, const std::string& value) { text_ += "# " + name + ": " + value + "\n"; }

  void memory() {
    if (plan_.ranks.size() == 1) {
      return line("device memory", bytes_text(plan_.device_bytes) + ", free are " + bytes_text(free_bytes(plan_)) +
                                       " of " + bytes_text(plan_.device.info().memory_bytes));
    }
    for (const std::string& text : describe_partition(plan_, ranks_)) text_ += "# " + text + "\n";
  }

  void mesh() {
    const auto [bent, varying] =
        counts_of_curved_and_varying(d_, config::varying_regions(plan_.config, d_.mesh.regions), with_parts_);
    const double order_of_maps = core::largest_of(with_parts_, d_.mesh.curved.order);
    std::string elements = std::to_string(plan_.whole.elements);
    if (bent > 0) {
      elements += ", " + std::to_string(bent) + " of them curved, by maps of order " +
                  std::to_string(std::lround(order_of_maps));
    }
    if (varying > 0) {
      elements += std::string(bent > 0 ? "; in " : ", in ") + std::to_string(varying) + " of them media vary" +
                  (bent > 0 ? "" : ", and none is curved");
    }
    line("elements", elements);
    line("elements by region", elements_by_region(d_.mesh, d_.own(), with_parts_));
    line("faces by surface",
         faces_by_surface(plan_.is_part ? named_faces(d_, with_parts_) : named_faces(d_.mesh), d_.mesh.surfaces,
                          plan_.whole.box, [&](double length) { return length_text(length, plan_.config.units); }));
    const auto [shortest, longest] = lengths_of_edges(d_.mesh, with_parts_);
    line("edges", length_text(shortest, plan_.config.units) + " to " + length_text(longest, plan_.config.units));
    dg::BoundingBox box = dg::extent_of(d_.mesh);
    with_parts_.min(box.min);
    with_parts_.max(box.max);
    std::string size, waves;
    const double frequency = highest_frequency(plan_.config);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double length = box.max[axis] - box.min[axis];
      const std::string times = axis == 0 ? "" : " x ";
      size += times + length_text(length, plan_.config.units);
      waves += times + core::brief(length * frequency * plan_.scaling.frequency);
    }
    const bool has_waves = frequency > 0 && plan_.config.equations().is_maxwell;
    line("mesh",
         size + (has_waves ? ", " + waves + " wavelengths in vacuum at " + frequency_text(frequency, plan_.config.units)
                           : ""));
  }

  void end_by_decay(const EndRule& rule) {
    const auto text = [&](double t) { return time_text(t / plan_.scaling.time, plan_.config.units); };
    line("end by decay", "not before t = " + text(rule.earliest()) + ": the sources end at " + text(rule.sources_end) +
                             ", and levels are the largest of the latest " + text(rule.window));
  }

  void waves() {
    const double frequency = highest_frequency(plan_.config);
    if (frequency > 0) {
      double least = worst_resolution(plan_, frequency).points_per_wavelength;
      with_parts_.min({&least, 1});
      line("points per wavelength",
           "at least " + core::brief(least) + " at " + frequency_text(frequency, plan_.config.units));
    }
    for (std::size_t i = 0; i < plan_.config.sources.size(); ++i) {
      const config::Waveform* of_source = config::waveform_of(plan_.config.sources[i]);
      if (of_source != nullptr) waveform(*of_source, "source " + std::to_string(i));
    }
    for (std::size_t p = 0; p < plan_.ports.size(); ++p) {
      line("port " + plan_.config.ports[p].name, describe_port(plan_, p));
    }
  }

  void waveform(const config::Waveform& waveform, const std::string& name) {
    using Type = config::Waveform::Type;
    if (waveform.type == Type::sine) {
      return line(
          name, "a sine, at full strength after two periods, " + time_text(2 / waveform.frequency, plan_.config.units));
    }
    if (waveform.type == Type::expression) return;
    const double peak = dg::maxwell::peak_time(make_waveform(plan_.config, waveform)) / plan_.scaling.time;
    line(name, std::string(waveform.type == Type::ricker ? "a ricker" : "a Gaussian pulse") + " that peaks at t = " +
                   time_text(peak, plan_.config.units) + (waveform.delay ? "" : " (delay is automatic)"));
  }

  void files() {
    for (const auto& [output, count, bytes] : snapshots(plan_)) {
      const auto text = [](double size) { return bytes_text(static_cast<std::size_t>(size)); };
      line(output, core::counted(count, "file", "files") + " of about " + text(bytes) +
                       (count == 1 ? "" : ", " + text(bytes * static_cast<double>(count)) + " in all"));
    }
  }

  void time() {
    const Expected rate = expected(plan_);
    const double stages = static_cast<double>(plan_.steps) * plan_.method->stages();
    double set_up = rate.prepare_seconds;
    for (const auto& [part, seconds] : plan_.seconds) set_up += seconds;  // was done just now
    const double loop = stages * rate.stage_seconds;
    line("time", std::string(plan_.end_rule ? "at most, " : "") + (rate.is_guess ? "very roughly " : "about ") +
                     clock_text(set_up + loop) + " (set-up " + clock_text(set_up) + ", time loop " + clock_text(loop) +
                     " at " + core::brief(plan_.dofs() / rate.stage_seconds / 1e9) + " GDOF/s), by " + rate.source);
  }

  const Plan& plan_;
  const dg::Discretization& d_;
  core::Communicator with_parts_;
  std::vector<RankRow> ranks_;  ///< of a run of several, on the first
  std::string text_;
};

}  // namespace

std::string forecast(const Plan& plan, std::vector<RankRow> ranks) {
  return Forecast(plan, std::move(ranks)).text();
}

}  // namespace maxwell_dg::simulation
