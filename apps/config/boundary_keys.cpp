#include "apps/config/boundary_keys.hpp"

#include <string>
#include <vector>

namespace maxwell_dg::config {
namespace {

using Kind = decltype(Boundary::kind);
using Case = VariantCase<Kind>;

/// A condition of the system, with the numbers that it takes.
Case condition(const dg::System::Condition& condition) {
  return kind_of<Kind>(Condition{.type = condition.name}, condition.doc, [&condition](Condition& c) {
    std::vector<Key> keys;
    for (const auto& [name, meaning] : condition.numbers) {
      keys.push_back({name, number(c.numbers[name], range_of(meaning)), meaning.doc, required});
    }
    return keys;
  });
}

std::vector<Key> periodic_keys(Periodic& p) {
  return {{"with", text(p.with, "the name of a surface"),
           "the other surface, which must have the same mesh; `region` must then be a single name", required},
          {"phase", number(p.phase, {}),
           "phase in degrees by which the fields at `with` lag behind those at `region`: the wave vector times the "
           "vector from one to the other. Unless it is 0, fields are complex and a run computes both parts"}};
}

std::vector<Key> side_keys(PmlSide& side) {
  return {{"thickness", positive(side.thickness, core::Dimension::length),
           "thickness of the PML, the same on all sides; all cells that reach into it belong to it", required}};
}

std::vector<Key> sheet_keys(Sheet& sheet) {
  return {{"resistance", positive(sheet.resistance, core::Dimension::impedance),
           "sheet resistance, that of a square of the film: tangential E over the surface current density", required}};
}

std::vector<Case> kinds(const KnownSystem& system) {
  std::vector<Case> cases;
  for (const dg::System::Condition& c : system.standard.conditions) cases.push_back(condition(c));
  cases.push_back(kind_of<Kind>(Periodic{},
                                "joined to another surface, so that what leaves through one enters through the other",
                                periodic_keys));
  if (system.is_maxwell) {
    cases.push_back(kind_of<Kind>(PmlSide{}, "a PML inside a built-in box (in other meshes: `pml.region`)", side_keys));
    cases.push_back(kind_of<Kind>(Sheet{}, "a thin conducting film, on faces between two elements", sheet_keys));
  }
  return cases;
}

void check_periodic(const Boundary& b, Reader& reader) {
  const auto* periodic = std::get_if<Periodic>(&b.kind);
  if (periodic == nullptr) return;
  if (b.region.size() != 1 || b.region.front() == "*" || periodic->with == "*") {
    reader.error(reader.place_of("region"), "a periodic boundary joins one surface to one other; give the name of each",
                 "region");
  } else if (periodic->with == b.region.front()) {
    reader.error(reader.place_of("with"), "must be another surface than region", "with");
  }
}

Object boundary_keys(Boundary& b, const KnownSystem& system) {
  return {.keys = {{"region", region_names(b.region), "named surfaces", required}},
          .choice = choice<Kind>("type", b.kind, "boundary condition", kinds(system), required),
          .check = [&b](Reader& reader) { check_periodic(b, reader); }};
}

Object symmetry_keys(dg::maxwell::SymmetryPlane& plane) {
  using Kind = dg::maxwell::SymmetryPlane::Kind;
  return {.keys = {{"plane", word<std::size_t>(plane.axis, {{"x", 0}, {"y", 1}, {"z", 2}}),
                    "the coordinate that is 0 in the plane", required},
                   {"kind", word<Kind>(plane.kind, {{"electric", Kind::electric}, {"magnetic", Kind::magnetic}}),
                    "`electric`: E is normal to the plane there; `magnetic`: E lies in the plane", required}}};
}

}  // namespace

Key boundaries_key(Config& config, const KnownSystem& system) {
  return {"boundaries",
          list<Boundary>(config.boundaries, 0, [&system](Boundary& b) { return object(boundary_keys(b, system)); }),
          "boundary conditions. Exactly one entry must cover each exterior face. A condition that does not absorb also "
          "holds on faces between two elements, on both sides of them, where an entry names their surface: `pec` there "
          "is metal without thickness"};
}

Key symmetry_key(Config& config) {
  return {"symmetry",
          list<dg::maxwell::SymmetryPlane>(
              config.symmetry, 0, [](dg::maxwell::SymmetryPlane& plane) { return object(symmetry_keys(plane)); }),
          "planes through the origin in which the problem is its own mirror image: the mesh is the part on one side of "
          "each. Exterior faces in these planes need no entry of `boundaries`"};
}

void check_symmetry(const Config& config, Reader& reader) {
  for (std::size_t i = 0; i < config.symmetry.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (config.symmetry[i].axis != config.symmetry[j].axis) continue;
      const std::string key = "symmetry." + std::to_string(i) + ".plane";
      reader.error(reader.place_of(key), "the plane " + name_of(config.symmetry[i]) + " has an entry already", key);
    }
  }
}

}  // namespace maxwell_dg::config
