#include "apps/config/materials/material_table.hpp"

#include <algorithm>
#include <array>

namespace maxwell_dg::config {
namespace {

constexpr std::string_view dielectrics = "Pozar, Microwave Engineering, 4th ed., appendix G, at 10 GHz";
constexpr std::string_view dielectrics_3 = "Pozar, Microwave Engineering, 4th ed., appendix G, at 3 GHz";
constexpr std::string_view rogers = "data sheets of Rogers Corporation: design permittivity, loss tangent at 10 GHz";
constexpr std::string_view metals = "Pozar, Microwave Engineering, 4th ed., appendix F, at 20 C";

constexpr std::array table{
    KnownMaterial{"air", 1.000536, 1, 0, 0,
                  "CRC Handbook of Chemistry and Physics, permittivity of gases, 20 C, 1 atm"},
    KnownMaterial{"aluminum", 1, 1, 3.816e7, 0, metals},
    KnownMaterial{"brass", 1, 1, 2.564e7, 0, metals},
    KnownMaterial{"copper", 1, 1, 5.813e7, 0, metals},
    KnownMaterial{"duroid_5880", 2.20, 1, 0, 0.0009, rogers},
    KnownMaterial{"fr4", 4.4, 1, 0, 0.02,
                  "usual design values; data sheets of laminates say 4.2 to 4.8 at 1 GHz, and 0.015 to 0.025"},
    KnownMaterial{"gallium_arsenide", 13.0, 1, 0, 0.006, dielectrics},
    KnownMaterial{"glass_pyrex", 4.82, 1, 0, 0.0054, dielectrics_3},
    KnownMaterial{"gold", 1, 1, 4.098e7, 0, metals},
    KnownMaterial{"plexiglass", 2.60, 1, 0, 0.0057, dielectrics_3},
    KnownMaterial{"polyethylene", 2.25, 1, 0, 0.0004, dielectrics},
    KnownMaterial{"polystyrene", 2.54, 1, 0, 0.00033, dielectrics},
    KnownMaterial{"quartz_fused", 3.78, 1, 0, 0.0001, dielectrics},
    KnownMaterial{"rexolite", 2.54, 1, 0, 0.00048, dielectrics},
    KnownMaterial{"ro3003", 3.00, 1, 0, 0.0010, rogers},
    KnownMaterial{"ro4003c", 3.55, 1, 0, 0.0027, rogers},
    KnownMaterial{"ro4350b", 3.66, 1, 0, 0.0037, rogers},
    KnownMaterial{"silicon", 11.9, 1, 0, 0.004, dielectrics},
    KnownMaterial{"silver", 1, 1, 6.173e7, 0, metals},
    KnownMaterial{"teflon", 2.08, 1, 0, 0.0004, dielectrics},
    KnownMaterial{"vacuum", 1, 1, 0, 0, "by definition"},
    KnownMaterial{"water", 78.30, 1, 0, 0,
                  "Malmberg and Maryott, J. Res. Natl. Bur. Stand. 56, 1 (1956): static, 25 C; below some 1 GHz"},
};

}  // namespace

std::span<const KnownMaterial> known_materials() {
  return table;
}

const KnownMaterial* known_material(std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &KnownMaterial::name);
  return found == table.end() ? nullptr : found;
}

}  // namespace maxwell_dg::config
