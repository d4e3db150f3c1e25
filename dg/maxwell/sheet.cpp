#include "dg/maxwell/sheet.hpp"

#include <utility>

#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

std::vector<Expr> film_flux(const System& system, const Expr& Y_s, const std::optional<Vector>& E_d) {
  const Vector n = normal(), E_m = inside(E);
  const Expr Y_m = 1.0 / impedance(system, Side::inside), Y_p = 1.0 / impedance(system, Side::outside);
  // What goes out of either side, Y_m (E_m - Z_m n x H_m) and Y_p (E_p + Z_p n x H_p), and Y_s E_d of the film meet in
  // E* (Y_m + Y_p + Y_s).
  Vector outgoing = Y_m * E_m - cross(n, inside(H)) + Y_p * outside(E) + cross(n, outside(H));
  if (E_d) outgoing = outgoing + Y_s * *E_d;
  const Vector jump_of_E = outgoing / (Y_m + Y_p + Y_s) - E_m;
  const Vector n_x_jump = cross(n, jump_of_E);
  // n x (H* - H_m) = Y_m (E* - E_m) for E, -n x (E* - E_m) for H, instead of the system's flux.
  std::vector<Expr> flux = response(system, Y_m * cross(n, n_x_jump), n_x_jump);
  for (std::size_t f = 0; f < flux.size(); ++f) flux[f] = flux[f] - system.flux[f];
  return flux;
}

FaceTerm sheet_term(const System& system, std::vector<FaceTerm::Face> faces, std::vector<double> conductances) {
  const Expr Y_s(Symbol{.kind = Symbol::Kind::parameter, .index = static_cast<int>(system.parameters.size())});
  FaceTerm term{.name = "sheet", .flux = film_flux(system, Y_s), .faces = std::move(faces)};
  term.parameters = {std::move(conductances)};
  return term;
}

}  // namespace maxwell_dg::dg::maxwell
