#include "apps/config/resolve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/config/findings.hpp"
#include "apps/config/materials/media.hpp"
#include "apps/config/mesh_keys.hpp"
#include "apps/config/named_parts.hpp"
#include "apps/config/outside_text.hpp"
#include "apps/config/symmetry.hpp"
#include "apps/config/type.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/suggest.hpp"
#include "dg/lowering/varying_media.hpp"
#include "dg/mesh/box_tree.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/mesh/surface_sides.hpp"
#include "dg/symbolic/parser.hpp"

namespace maxwell_dg::config {
namespace {

/// What the entries of a list (materials, boundaries) say about names of the mesh.
struct Entries {
  std::string key;   ///< "materials"
  std::string kind;  ///< "volume region"
  std::vector<RegionNames> regions;
  std::vector<std::string> paths;                    ///< [entry] "materials.0"
  std::vector<std::vector<std::string>> keys_below;  ///< [entry] one for all names, or one for each

  void add(std::string path, RegionNames names, std::vector<std::string> below = {"region"}) {
    regions.push_back(std::move(names));
    paths.push_back(std::move(path));
    keys_below.push_back(std::move(below));
  }
  [[nodiscard]] bool are_partners(std::size_t entry) const { return keys_below[entry].size() > 1; }
};

struct Cover {
  std::vector<int> entry;  ///< [name of the mesh] the entry that covers it, -1: none
  int rest{-1};            ///< the entry that covers what is unnamed
};

std::string region_key(const Entries& entries, std::size_t entry, std::size_t name) {
  const std::string item = entries.paths[entry] + ".";
  const std::size_t names = entries.regions[entry].size();
  if (entries.are_partners(entry)) return item + entries.keys_below[entry][name];
  return item + entries.keys_below[entry].front() + (names == 1 ? "" : "." + std::to_string(name));
}

// Each name goes to the one entry that names it, else to "*".
Cover cover(const Entries& entries, const std::vector<std::string>& names, Findings& findings) {
  Cover result{.entry = std::vector<int>(names.size(), -1)};
  const auto claim = [&](int& owner, std::size_t entry, std::size_t n, const std::string& name) {
    if (owner >= 0) {
      findings.add(region_key(entries, entry, n),
                   "'" + name + "' is already covered by " + entries.paths[static_cast<std::size_t>(owner)]);
    } else {
      owner = static_cast<int>(entry);
    }
  };
  for (std::size_t entry = 0; entry < entries.regions.size(); ++entry) {
    const RegionNames& regions = entries.regions[entry];
    for (std::size_t n = 0; n < regions.size(); ++n) {
      const std::string& name = regions[n];
      const auto found = std::find(names.begin(), names.end(), name);
      if (name == "*") {
        claim(result.rest, entry, n, name);
      } else if (found == names.end()) {
        findings.add(region_key(entries, entry, n), unknown_name(entries.kind, name, names));
      } else {
        claim(result.entry[static_cast<std::size_t>(found - names.begin())], entry, n, name);
      }
    }
  }
  return result;
}

// The entry of each thing (cell or face) by the number of its name, -1: unnamed. Adds a finding for each name of a
// thing that no entry covers; `where` says where the first one lies. `one`, `many`: what a thing is called.
std::vector<int> entries_of(const Cover& covered, const Entries& entries, const std::vector<std::string>& names,
                            const std::vector<int>& name_of_thing, const std::string& one, const std::string& many,
                            const std::function<std::string(std::size_t)>& where, Findings& findings) {
  std::vector<int> result(name_of_thing.size(), -1);
  std::vector<std::size_t> missing(names.size() + 1, 0), first(names.size() + 1, 0);  // [name + 1]
  for (std::size_t i = 0; i < name_of_thing.size(); ++i) {
    const int name = name_of_thing[i];
    if (name >= 0) result[i] = covered.entry[static_cast<std::size_t>(name)];
    if (result[i] < 0) result[i] = covered.rest;
    if (result[i] >= 0) continue;
    const auto slot = static_cast<std::size_t>(name + 1);
    if (missing[slot]++ == 0) first[slot] = i;
  }
  for (std::size_t slot = 0; slot < missing.size(); ++slot) {
    if (missing[slot] == 0) continue;
    const std::string whose = slot == 0 ? "without a name" : "of '" + names[slot - 1] + "'";
    const std::string remedy =
        slot == 0 ? "name them in the mesh (" + physical_group(entries.kind, "name") + "), or add {region: \"*\", ...}"
                  : "add {region: " + names[slot - 1] + ", ...} or {region: \"*\", ...}";
    findings.add(entries.key, core::counted(missing[slot], one, many) + " " + whose +
                                  (missing[slot] == 1 ? " is not covered (at " : " are not covered (first at ") +
                                  where(first[slot]) + "); " + remedy);
  }
  return result;
}

dg::Point face_centre(const dg::Mesh& mesh, const dg::Connectivity::BoundaryFace& face) {
  const auto& cell = mesh.cells[static_cast<std::size_t>(face.cell)];
  const auto& [a, b, c] = dg::face_vertices[static_cast<std::size_t>(face.face)];
  return centroid(mesh, std::array{cell[a], cell[b], cell[c]});
}

Entries entries_of_materials(const Config& config) {
  Entries entries{.key = "materials", .kind = "volume region", .regions = {}, .paths = {}, .keys_below = {}};
  for (std::size_t i = 0; i < config.materials.size(); ++i) {
    entries.add("materials." + std::to_string(i), config.materials[i].region);
  }
  return entries;
}

bool is_smooth(const Config& config, int material) {
  return material >= 0 &&
         config.materials[static_cast<std::size_t>(material)].within_elements == Material::WithinElements::smooth;
}

/// [cell] its entry in config.materials, -1: none.
std::vector<int> materials_of_cells(const Config& config, const dg::Mesh& mesh, Findings& findings) {
  const Entries entries = entries_of_materials(config);
  const Cover covered = cover(entries, mesh.regions, findings);
  const std::vector<int> regions(mesh.cell_region.begin(), mesh.cell_region.end());
  return entries_of(
      covered, entries, mesh.regions, regions, "tetrahedron", "tetrahedra",
      [&](std::size_t k) { return dg::text_of(centroid(mesh, mesh.cells[k])); }, findings);
}

// Between two elements a condition makes a wall (see walls), but for an absorbing one, of which nobody expects
// something there: a warning is enough (see warn_of_features). All else does nothing there, which must not be silent.
void refuse_interior(const Config& config, const dg::System& system, const Entries& entries, const dg::Mesh& mesh,
                     const std::vector<dg::SurfaceSides>& sides, Findings& findings) {
  for (std::size_t entry = 0; entry < config.boundaries.size() + config.ports.size(); ++entry) {  // not of `elements`
    const bool is_port = entry >= config.boundaries.size();
    if (is_port && config.ports[entry - config.boundaries.size()].is_lumped()) continue;  // see lumped_mode
    const std::string type = is_port ? "a port" : "`" + config.boundaries[entry].type() + "`";
    const dg::System::Condition* condition = is_port ? nullptr : system.find_condition(config.boundaries[entry].type());
    const bool absorbs = condition != nullptr && condition->traits.absorbs;
    for (std::size_t n = 0; n < entries.regions[entry].size(); ++n) {
      const std::string& name = entries.regions[entry][n];
      const auto found = std::find(mesh.surfaces.begin(), mesh.surfaces.end(), name);
      if (found == mesh.surfaces.end()) continue;
      const dg::SurfaceSides& faces = sides[static_cast<std::size_t>(found - mesh.surfaces.begin())];
      if (faces.all() == 0 || (faces.outer == 0 && (absorbs || condition == nullptr))) {
        findings.add(region_key(entries, entry, n), "no exterior face of the mesh is of '" + name + "'");
      } else if (faces.between > 0 && condition == nullptr) {
        findings.add(region_key(entries, entry, n),
                     std::to_string(faces.between) + " of " + core::counted(faces.all(), "face", "faces") + " of '" +
                         name + "' " + (faces.between == 1 ? "lies" : "lie") + " between two elements, where " + type +
                         " does nothing: give what lies there a name of its own in the mesh");
      }
    }
  }
}

void refuse_walls_that_are_sheets(const Config& config, const Cover& covered, const std::vector<std::string>& surfaces,
                                  Findings& findings) {
  const std::vector<bool> is_wall = walls(config, surfaces);
  for (const BoundaryEntry<Sheet>& sheet : boundaries_of<Sheet>(config)) {
    for (const std::string& name : sheet.region) {
      const auto s = static_cast<std::size_t>(std::ranges::find(surfaces, name) - surfaces.begin());
      if (s == surfaces.size() || !is_wall[s]) continue;
      findings.add(sheet.key + ".region", "'" + name + "' is already covered by boundaries." +
                                              std::to_string(covered.entry[s]) + ": it is one or the other");
    }
  }
}

/// [entry of config.boundaries] the system's boundary that it is; -1 where it is none. Adds those that take numbers.
std::vector<int> add_boundaries(const Config& config, dg::System& system) {
  const Scaling scaling = Scaling::of(config);
  std::vector<int> result;
  for (const Boundary& boundary : config.boundaries) {
    const auto* kind = std::get_if<Condition>(&boundary.kind);
    if (kind == nullptr) {
      result.push_back(std::holds_alternative<PmlSide>(boundary.kind) ? system.find_absorbing() : -1);
      continue;
    }
    const dg::System::Condition* condition = system.find_condition(kind->type);
    if (condition == nullptr) throw std::logic_error("resolve: the system has no condition '" + kind->type + "'");
    std::vector<double> numbers;
    for (const auto& [name, meaning] : condition->numbers) {
      numbers.push_back(kind->numbers.at(name) * scaling.number(meaning.dimension));
    }
    result.push_back(system.add_boundary(kind->type, numbers));
  }
  return result;
}

/// Adds to the system what the config asks of it.
std::vector<int> face_conditions(const Config& config, dg::System& system, const dg::Mesh& mesh,
                                 const dg::Connectivity& connectivity, const OfWholeMesh& whole, bool is_part,
                                 Resolved& resolved, Findings& findings) {
  Entries entries{.key = "boundaries", .kind = "surface", .regions = {}, .paths = {}, .keys_below = {}};
  for (std::size_t i = 0; i < config.boundaries.size(); ++i) {
    const Boundary& boundary = config.boundaries[i];
    const std::string path = "boundaries." + std::to_string(i);
    if (const auto* periodic = std::get_if<Periodic>(&boundary.kind)) {
      entries.add(path, {boundary.region.front(), periodic->with}, {"region", "with"});
    } else if (std::holds_alternative<Sheet>(boundary.kind)) {
      entries.add(path, {});  // on inner faces, see add_terms
    } else {
      entries.add(path, boundary.region);
    }
  }
  for (std::size_t i = 0; i < config.ports.size(); ++i) {
    const std::string& surface = config.ports[i].boundary;
    const bool shares = &*std::ranges::find(config.ports, surface, &Port::boundary) < &config.ports[i];  // with it
    entries.add("ports." + std::to_string(i), shares ? RegionNames{} : RegionNames{surface}, {"boundary"});
  }
  for (const LumpedElement& element : config.elements) {
    entries.add("elements." + std::to_string(&element - config.elements.data()), {element.boundary}, {"boundary"});
  }
  const Cover covered = cover(entries, mesh.surfaces, findings);
  refuse_walls_that_are_sheets(config, covered, mesh.surfaces, findings);
  const auto& faces = connectivity.boundary_faces;
  const std::vector<int> planes = symmetry_faces(config, mesh, connectivity, whole.box, is_part, findings);
  std::vector<int> surfaces;  // of the faces that `boundaries`, `ports` and `elements` cover, which are these:
  std::vector<std::size_t> to_cover;
  for (std::size_t b = 0; b < faces.size(); ++b) {
    if (planes[b] >= 0) continue;
    to_cover.push_back(b);
    surfaces.push_back(faces[b].surface);
  }
  refuse_interior(config, system, entries, mesh, whole.surfaces, findings);
  const std::vector<int> of_covered = entries_of(
      covered, entries, mesh.surfaces, surfaces, "exterior face", "exterior faces",
      [&](std::size_t i) { return dg::text_of(face_centre(mesh, faces[to_cover[i]])); }, findings);
  std::vector<int> condition(faces.size(), -1);
  for (std::size_t i = 0; i < to_cover.size(); ++i) condition[to_cover[i]] = of_covered[i];
  const int boundaries = static_cast<int>(config.boundaries.size());
  std::vector<int> of_system = add_boundaries(config, system);
  of_system.resize(config.boundaries.size() + config.ports.size() + config.elements.size(), system.find_absorbing());
  for (int& c : condition) {
    resolved.layer_faces.push_back(
        c >= 0 && c < boundaries &&
        std::holds_alternative<PmlSide>(config.boundaries[static_cast<std::size_t>(c)].kind));
    resolved.ports.push_back(c < boundaries ? -1 : c - boundaries);
    if (c >= 0) c = of_system[static_cast<std::size_t>(c)];
  }
  std::vector<int> of_planes;
  for (const dg::maxwell::SymmetryPlane& plane : config.symmetry) of_planes.push_back(add_symmetry(system, plane.kind));
  for (std::size_t b = 0; b < planes.size(); ++b) {
    if (planes[b] >= 0) condition[b] = of_planes[static_cast<std::size_t>(planes[b])];
  }
  resolved.planes = planes;
  return condition;
}

/// `is_part`: probes may be in another one.
std::vector<dg::PointLocation> locate_probes(const Config& config, const dg::Discretization& d,
                                             const dg::PointLocator& locator, bool is_part, Findings& findings) {
  std::vector<dg::PointLocation> locations;
  for (std::size_t i = 0; i < config.outputs.probes.size(); ++i) {
    const Probe& probe = config.outputs.probes[i];
    if (auto location = locator.locate(probe.at)) {
      location->cell = d.complex_view.element(location->cell, dg::FieldPart::real);
      locations.push_back(*location);
      continue;
    }
    if (is_part) {
      locations.push_back({.cell = dg::PointLocation::elsewhere});
      continue;
    }
    const std::string key = "outputs.probes." + std::to_string(i) + ".at";
    findings.add(key, "probe '" + probe.name + "' at " + dg::text_of(probe.at) + unit_in(config.units, " m") + " " +
                          outside_text(config, key, probe.at, d.mesh, d.connectivity, locator));
  }
  return locations;
}

}  // namespace

std::vector<bool> varying_regions(const Config& config, const std::vector<std::string>& regions) {
  if (std::ranges::count(config.materials, Material::WithinElements::smooth, &Material::within_elements) == 0)
    return {};
  Findings left_to_resolve(config);
  const Cover covered = cover(entries_of_materials(config), regions, left_to_resolve);
  std::vector<bool> result{is_smooth(config, covered.rest)};
  for (const int entry : covered.entry) result.push_back(is_smooth(config, entry < 0 ? covered.rest : entry));
  return result;
}

std::vector<bool> walls(const Config& config, const std::vector<std::string>& surfaces) {
  std::vector<bool> result(surfaces.size());
  for (const Boundary& boundary : config.boundaries) {
    if (!std::holds_alternative<Condition>(boundary.kind)) continue;
    const dg::System::Condition* condition = config.equations().standard.find_condition(boundary.type());
    if (condition == nullptr || condition->traits.absorbs) continue;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      if (std::ranges::count(boundary.region, surfaces[s]) > 0) result[s] = true;
    }
  }
  return result;
}

