#include "apps/simulation/pml_region.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>

#include "apps/config/mesh_keys.hpp"
#include "apps/config/named_parts.hpp"
#include "apps/config/scaling.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/physics.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/mesh/region_set.hpp"
#include "dg/partition/distributed/cell_slice.hpp"

namespace maxwell_dg::simulation {
namespace {

using PmlShape = dg::maxwell::PmlLayer::Shape;

std::optional<PmlShape> shape_of(const config::Pml& pml) {
  if (!pml.shape) return std::nullopt;
  switch (*pml.shape) {
    case config::Pml::Shape::box: return PmlShape::box;
    case config::Pml::Shape::sphere: return PmlShape::sphere;
    case config::Pml::Shape::cylinder: return PmlShape::cylinder;
  }
  return std::nullopt;
}

std::vector<std::int32_t> numbers_of(const std::vector<bool>& chosen) {
  std::vector<std::int32_t> numbers;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (chosen[k]) numbers.push_back(static_cast<std::int32_t>(k));
  }
  return numbers;
}

/// Cells of a box that reach within the thickness of a side with such a boundary. Collective.
std::vector<bool> cells_at_sides(const config::MeshBox& box, double thickness, const dg::Discretization& d,
                                 const std::vector<bool>& layer_faces, const core::Communicator& ranks) {
  std::array<std::array<double, 2>, 3> sides{};  // [axis][low, high] 1 where it has one
  for (std::size_t b = 0; b < layer_faces.size(); ++b) {
    if (!layer_faces[b]) continue;
    const auto& face = d.connectivity.boundary_faces[b];
    const dg::Geometry::Face& g = d.geometry.faces[dg::index(face.cell)][dg::index(face.face)];
    const dg::Point n{g.nx, g.ny, g.nz};
    const std::size_t axis = std::abs(n[0]) > 0.5 ? 0 : std::abs(n[1]) > 0.5 ? 1 : 2;
    sides.at(axis).at(n[axis] > 0 ? 1 : 0) = 1;
  }
  for (auto& of_axis : sides) ranks.max(of_axis);
  std::vector<bool> chosen(d.K());
  for (std::size_t k = 0; k < d.K(); ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double margin = 1e-6 * thickness;
      for (const std::int32_t v : d.mesh.cells[k]) {
        const double x = d.mesh.vertices[dg::index(v)][axis];
        const bool low = sides.at(axis)[0] != 0 && x < box.min[axis] + thickness - margin;
        const bool high = sides.at(axis)[1] != 0 && x > box.max[axis] - thickness + margin;
        if (low || high) chosen[k] = true;
      }
    }
  }
  return chosen;
}

/// Of the PML, among the first `own` cells: has it curved elements, and has it straight ones? Those of regions that
/// count as curved are curved. Collective.
std::array<bool, 2> kinds_in_pml(const dg::Mesh& mesh, std::size_t own, const dg::RegionSet& pml,
                                 const std::vector<bool>& as_curved, const core::Communicator& ranks) {
  std::array<double, 2> has{};  // 1 or 0
  for (std::size_t k = 0; k < own; ++k) {
    const std::int32_t region = mesh.cell_region[k];
    if (!pml.contains(region)) continue;
    const bool is_curved = mesh.curved.is_curved(k) || dg::counts_as_curved(as_curved, region);
    has.at(is_curved ? 0 : 1) = 1;
  }
  ranks.max(has);
  return {has[0] > 0, has[1] > 0};
}

