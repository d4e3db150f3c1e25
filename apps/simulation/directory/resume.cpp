#include "apps/simulation/directory/resume.hpp"

#include <filesystem>
#include <stdexcept>
#include <utility>
#include <vector>

#include "apps/config/identity.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/directory/earlier_run.hpp"
#include "apps/simulation/directory/saved_run.hpp"
#include "apps/simulation/outputs/ending.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/observe/files/csv_prefix.hpp"
#include "dg/variants/variants.hpp"

namespace maxwell_dg::simulation {
namespace {

constexpr const char* what_to_do = "; resume with what it was made with, or begin anew without --resume";

void require_same_mesh(const Plan& plan, const dg::Archive& archive, const std::string& file) {
  if (plan.is_of_mesh(archive.text("run.mesh"))) return;
  const auto vertices = static_cast<std::size_t>(archive.integer("run.vertices"));
  const auto elements = static_cast<std::size_t>(archive.integer("run.elements"));
  const bool same_size = vertices == plan.whole.vertices && elements == plan.whole.elements;
  throw ConfigError(file + ": is of another mesh: that one has " + std::to_string(elements) + " elements and " +
                    std::to_string(vertices) + " vertices, this one " +
                    (same_size ? "as many, but other coordinates, connections or names"
                               : std::to_string(plan.whole.elements) + " and " + std::to_string(plan.whole.vertices)) +
                    what_to_do);
}

void require_same_config(const config::Config& config, const dg::Archive& archive, const std::string& file) {
  const std::string different = config::differences(archive.text("run.config"), config::identity(config));
  if (!different.empty()) throw ConfigError(file + ": is of another config: " + different + what_to_do);
}

/// The steps that the run had, or new ones from there to the end.
void go_on(Plan& plan, const SavedRun& run, const std::string& file) {
  plan.first_step = run.now.step;
  if (!run.id.empty()) plan.run_id = run.id;
  const bool same_steps = run.largest_dt == plan.largest_dt && run.end == plan.end() && run.method == plan.method->name;
  if (same_steps) {
    plan.dt = run.dt;
    plan.steps = run.steps;
    plan.origin = run.origin;
    return;
  }
  const double left = plan.end() - run.now.time;
  if (left < -1e-3 * plan.largest_dt) {
    refuse(plan.config, "time",
           "the run ends at " + brief(plan.config.end_time()) + ", but " + file + " is of a later time, " +
               brief(run.now.time * plan.file_scaling.time) + "; give a later end, or begin anew without --resume");
  }
  plan.origin = run.now;
  plan.steps = run.now.step;
  if (left <= 1e-3 * plan.largest_dt) return;  // nothing is left to do
  const long count = steps_for(left, plan.largest_dt);
  plan.steps += count;
  plan.dt = left / static_cast<double>(count);
}

/// Tables that the run goes on with, where it had them before.
std::vector<std::string> tables_of(const config::Outputs& outputs) {
  std::vector<std::string> tables;
  if (!outputs.probes.empty()) tables.emplace_back("probes");
  if (outputs.energy) tables.emplace_back("energy");
  if (outputs.energy && outputs.energy->balance) tables.emplace_back("balance");
  if (outputs.elements) tables.emplace_back("elements");
  return tables;
}

/// Why the files in the output directory are not those that go with a checkpoint; empty where they are.
std::string misfit(const Plan& plan, const SavedRun& run, const dg::Archive& archive) {
  const std::filesystem::path& directory = plan.config.outputs.directory;
  const std::string here = run_id_in(directory);
  if (!run.id.empty() && !here.empty() && run.id != here) {
    return "is of another run than the results in this directory";
  }
  for (const std::string& table : tables_of(plan.config.outputs)) {
    if (!archive.has(table + ".bytes")) continue;
    const std::filesystem::path file = directory / (table + ".csv");
    const std::string objection = dg::CsvPrefix::saved(table, archive).objection(file);
    if (!objection.empty()) return "does not go with " + file.string() + ": " + objection;
  }
  return "";
}

/// How the run of a checkpoint was computed otherwise than this one: "solver.order is 3, it was 2; ..."; empty where it
/// was not.
std::string other_computation(const Plan& plan, const SavedRun& run, const dg::Archive& archive) {
  std::string text;
  const auto compare = [&](const char* key, const std::string& is, const std::string& was) {
    if (is != was) text += (text.empty() ? "" : "; ") + std::string(key) + " is " + is + ", it was " + was;
  };
  const auto precision = [](Dtype type) { return type == Dtype::float32 ? "single" : "double"; };
  compare("solver.order", std::to_string(plan.discretization->N()), std::to_string(archive.integer("run.order")));
  compare("solver.precision", precision(plan.config.solver.precision), precision(archive.array("q").dtype));
  compare("solver.integrator", plan.method->name, run.method);
  if (text.empty() && run.largest_dt != plan.largest_dt) {
    text = "solver.cfl is " + brief(plan.config.solver.cfl) + ", it was " +
           brief(plan.config.solver.cfl * run.largest_dt / plan.largest_dt);
  }
  return text;
}

/// How the results in the directory are not those of this config and mesh: "of another mesh"; empty where they are.
std::string mismatch(const Plan& plan, const EarlierRun& earlier) {
  if (!earlier.config) return "of a config.resolved.yaml that this program cannot read";
  const std::string different =
      config::differences(config::result_settings(*earlier.config), config::result_settings(plan.config));
  if (!different.empty()) return "of another config: " + different;
  return plan.is_of_mesh(earlier.mesh) ? "" : "of another mesh";
}

Resumption say_finished(const Plan& plan) {
  log_info(plan.config.outputs.directory.string() +
           ": this run is finished, there is nothing to do; to run it again, leave out --resume");
  return {.is_finished = true};
}

/// Of a run with no step left to do: refuses to pass for results of this config what was computed otherwise, or not
/// written on the way.
Resumption at_the_end(const Plan& plan, const SavedRun& run, dg::FoundCheckpoint found) {
  const std::optional<EarlierRun> earlier = earlier_run_in(plan.config.outputs.directory);
  std::string different = other_computation(plan, run, found.archive);
  if (different.empty() && earlier && earlier->config) {
    different = config::differences(config::settings_until_the_end(*earlier->config),
                                    config::settings_until_the_end(plan.config));
  }
  if (!different.empty()) {
    throw ConfigError(found.name.path.string() + ": is the end of a run that was done otherwise: " + different +
                      "; take another --output, or begin anew without --resume");
  }
  if (earlier && earlier->outcome == "done" && mismatch(plan, *earlier).empty()) return say_finished(plan);
  return {.from = std::move(found)};  // its end was cut short, or is compared with something else
}

/// Why the results of an earlier run cannot be gone on with; the directory has no checkpoint that can be read.
std::string why_not(const Plan& plan, const std::optional<EarlierRun>& earlier) {
  if (!dg::checkpoints_in(plan.config.outputs.directory).empty()) return "none of its checkpoints can be read";
  if (!earlier) return "no config.resolved.yaml says which run they are of";
  const std::string other = mismatch(plan, *earlier);
  if (!other.empty()) return "they are " + other;
  return "the run " + (earlier->outcome.empty() ? "was broken off" : "has the outcome \"" + earlier->outcome + "\"") +
         (earlier->config->checkpoint ? ", and it left no checkpoint" : ", and its config had no `checkpoint`");
}

Resumption without_checkpoint(const Plan& plan, const OutputDirectory& outputs) {
  const std::string directory = plan.config.outputs.directory.string();
  const std::string results = outputs.results();
  const std::optional<EarlierRun> earlier = earlier_run_in(directory);
  if (results.empty() && (!earlier || earlier->outcome.empty())) {
    log_info("no checkpoint in " + directory + " to resume from, and no results: the run begins");
    return {};
  }
  const bool is_same = earlier && mismatch(plan, *earlier).empty();
  if (is_same && earlier->outcome == "done") return say_finished(plan);
  const bool has_checkpoints = !dg::checkpoints_in(directory).empty();
  if (is_same && !has_checkpoints && earlier->outcome.empty() && earlier->config->checkpoint) {
    log_info("no checkpoint in " + directory +
             " to resume from: this run was killed before its first one, and begins again");
    return {};
  }
  throw ConfigError(directory + ": holds results of an earlier run (" + (results.empty() ? "summary.json" : results) +
                    ") but no checkpoint to resume from: " + why_not(plan, earlier) +
                    "; run without --resume to begin anew, which removes them, or take another --output");
}

}  // namespace

void describe_run(const Plan& plan, const std::string& kernel_variant, dg::Archive& archive) {
  archive.put_text("run.id", plan.run_id);
  archive.put_text("run.config", config::identity(plan.config));
  archive.put_text("run.mesh", plan.mesh_digest);
  archive.put_integer("run.elements", static_cast<std::int64_t>(plan.whole.elements));
  archive.put_integer("run.vertices", static_cast<std::int64_t>(plan.whole.vertices));
  archive.put_integer("run.order", plan.discretization->N());
  archive.put_number("run.largest_dt", plan.largest_dt);
  archive.put_number("run.end", plan.end());
  archive.put_text("run.method", plan.method->name);
  archive.put_number("run.dt", plan.dt);
  archive.put_integer("run.steps", plan.steps);
  archive.put_integer("run.origin.step", plan.origin.step);
  archive.put_number("run.origin.time", plan.origin.time);
  archive.put_text("run.device", plan.device.info().name);
  archive.put_text("run.variant", kernel_variant);
}

Resumption resume(Plan& plan, const OutputDirectory* outputs) {
  const std::filesystem::path& directory = plan.config.outputs.directory;
  std::vector<std::string> misfits;
  for (auto found = dg::newest_checkpoint(directory, std::nullopt, plan.ranks); found;
       found = dg::newest_checkpoint(directory, long{found->name.step}, plan.ranks)) {
    const std::string file = found->name.path.string();
    try {
      const SavedRun run = SavedRun::of(*found);
      require_same_mesh(plan, found->archive, file);
      require_same_config(plan.config, found->archive, file);
      const std::string wrong = plan.ranks.broadcast(plan.ranks.is_first() ? misfit(plan, run, found->archive) : "");
      if (!wrong.empty()) {
        misfits.push_back(file + ": " + wrong);
        continue;
      }
      for (const std::string& skipped : misfits) log_warning(skipped + "; skipped");
      go_on(plan, run, file);
      const bool is_of_end = plan.first_step == plan.steps || Ending::is_of_end(found->archive, plan);
      if (is_of_end) return at_the_end(plan, run, std::move(*found));
      log_info("resumed from " + file + ": step " + std::to_string(plan.first_step) +
               ", t = " + time_text(run.now.time * plan.file_scaling.time, plan.config.units));
      const std::string different = other_computation(plan, run, found->archive);
      if (!different.empty()) {
        log_warning("the run was computed otherwise up to step " + std::to_string(plan.first_step) + ": " + different);
      }
      return {.from = std::move(found)};
    } catch (const dg::DamagedCheckpoint& damaged) {
      dg::warn_of_damage(found->name, damaged);
    }
  }
  if (!misfits.empty()) throw OutputError(misfits.front() + "; put the file back, or begin anew without --resume");
  return outputs == nullptr ? Resumption{} : without_checkpoint(plan, *outputs);
}

std::string how_to_go_on(const Plan& plan) {
  if (!plan.config.checkpoint) {
    return "it cannot be resumed, for its config has no checkpoints; with `checkpoint: {every: 10 min}` it could be";
  }
  const std::vector<dg::CheckpointName> there = dg::checkpoints_in(plan.config.outputs.directory);
  if (there.empty()) return "it cannot be resumed, for there is no checkpoint";
  return "the same command with --resume goes on from " + there.back().path.string();
}

std::optional<dg::Variant> variant_before(const Plan& plan, const dg::Archive& archive) {
  const Dtype precision = plan.config.solver.precision;
  if (archive.text("run.device") != plan.device.info().name || archive.array("q").dtype != precision ||
      archive.integer("run.order") != plan.discretization->N()) {
    return std::nullopt;
  }
  try {
    const dg::Schedule schedule = dg::Schedule::named(archive.text("run.variant"));
    if (schedule.in_basis_of_element() && dg::has_additions(plan.problem, plan.wants_powers())) {
      log_warning("the run that is resumed had the kernel variant '" + schedule.name() +
                  "', which integrates no powers: results will be the same to rounding, not to the bit");
      return std::nullopt;
    }
    const dg::LoweredSystem lowered = dg::lower(plan.problem.system);
    const dg::VariantQuestion question = dg::question_of(lowered, plan.problem, plan.stages(), plan.device.info());
    if (!dg::is_offered(schedule, plan.device.info(), question)) throw std::invalid_argument("not one of this program");
    return dg::Variant{schedule, "of the run that is resumed"};
  } catch (const std::invalid_argument&) {
    log_warning("the run that is resumed had the kernel variant '" + archive.text("run.variant") +
                "', which this program does not have for it: results will be the same to rounding, not to the bit");
    return std::nullopt;
  }
}

}  // namespace maxwell_dg::simulation
