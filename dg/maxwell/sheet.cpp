#include "dg/maxwell/sheet.hpp"

#include <utility>

#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

Expr admittance(const System& system, Side side) {
  return 1.0 / impedance(system, side);
}

}  // namespace

Vector outgoing_into_film(const System& system, bool is_inside) {
  const Vector n = normal();
  const Vector of_this_side = admittance(system, Side::inside) * inside(E) - cross(n, inside(H));
  if (!is_inside) return of_this_side;
  return of_this_side + admittance(system, Side::outside) * outside(E) + cross(n, outside(H));
}

std::vector<Expr> flux_with(const System& system, const Vector& E_of_film, const std::vector<Expr>& known) {
  const Vector n = normal();
  const Vector n_x_jump = cross(n, E_of_film - inside(E));
  // n x (H* - H_m) = Y_m (E* - E_m) for E, -n x (E* - E_m) for H, instead of what is known.
  std::vector<Expr> flux = response(system, admittance(system, Side::inside) * cross(n, n_x_jump), n_x_jump);
  for (std::size_t f = 0; f < flux.size(); ++f) flux[f] = flux[f] - known[f];
  return flux;
}

std::vector<Expr> film_flux(const System& system, const Expr& Y_s, const std::optional<Vector>& E_d) {
  // What goes out of either side, and Y_s E_d of the film, meet in E* (Y_m + Y_p + Y_s).
  Vector outgoing = outgoing_into_film(system, true);
  if (E_d) outgoing = outgoing + Y_s * *E_d;
  const Expr Y_m = admittance(system, Side::inside), Y_p = admittance(system, Side::outside);
  return flux_with(system, outgoing / (Y_m + Y_p + Y_s), system.flux);
}

FaceTerm sheet_term(const System& system, std::vector<FaceTerm::Face> faces, std::vector<double> conductances) {
  const Expr Y_s(Symbol{.kind = Symbol::Kind::parameter, .index = static_cast<int>(system.parameters.size())});
  FaceTerm term{.name = "sheet", .flux = film_flux(system, Y_s), .faces = std::move(faces)};
  term.parameters = {std::move(conductances)};
  return term;
}

}  // namespace maxwell_dg::dg::maxwell