dg::System make_system(const Config& config) {
  return config.equations().make({.alpha = config.solver.flux, .anisotropic = is_anisotropic(config)});
}

namespace {

void refuse_uniform(std::size_t material, Findings& findings) {
  findings.add("materials." + std::to_string(material) + ".profile",
               "nothing of this medium varies within an element; give an expression of x, y, z or values at "
               "vertices, or leave `profile` out");
}

Resolved resolved(const Config& config, dg::System system, const dg::Discretization& d, const dg::PointLocator& locator,
                  const OfWholeMesh& whole, bool is_part) {
  Findings findings(config);
  Resolved result;
  result.material = materials_of_cells(config, d.mesh, findings);
  ParameterValues media = parameter_values(config, system, d, result.material, findings);
  result.problem.parameters = std::move(media.parameters);
  result.problem.varying = std::move(media.varying);
  for (std::size_t m = 0; m < media.within.size() && !is_part; ++m) {
    if (media.within[m] < 0) refuse_uniform(m, findings);
  }
  result.within = std::move(media.within);
  result.problem.boundary = face_conditions(config, system, d.mesh, d.connectivity, whole, is_part, result, findings);
  result.probes = locate_probes(config, d, locator, is_part, findings);
  findings.throw_if_any();
  result.problem.system = std::move(system);
  return result;
}

}  // namespace

