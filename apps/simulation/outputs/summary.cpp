#include "apps/simulation/outputs/summary.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "apps/simulation/text.hpp"
#include "core/atomic_file.hpp"
#include "core/counted.hpp"
#include "core/json_text.hpp"
#include "core/resident_memory.hpp"
#include "dg/variants/work.hpp"

namespace maxwell_dg::simulation {
namespace {

using Json = nlohmann::ordered_json;

double peak_energy(const Summary& s) {
  double peak = std::max(s.initial_energy, s.final_energy);
  for (const Decay& decay : s.decays) peak = std::max(peak, decay.peak);
  return peak;
}

/// Of the last energy against the largest.
std::optional<double> level_db(const Summary& s) {
  const double ratio = s.final_energy / peak_energy(s);
  if (!(ratio > 0)) return std::nullopt;
  return 10 * std::log10(ratio);
}

Json nullable(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json decay_json(const Decay& decay) {
  Json json{{"energy_db", nullable(decay.level_db)}};
  if (!decay.driven.empty()) json["driven"] = decay.driven;
  for (const Decay::Level& wave : decay.waves) json["ports"][wave.name] = nullable(wave.level_db);
  for (const Decay::Level& probe : decay.probes) json["probes"][probe.name] = nullable(probe.level_db);
  if (decay.ended) json["ended"] = *decay.ended;
  return json;
}

Json antenna_json(const Plan& plan, const dg::AntennaFigures& figures) {
  Json json;
  for (const auto& [name, value] : figures) {
    if (name == "port") {
      json[name] = plan.config.ports.at(static_cast<std::size_t>(value) - 1).name;
    } else {
      json[name] = std::isfinite(value) ? Json(value) : Json(nullptr);
    }
  }
  return json;
}

/// Of an entry of `antenna`.
Json radiated_power_json(const Json& antenna) {
  Json json{{"frequency", antenna["frequency"]}, {"power", antenna["radiated_power"]}};
  if (antenna.contains("port")) json["port"] = antenna["port"];
  return json;
}

}  // namespace

double gdof_per_second(const Summary& summary, const Plan& plan) {
  const double stages = static_cast<double>(summary.made) * plan.method->stages();
  return plan.dofs() * stages / std::max(summary.loop_seconds, 1e-9) / 1e9;
}

std::string summary_json(const Summary& s, const Plan& plan) {
  const dg::Discretization& d = *plan.discretization;
  const double gdof = gdof_per_second(s, plan);
  Json json;
  json["outcome"] = s.outcome;
  if (!s.ended_by.empty()) json["ended_by"] = s.ended_by;
  json["run"] = plan.run_id;
  json["device"] = plan.device.info().name;
  json["backend"] = core::name_of(plan.device.info().backend);
  json["precision"] = plan.config.solver.precision == Dtype::float32 ? "single" : "double";
  json["order"] = d.N();
  json["elements"] = plan.whole.elements;
  if (plan.whole.curved > 0) json["curved_elements"] = plan.whole.curved;
  json["dofs"] = static_cast<std::size_t>(plan.dofs());
  if (plan.pml) json["pml"] = {{"reflection", plan.pml->reflection()}};
  json["dt"] = plan.dt * plan.file_scaling.time;
  json["steps"] = s.steps;
  if (s.first_step > 0) json["resumed_from_step"] = s.first_step;
  json["time_end"] = s.time_end;
  json["wall_seconds"] = s.wall_seconds;
  json["setup_seconds"] = s.setup_seconds;
  json["loop_seconds"] = s.loop_seconds;
  double other = s.setup_seconds;
  for (const auto& [part, seconds] : plan.seconds) {
    json["setup"][part] = seconds;
    other -= seconds;
  }
  json["setup"]["other"] = std::max(other, 0.0);
  json["gdof_per_second"] = gdof;
  const dg::StageWork work = dg::stage_work(plan.problem.system, d.N(), plan.config.solver.precision);
  const double gflops = gdof / work.dofs * work.flops;
  json["gflops"] = gflops;
  json["roofline_fraction"] = nullptr;
  if (s.ceilings) {
    json["roofline_fraction"] =
        dg::roofline(work, 1e9 * gdof / work.dofs, *s.ceilings, plan.config.solver.precision).larger();
  }
  json["kernel_variant"] = s.kernel_variant;
  json["device_bytes"] = {{"forecast", plan.device_bytes}, {"allocated", s.device_bytes}};
  json["host_bytes"] = peak_resident_bytes();
  json["compile"] = {{"kernels", s.compile.kernels},
                     {"cache_hits", s.compile.cache_hits},
                     {"cache_misses", s.compile.cache_misses},
                     {"seconds", s.compile.seconds}};
  json["energy"] = {{"initial", s.initial_energy},
                    {"final", s.final_energy},
                    {"peak", peak_energy(s)},
                    {"level_db", nullable(level_db(s))}};
  for (const Decay& decay : s.decays) {
    if (!decay.driven.empty() || !decay.probes.empty()) json["decay"].push_back(decay_json(decay));
  }
  for (const dg::ErrorNorm& error : s.errors) json["error"][error.name] = {{"l2", error.l2}, {"linf", error.linf}};
  for (const dg::AntennaFigures& figures : s.antenna) {
    json["antenna"].push_back(antenna_json(plan, figures));
    json["radiated_power"].push_back(radiated_power_json(json["antenna"].back()));
  }
  if (plan.partition) {
    json["partition"] = {{"method", name_of(plan.partition->method)},
                         {"faces_cut", plan.partition->quality.faces_cut},
                         {"imbalance", plan.partition->quality.imbalance}};
    if (s.transport) json["partition"]["exchange"] = name_of(*s.transport);
  }
  for (const RankRow& row : s.ranks) {
    json["ranks"].push_back({{"rank", row.rank},
                             {"host", row.host},
                             {"device", row.device},
                             {"elements", row.load.elements},
                             {"ghost_elements", row.load.ghosts},
                             {"faces_cut", row.load.faces_cut},
                             {"neighbours", row.load.neighbours},
                             {"bytes_sent_per_stage", row.bytes_sent_per_stage},
                             {"cost", row.load.cost},
                             {"kernels_compiled", row.compiled},
                             {"device_bytes", {{"forecast", row.forecast_bytes}, {"allocated", row.allocated_bytes}}},
                             {"host_bytes", row.host_bytes}});
  }
  json["warnings"] = s.warnings;
  return json_text(json) + "\n";
}

void write_summary(const Summary& summary, const Plan& plan, const std::filesystem::path& file) {
  write_file_atomically(file, summary_json(summary, plan));
}

std::string summary_text(const Summary& s, const Plan& plan) {
  const bool si = plan.config.units == config::Units::si;
  const std::string by = s.ended_by == "decay" ? " (the fields have died away)" : "";
  std::string text = s.outcome + by + ": " + core::counted(s.steps, "step", "steps") +
                     " to t = " + with_prefix(s.time_end, si ? "s" : "") + ", " +
                     core::counted(plan.whole.elements, "element", "elements") + " of order " +
                     std::to_string(plan.discretization->N()) + ", in " + brief(s.wall_seconds) + " s: set-up " +
                     brief(s.setup_seconds) + " s, time loop " + brief(s.loop_seconds) + " s with " +
                     brief(gdof_per_second(s, plan)) + " GDOF/s on " + plan.device.info().name;
  const std::string joule = si ? " J" : "";
  text += "\nenergy: peak " + brief(peak_energy(s)) + joule + " -> final " + brief(s.final_energy) + joule + " (" +
          level_text(level_db(s)) + ")";
  for (const dg::ErrorNorm& error : s.errors) {
    text += "\nerror of " + error.name + ": " + brief(error.l2) + " in L2, " + brief(error.linf) + " at most";
  }
  return text;
}

}  // namespace maxwell_dg::simulation
