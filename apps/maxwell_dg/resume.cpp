#include "apps/maxwell_dg/resume.hpp"

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "apps/config/identity.hpp"
#include "apps/maxwell_dg/output_directory.hpp"
#include "apps/maxwell_dg/saved_run.hpp"
#include "apps/maxwell_dg/text.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/digest.hpp"
#include "dg/observe/csv_prefix.hpp"
#include "dg/operator/variants.hpp"

namespace maxwell_dg {
namespace {

constexpr const char* what_to_do = "; resume with what it was made with, or begin anew without --resume";

void require_same_mesh(const dg::Mesh& mesh, const dg::Archive& archive, const std::string& file) {
  if (archive.text("run.mesh") == dg::digest(mesh)) return;
  const auto vertices = static_cast<std::size_t>(archive.integer("run.vertices"));
  const auto elements = static_cast<std::size_t>(archive.integer("run.elements"));
  const bool same_size = vertices == mesh.vertices.size() && elements == mesh.cells.size();
  throw ConfigError(file + ": is of another mesh: that one has " + std::to_string(elements) + " elements and " +
                    std::to_string(vertices) + " vertices, this one " +
                    (same_size ? "as many, but other coordinates, connections or names"
                               : std::to_string(mesh.cells.size()) + " and " + std::to_string(mesh.vertices.size())) +
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
    throw ConfigError(plan.config.blame("time", "the run ends at " + brief(plan.config.end_time()) + ", but " + file +
                                                    " is of a later time, " +
                                                    brief(run.now.time * plan.file_scaling.time) +
                                                    "; give a later end, or begin anew without --resume"));
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

}  // namespace

void describe_run(const Plan& plan, const std::string& kernel_variant, dg::Archive& archive) {
  archive.put_text("run.id", plan.run_id);
  archive.put_text("run.config", config::identity(plan.config));
  archive.put_text("run.mesh", dg::digest(plan.discretization->mesh));
  archive.put_integer("run.elements", static_cast<std::int64_t>(plan.discretization->K()));
  archive.put_integer("run.vertices", static_cast<std::int64_t>(plan.discretization->mesh.vertices.size()));
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

std::optional<dg::FoundCheckpoint> resume(Plan& plan) {
  const std::filesystem::path& directory = plan.config.outputs.directory;
  std::vector<std::string> misfits;
  for (auto found = dg::newest_checkpoint(directory); found;
       found = dg::newest_checkpoint(directory, long{found->name.step})) {
    const std::string file = found->name.path.string();
    try {
      const SavedRun run = SavedRun::of(*found);
      require_same_mesh(plan.discretization->mesh, found->archive, file);
      require_same_config(plan.config, found->archive, file);
      const std::string wrong = misfit(plan, run, found->archive);
      if (!wrong.empty()) {
        misfits.push_back(file + ": " + wrong);
        continue;
      }
      for (const std::string& skipped : misfits) log_warning(skipped + "; skipped");
      go_on(plan, run, file);
      log_info("resumed from " + file + ": step " + std::to_string(plan.first_step) + ", t = " +
               time_text(run.now.time * plan.file_scaling.time, plan.config.units));
      return found;
    } catch (const dg::DamagedCheckpoint& damaged) {
      dg::warn_of_damage(found->name, damaged);
    }
  }
  if (!misfits.empty()) throw OutputError(misfits.front() + "; put the file back, or begin anew without --resume");
  log_info("no checkpoint in " + directory.string() + " to resume from: the run begins anew");
  return std::nullopt;
}

std::optional<dg::Variant> variant_before(const Plan& plan, const dg::Archive& archive) {
  const Dtype precision = plan.config.solver.precision;
  if (archive.text("run.device") != plan.device.info().name || archive.array("q").dtype != precision ||
      archive.integer("run.order") != plan.discretization->N()) {
    return std::nullopt;
  }
  try {
    const dg::Schedule schedule = dg::Schedule::named(archive.text("run.variant"), precision);
    if (schedule.in_basis_of_element() && dg::has_additions(plan.problem, plan.wants_powers())) {
      log_warning("the run that is resumed had the kernel variant '" + schedule.name() +
                  "', which integrates no powers: results will be the same to rounding, not to the bit");
      return std::nullopt;
    }
    const dg::LoweredSystem lowered = dg::lower(plan.problem.system);
    const dg::VariantQuestion question = dg::question_of(lowered, plan.problem, plan.discretization->N(), precision,
                                                         plan.wants_powers(), plan.device.info());
    if (!dg::is_offered(schedule, plan.device.info(), question)) throw std::invalid_argument("not one of this program");
    return dg::Variant{schedule, "of the run that is resumed"};
  } catch (const std::invalid_argument&) {
    log_warning("the run that is resumed had the kernel variant '" + archive.text("run.variant") +
                "', which this program does not have for it: results will be the same to rounding, not to the bit");
    return std::nullopt;
  }
}

}  // namespace maxwell_dg
