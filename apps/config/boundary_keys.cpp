#include "apps/config/boundary_keys.hpp"

#include <string>
#include <vector>

namespace maxwell_dg::config {
namespace {

using Case = ChoiceCase<std::string>;

/// A condition of the system, with the numbers that it takes.
Case condition(const dg::System::Condition& condition, Boundary& b) {
  return {condition.name, condition.name, condition.doc, [&condition, &b] {
            std::vector<Key> keys;
            for (const auto& [name, meaning] : condition.numbers) {
              keys.push_back({name, number(b.numbers[name], range_of(meaning)), meaning.doc, required});
            }
            return keys;
          }};
}

Case periodic(Boundary& b) {
  return {"periodic", "periodic", "joined to another surface, so that what leaves through one enters through the other",
          [&b] {
            return std::vector<Key>{{"with", text(b.with, "the name of a surface"),
                                     "the other surface, which must have the same mesh; `region` must then be a "
                                     "single name",
                                     required},
                                    {"phase", number(b.phase, {}),
                                     "phase in degrees by which the fields at `with` lag behind those at `region`: "
                                     "the wave vector times the vector from one to the other. Unless it is 0, fields "
                                     "are complex and a run computes both parts"}};
          }};
}

Case layer(Boundary& b) {
  return {"pml", "pml", "a PML inside a built-in box (in other meshes: `pml.region`)", [&b] {
            return std::vector<Key>{{"thickness", positive(b.thickness, core::Dimension::length),
                                     "thickness of the PML, a whole number of cells; the same on all sides", required}};
          }};
}

Case sheet(Boundary& b) {
  return {"sheet", "sheet", "a thin conducting film, on faces between two elements", [&b] {
            return std::vector<Key>{{"resistance", positive(b.resistance, core::Dimension::impedance),
                                     "sheet resistance, that of a square of the film: tangential E over the surface "
                                     "current density",
                                     required}};
          }};
}

std::vector<Case> conditions(Boundary& b, const KnownSystem& system) {
  std::vector<Case> cases;
  for (const dg::System::Condition& c : system.standard.conditions) cases.push_back(condition(c, b));
  cases.push_back(periodic(b));
  if (system.is_maxwell) {
    cases.push_back(layer(b));
    cases.push_back(sheet(b));
  }
  return cases;
}

void check_periodic(const Boundary& b, Reader& reader) {
  if (b.type != "periodic") return;
  if (b.region.size() != 1 || b.region.front() == "*" || b.with == "*") {
    reader.error(reader.place_of("region"), "a periodic boundary joins one surface to one other; give the name of each",
                 "region");
  } else if (b.with == b.region.front()) {
    reader.error(reader.place_of("with"), "must be another surface than region", "with");
  }
}

Object boundary_keys(Boundary& b, const KnownSystem& system) {
  return {.keys = {{"region", region_names(b.region), "named surfaces", required}},
          .choice = choice<std::string>("type", b.type, "boundary condition", conditions(b, system), required),
          .check = [&b](Reader& reader) { check_periodic(b, reader); }};
}

}  // namespace

Key boundaries_key(Config& config, const KnownSystem& system) {
  return {"boundaries",
          list<Boundary>(config.boundaries, 0, [&system](Boundary& b) { return object(boundary_keys(b, system)); }),
          "boundary conditions. Exactly one entry must cover each exterior face"};
}

}  // namespace maxwell_dg::config