/// Is it in a sphere or a cylinder? One that is none of the shapes is refused later, with all that is to be said of it.
bool is_round(const config::Pml& pml, const dg::Discretization& d, const std::vector<std::int32_t>& elements,
              const core::Communicator& ranks) {
  try {
    return dg::maxwell::PmlLayer(d, elements, pml.thickness, 1.0, shape_of(pml), ranks).is_round();
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::vector<bool> with_regions(std::vector<bool> as_curved, const dg::RegionSet& pml, std::size_t regions) {
  as_curved.resize(regions + 1);
  for (std::size_t place = 0; place <= regions; ++place) {
    if (pml.contains(static_cast<std::int32_t>(place) - 1)) as_curved[place] = true;
  }
  return as_curved;
}

/// Of one that may be round, with elements of both kinds.
using IsRound = std::function<bool(const std::vector<std::int32_t>& elements)>;

std::vector<bool> regions_to_curve(const config::Config& config, const dg::Mesh& mesh, std::size_t own,
                                   const std::vector<bool>& varying, const core::Communicator& ranks,
                                   const IsRound& is_round_one) {
  if (!config.pml || config.pml->shape == config::Pml::Shape::box) return varying;
  const dg::RegionSet pml = config::region_set(config.pml->region, mesh);
  const auto [has_curved, has_straight] = kinds_in_pml(mesh, own, pml, varying, ranks);
  if (!has_curved || !has_straight) return varying;
  std::vector<std::int32_t> elements;
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    if (pml.contains(mesh.cell_region[k])) elements.push_back(static_cast<std::int32_t>(k));
  }
  return is_round_one(elements) ? with_regions(varying, pml, mesh.regions.size()) : varying;
}

}  // namespace

std::vector<std::int32_t> PmlRegion::elements() const {
  return numbers_of(cells);
}

std::string key_of_pml(const config::Config& config) {
  return config.pml ? "pml" : config::boundaries_of<config::PmlSide>(config).at(0).key;
}

double thickness_of_pml(const config::Config& config) {
  if (config.pml) return dg::maxwell::stretched_thickness(config.pml->thickness, config.pml->kappa);
  return config::boundaries_of<config::PmlSide>(config).at(0).value.thickness;
}

double alpha_of_pml(const config::Config& config) {
  if (config.pml && config.pml->alpha) return 2 * M_PI * config::Scaling::of(config).frequency * *config.pml->alpha;
  // So low that it changes nothing but keeps static fields from growing.
  return 0.1 / thickness_of_pml(config);
}

std::optional<PmlRegion> pml_region(const config::Config& config, const dg::Discretization& d,
                                    const std::vector<bool>& layer_faces, const core::Communicator& ranks) {
  if (!has_pml(config)) return std::nullopt;
  const double thickness = thickness_of_pml(config);
  if (config.pml) {
    const config::Pml& pml = *config.pml;
    return PmlRegion{.key = key_of_pml(config),
                     .cells = config::region_cells(config, "pml.region", pml.region, d.mesh),
                     .thickness = thickness,
                     .reflection = pml.reflection,
                     .alpha = alpha_of_pml(config),
                     .shape = shape_of(pml)};
  }
  return PmlRegion{.key = key_of_pml(config),
                   .cells = cells_at_sides(*config.mesh.box, thickness, d, layer_faces, ranks),
                   .thickness = thickness,
                   .reflection = std::nullopt,
                   .alpha = alpha_of_pml(config),
                   .shape = PmlShape::box};
}

bool is_stretched(const config::Config& config) {
  return config.pml && config.pml->kappa != 1;
}

void stretch_layer(const config::Config& config, dg::Mesh& mesh) {
  if (is_stretched(config)) stretch_layer(config, mesh, dg::Discretization(mesh, 1), {});
}

void stretch_layer(const config::Config& config, dg::Mesh& mesh, const dg::Discretization& unmoved,
                   const core::Communicator& ranks) {
  const config::Pml& pml = *config.pml;
  const std::vector<bool> chosen = config::region_cells(config, "pml.region", pml.region, mesh);
  try {
    dg::maxwell::stretch_layer(mesh, unmoved, numbers_of(chosen), pml.thickness, pml.kappa, shape_of(pml), ranks);
  } catch (const std::invalid_argument& error) {
    refuse(config, "pml", error.what());
  }
}

std::vector<bool> regions_to_curve(const config::Config& config, const dg::Mesh& mesh,
                                   const std::vector<bool>& varying) {
  return regions_to_curve(config, mesh, mesh.cells.size(), varying, {}, [&](const auto& elements) {
    dg::Mesh joined = mesh;
    config::join_surfaces(config, joined);
    return is_round(*config.pml, dg::Discretization(std::move(joined), 1), elements, {});
  });
}

