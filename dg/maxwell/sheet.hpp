#pragma once

#include <optional>
#include <vector>

#include "dg/symbolic/system.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg::maxwell {

/// What goes out of the media beside a film, into it, as a current: Y_m (E_m - Z_m n x H_m), and of a film between
/// elements the same of the other side. With the film's current J they meet in E* = (this - J) / (Y_m + Y_p).
[[nodiscard]] symbolic::Vector outgoing_into_film(const System& system, bool is_inside);

/// What to add to `known`, the flux that is computed there anyway, at a side of a film at which fields meet in E*: the
/// flux becomes that of the Riemann problem, whatever flux other faces have.
[[nodiscard]] std::vector<symbolic::Expr> flux_with(const System& system, const symbolic::Vector& E_of_film,
                                                    const std::vector<symbolic::Expr>& known);

/// What to add to the system's flux at both sides of a film between elements that carries the surface current
/// Y_s (E_t - E_d): E_d is a tangential field that drives it, as a source of voltage does. The flux there is that of
/// the Riemann problem with that jump of H, whatever flux other faces have (docs/theory.md, Thin sheets).
[[nodiscard]] std::vector<symbolic::Expr> film_flux(const System& system, const symbolic::Expr& Y_s,
                                                    const std::optional<symbolic::Vector>& E_d = {});

/// A sheet too thin to mesh, on faces between elements, that carries the surface current J_s = Y_s E_t: tangential E
/// is continuous, and n x (H_p - H_m) = Y_s E_t with n from m to p. `conductances` Y_s, relative to 1/Z_0, at least 0,
/// one for each of `faces`, which are both sides of the sheet, ascending.
[[nodiscard]] FaceTerm sheet_term(const System& system, std::vector<FaceTerm::Face> faces,
                                  std::vector<double> conductances);

}  // namespace maxwell_dg::dg::maxwell
