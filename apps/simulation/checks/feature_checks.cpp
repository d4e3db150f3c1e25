#include "apps/simulation/checks/feature_checks.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "apps/config/resolve.hpp"
#include "apps/config/transforms.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/pml_region.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "dg/mesh/quality.hpp"
#include "dg/mesh/surface_sides.hpp"
#include "dg/symbolic/fields.hpp"

namespace maxwell_dg::simulation {
namespace {

std::string element_text(const Plan& plan, std::size_t k) {
  return dg::where_is(plan.discretization->mesh, k, config::unit_in(plan.config.units, " m"));
}

void warn_of_probes_in_pml(const Plan& plan, const std::vector<bool>& in_pml) {
  for (std::size_t i = 0; i < plan.probes.size(); ++i) {
    const std::size_t k = plan.probes[i].cell;
    if (k == dg::PointLocation::elsewhere || !in_pml[k]) continue;
    warn(plan.config, "outputs.probes." + std::to_string(i) + ".at",
         "probe '" + plan.config.outputs.probes[i].name +
             "' lies in the PML, where fields are damped: they are not those of open space");
  }
}

/// The moved space of the PML is that of isotropic media.
void warn_of_media_in_pml(const Plan& plan, const std::vector<bool>& in_pml) {
  const auto& parameters = plan.problem.system.parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const std::string& name = parameters[p].name;
    const bool couples = name.ends_with("_yz") || name.ends_with("_xz") || name.ends_with("_xy");
    if (!couples) continue;
    const dg::symbolic::Expr component = inside(dg::symbolic::ParameterField{static_cast<int>(p)});
    const std::vector<double> largest = largest_in_each_element(plan.problem, abs(component), in_pml.size());
    for (std::size_t k = 0; k < in_pml.size(); ++k) {
      if (!in_pml[k] || largest[k] == 0) continue;
      return warn(
          plan.config, key_of_pml(plan.config),
          "holds a medium with a tensor whose axes are not x, y and z, in " + element_text(plan, k) +
              ": the PML is not matched to it, and reflects; compare two thicknesses, or end the medium before");
    }
  }
}

/// An absorbing boundary is matched to the constants alone.
void warn_of_media_that_reflect(const Plan& plan) {
  const std::vector<bool> has_poles = elements_of_terms(plan.problem, plan.discretization->K(), "dispersion");
  for (std::size_t b = 0; b < plan.problem.boundary.size(); ++b) {
    const auto k = dg::index(plan.discretization->connectivity.boundary_faces[b].cell);
    if (!condition_at(plan.problem, b).traits.absorbs || !has_poles[k]) continue;
    return warn(plan.config, "boundaries",
                "an absorbing boundary touches a medium with poles, in " + element_text(plan, k) +
                    ": it absorbs waves of the medium's epsilon_r at infinite frequency, and reflects others; end the "
                    "medium before");
  }
}

bool same(const config::Waveform& a, const config::Waveform& b) {
  return a.type == b.type && a.frequency == b.frequency && a.bandwidth == b.bandwidth && a.delay == b.delay &&
         a.value == b.value;
}

/// Of a far field of plane waves and other sources.
void warn_of_several_radiators(const Plan& plan) {
  const auto& sources = plan.config.sources;
  const bool is_of_wave = std::holds_alternative<config::PlaneWave>(sources.front());
  const std::size_t waves = config::sources_of<config::PlaneWave>(plan.config).size();
  if (!plan.config.outputs.far_field || waves == 0 || (waves == 1 && sources.size() == 1)) return;
  warn(plan.config, "outputs.far_field",
       std::string("holds what all sources radiate or scatter together, ") +
           (is_of_wave ? "no radar cross section for one incident wave" : "no radiation of an antenna") +
           ": run them one by one");
}

/// Of what is divided by the first source's waveform.
void warn_of_normalization(const Plan& plan) {
  const std::vector<config::Transform> transforms = config::transforms(plan.config);
  const auto& sources = plan.config.sources;
  if (transforms.empty() || sources.empty()) return;
  const std::string key = "outputs." + transforms.front().name;
  warn_of_several_radiators(plan);
  const config::Waveform* first = config::waveform_of(sources.front());
  if (first == nullptr) return;
  if (has_initial_fields(plan.config, plan.problem.system)) {
    warn(plan.config, key,
         "is over the first source's waveform, but `initial_fields` drive the fields, too: the result depends on both. "
         "Leave them out");
  }
  for (std::size_t i = 1; i < sources.size(); ++i) {
    const config::Waveform* other = config::waveform_of(sources[i]);
    if (other != nullptr && same(*other, *first)) continue;
    warn(plan.config, key,
         "is over the first source's waveform, but sources." + std::to_string(i) +
             " has another time dependence: the result depends on both. Give them the same, or run them one by one");
    break;
  }
}

/// Of what makes no wall inside the mesh: an absorbing condition, and "*", by which a named surface inside may have
/// been meant to be one.
void warn_of_surfaces_inside(const Plan& plan) {
  const config::Config& config = plan.config;
  const dg::Mesh& mesh = plan.discretization->mesh;
  const std::vector<dg::SurfaceSides> sides = dg::surface_sides(mesh);
  const auto names = [](const config::Boundary& b, const std::string& name) {
    return std::ranges::count(b.region, name) > 0;
  };
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const std::string& name = mesh.surfaces[s];
    if (sides[s].between == 0 || name.starts_with("surface_")) continue;  // that is no name of the user's
    auto by = std::ranges::find_if(config.boundaries, [&](const config::Boundary& b) { return names(b, name); });
    const bool is_named = by != config.boundaries.end();
    if (!is_named)
      by = std::ranges::find_if(config.boundaries, [&](const config::Boundary& b) { return names(b, "*"); });
    if (by == config.boundaries.end() || std::holds_alternative<config::Sheet>(by->kind)) continue;
    const dg::System::Condition* condition = plan.problem.system.find_condition(by->type());
    const bool absorbs = condition != nullptr && condition->traits.absorbs;
    if (is_named != absorbs) continue;
    const auto& shown = config.outputs.surface_fields;
    if (!is_named && shown && std::ranges::count(shown->surfaces, name) > 0) continue;  // named for that
    warn(plan.config, "boundaries." + std::to_string(by - config.boundaries.begin()) + ".region",
         std::to_string(sides[s].between) + " of " + core::counted(sides[s].all(), "face", "faces") + " of '" + name +
             "' " + (sides[s].between == 1 ? "lies" : "lie") + " between two elements, where `" + by->type() +
             "` does nothing: " +
             (is_named ? "give them a name of their own in the mesh"
                       : "\"*\" covers exterior faces alone; for a wall without thickness, give its name"));
  }
}

}  // namespace

void warn_of_features(const Plan& plan) {
  warn_of_surfaces_inside(plan);
  if (!plan.config.equations().is_maxwell) return;
  const std::vector<bool> in_pml = elements_of_terms(plan.problem, plan.discretization->K(), "pml");
  warn_of_probes_in_pml(plan, in_pml);
  warn_of_media_in_pml(plan, in_pml);
  warn_of_media_that_reflect(plan);
  warn_of_normalization(plan);
}

}  // namespace maxwell_dg::simulation