Resolved resolve(const Config& config, dg::System system, const dg::Discretization& d,
                 const dg::PointLocator& locator) {
  const OfWholeMesh whole{.surfaces = dg::surface_sides(d.mesh), .box = dg::bounding_box(d.mesh.vertices)};
  Resolved result = resolved(config, std::move(system), d, locator, whole, false);
  dg::integrate_losses(result.problem, d);
  return result;
}

Resolved resolve_part(const Config& config, dg::System system, const dg::Discretization& part,
                      const dg::PointLocator& locator, const OfWholeMesh& whole) {
  return resolved(config, std::move(system), part, locator, whole, true);
}

dg::symbolic::Expr expression(const Config& config, const Formula& formula) {
  std::map<std::string, dg::symbolic::Expr> names(config.constants.begin(), config.constants.end());
  names.insert_or_assign("t", dg::symbolic::time() / Scaling::of(config).time);
  for (int axis = 0; axis < 3; ++axis)
    names.insert_or_assign(std::string(1, "xyz"[axis]), dg::symbolic::coordinate(axis));
  return dg::symbolic::parse(formula, names);
}

std::vector<dg::symbolic::Expr> expressions(const Config& config, const FieldFormulas& formulas,
                                            const dg::System& system) {
  const Scaling scaling = Scaling::of(config);
  std::vector<dg::symbolic::Expr> result;
  for (const std::string& field : system.fields) {
    // "Hx" is component 0 of "H"; "p" is itself.
    const std::size_t component = std::string_view("xyz").find(field.back());
    const bool is_scalar = formulas.contains(field) || component == std::string_view::npos;
    const auto found = formulas.find(is_scalar ? field : field.substr(0, field.size() - 1));
    if (found == formulas.end()) {
      result.emplace_back(0.0);
      continue;
    }
    result.push_back(scaling.field(field) * expression(config, found->second.at(is_scalar ? 0 : component)));
  }
  return result;
}

}  // namespace maxwell_dg::config
