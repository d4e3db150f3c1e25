#include "apps/config/materials/material_table.hpp"

#include <array>

namespace maxwell_dg::config {
namespace {

// Losses of dielectrics that grow with frequency are no conductivity, and are left out.
constexpr std::string_view dielectrics = "Pozar, Microwave Engineering, 4th ed., appendix G, at 10 GHz";
constexpr std::string_view dielectrics_3 = "Pozar, Microwave Engineering, 4th ed., appendix G, at 3 GHz";
constexpr std::string_view metals = "Pozar, Microwave Engineering, 4th ed., appendix F, at 20 C";

constexpr std::array table{
    KnownMaterial{"air", 1.000536, 1, 0, "CRC Handbook of Chemistry and Physics, permittivity of gases, 20 C, 1 atm"},
    KnownMaterial{"aluminum", 1, 1, 3.816e7, metals},
    KnownMaterial{"brass", 1, 1, 2.564e7, metals},
    KnownMaterial{"copper", 1, 1, 5.813e7, metals},
    KnownMaterial{"fr4", 4.4, 1, 0, "a usual design value; data sheets of laminates say 4.2 to 4.8 at 1 GHz"},
    KnownMaterial{"gallium_arsenide", 13.0, 1, 0, dielectrics},
    KnownMaterial{"glass_pyrex", 4.82, 1, 0, dielectrics_3},
    KnownMaterial{"gold", 1, 1, 4.098e7, metals},
    KnownMaterial{"plexiglass", 2.60, 1, 0, dielectrics_3},
    KnownMaterial{"polyethylene", 2.25, 1, 0, dielectrics},
    KnownMaterial{"polystyrene", 2.54, 1, 0, dielectrics},
    KnownMaterial{"quartz_fused", 3.78, 1, 0, dielectrics},
    KnownMaterial{"silicon", 11.9, 1, 0, dielectrics},
    KnownMaterial{"silver", 1, 1, 6.173e7, metals},
    KnownMaterial{"teflon", 2.08, 1, 0, dielectrics},
    KnownMaterial{"vacuum", 1, 1, 0, "by definition"},
    KnownMaterial{"water", 78.30, 1, 0,
                  "Malmberg and Maryott, J. Res. Natl. Bur. Stand. 56, 1 (1956): static, 25 C; below some 1 GHz"},
};

}  // namespace

std::span<const KnownMaterial> known_materials() {
  return table;
}

}  // namespace maxwell_dg::config