std::vector<bool> regions_to_curve(const config::Config& config, const dg::Discretization& part,
                                   const std::vector<bool>& varying, const core::Communicator& ranks) {
  return regions_to_curve(config, part.mesh, part.own(), varying, ranks,
                          [&](const auto& elements) { return is_round(*config.pml, part, elements, ranks); });
}

std::string describe_pml(const Plan& plan) {
  std::vector<std::int32_t> elements;
  std::set<std::size_t> variables;
  for (const dg::ElementTerm& term : plan.problem.element_terms) {
    if (!term.name.starts_with("pml")) continue;
    elements.insert(elements.end(), term.elements.begin(), term.elements.end());
    variables.insert(term.auxiliary.size());
  }
  const bool is_given = plan.config.pml && plan.config.pml->reflection;
  const core::Communicator ranks = plan.ranks_with_parts();
  const std::string across = brief(1 / plan.pml->largest_span(*plan.discretization, elements, ranks));
  const auto count = static_cast<std::size_t>(core::sum_of(ranks, static_cast<double>(elements.size())));
  const auto is_curved = [&](std::int32_t k) { return plan.discretization->mesh.curved.is_curved(dg::index(k)); };
  const bool has_curved = core::sum_of(ranks, static_cast<double>(std::ranges::count_if(elements, is_curved))) > 0;
  const std::string least = variables.size() > 1 ? std::to_string(*variables.begin()) + " to " : "";
  return core::counted(count, "element", "elements") + ", " +
         length_text(thickness_of_pml(plan.config), plan.config.units) + " thick, " + across +
         (across == "1" ? " element" : " elements") + " across where it is coarsest, with " +
         (variables.empty() ? "no" : least + std::to_string(*variables.rbegin())) +
         (has_curved ? " variables a node or point" : " variables a node") + " beside the fields; reflection " +
         brief(plan.pml->reflection()) + ", " +
         (is_given ? "as given" : "by default for its elements of order " + std::to_string(plan.discretization->N()));
}

void check_pml(const config::Config& config, const PmlRegion& region, const dg::maxwell::PmlLayer& layer,
               const dg::Discretization& d, const core::Communicator& ranks) {
  const std::vector<std::int32_t> elements = region.elements();
  const auto is_own = [&](std::int32_t k) { return dg::index(k) < d.own(); };
  std::array<double, 2> counts{static_cast<double>(std::ranges::count_if(elements, is_own)),
                               static_cast<double>(d.own())};
  ranks.sum(counts);
  const auto [in_pml, all] = counts;
  if (!config.pml && in_pml == all) {
    refuse(config, region.key,
           "the PML takes all elements of the mesh, so none is left for fields without damping: give it a smaller "
           "thickness");
  }
  const dg::maxwell::PmlLayer::Fit fit = layer.fit_of(d, elements, ranks);
  if (fit.abrupt_faces > 0) {
    warn(config, region.key,
         std::to_string(fit.abrupt_faces) + " of " + std::to_string(fit.inner_faces) + " inner faces of the PML " +
             (fit.abrupt_faces == 1 ? "lies" : "lie") + " inside of it, the deepest at " + dg::text_of(fit.deepest_at) +
             ", " + brief(100 * std::min(fit.deepest, 1.0)) +
             " % of the thickness in: waves are reflected where its damping begins with a jump. Take the "
             "regions there into the PML, or give the thickness that it has");
  }
  if (fit.undamped > 0) {
    warn(config, region.key,
         std::to_string(fit.undamped) + " of " + std::to_string(static_cast<std::size_t>(in_pml)) +
             " elements of the PML " + (fit.undamped == 1 ? "does not damp: it lies" : "do not damp: they lie") +
             " farther than its thickness from the outer boundary, or at a side that it does not cover");
  }
}

}  // namespace maxwell_dg::simulation
