#include "apps/maxwell_dg/resume.hpp"

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "apps/config/identity.hpp"
#include "apps/maxwell_dg/text.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/digest.hpp"
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

void go_on(Plan& plan, const dg::Archive& archive, const std::string& file) {
  const dg::Moment then{.step = static_cast<long>(archive.integer("step")), .time = archive.number("time")};
  plan.first_step = then.step;
  const bool same_steps = archive.number("run.largest_dt") == plan.largest_dt &&
                          archive.number("run.end") == plan.end() && archive.text("run.method") == plan.method->name;
  if (same_steps) {
    plan.dt = archive.number("run.dt");
    plan.steps = static_cast<long>(archive.integer("run.steps"));
    plan.origin = {.step = static_cast<long>(archive.integer("run.origin.step")),
                   .time = archive.number("run.origin.time")};
    return;
  }
  const double left = plan.end() - then.time;
  if (left < -1e-3 * plan.largest_dt) {
    throw ConfigError(plan.config.blame(
        "time", "the run ends at " + brief(plan.config.end_time()) + ", but " + file + " is of a later time, " +
                    brief(then.time * plan.file_scaling.time) + "; give a later end, or begin anew without --resume"));
  }
  plan.origin = then;
  plan.steps = then.step;
  if (left <= 1e-3 * plan.largest_dt) return;  // nothing is left to do
  const long count = steps_for(left, plan.largest_dt);
  plan.steps += count;
  plan.dt = left / static_cast<double>(count);
}

}  // namespace

void describe_run(const Plan& plan, const std::string& kernel_variant, dg::Archive& archive) {
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
  std::optional<dg::FoundCheckpoint> found = dg::newest_checkpoint(directory);
  if (!found) {
    log_info("no checkpoint in " + directory.string() + " to resume from: the run begins anew");
    return std::nullopt;
  }
  const std::string file = found->name.path.string();
  require_same_mesh(plan.discretization->mesh, found->archive, file);
  require_same_config(plan.config, found->archive, file);
  go_on(plan, found->archive, file);
  log_info("resumed from " + file + ": step " + std::to_string(plan.first_step) + ", t = " +
           with_prefix(found->archive.number("time") * plan.file_scaling.time,
                       plan.config.units == config::Units::si ? "s" : ""));
  return found;
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
    return dg::Variant{schedule, "of the run that is resumed"};
  } catch (const std::invalid_argument&) {
    log_warning("the run that is resumed had the kernel variant '" + archive.text("run.variant") +
                "', which this program does not know: results will be the same to rounding, not to the bit");
    return std::nullopt;
  }
}

}  // namespace maxwell_dg
