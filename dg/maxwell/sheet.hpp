#pragma once

#include <vector>

#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// A sheet too thin to mesh, on faces between elements, that carries the surface current J_s = Y_s E_t: tangential E
/// is continuous, and n x (H_p - H_m) = Y_s E_t with n from m to p. The flux of these faces is that of the Riemann
/// problem with that jump, whatever flux other faces have (docs/theory.md, Thin sheets). `conductances` Y_s, relative
/// to 1/Z_0, at least 0, one for each of `faces`, which are both sides of the sheet, ascending.
[[nodiscard]] FaceTerm sheet_term(const System& system, std::vector<FaceTerm::Face> faces,
                                  std::vector<double> conductances);

}  // namespace maxwell_dg::dg::maxwell
