#include "dg/maxwell/maxwell.hpp"

#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;  // the physics below should read as on paper

System system(const Options& options) {
  System maxwell{.name = "maxwell", .alpha = options.alpha};
  (void)add_vector(maxwell, "E");
  (void)add_vector(maxwell, "H");
  const ParameterField epsilon_r = add_parameter(maxwell, "epsilon_r", 1.0);
  const ParameterField mu_r = add_parameter(maxwell, "mu_r", 1.0);
  const ParameterField sigma = add_parameter(maxwell, "sigma", 0.0);

  const Expr alpha = options.alpha;
  const Vector n = normal();
  const Vector E_m = inside(E), H_m = inside(H);
  const Expr epsilon = inside(epsilon_r), mu = inside(mu_r);
  const auto impedance = [&](Side side) { return sqrt(mu_r.at(side) / epsilon_r.at(side)); };
  const Expr Z_m = impedance(Side::inside), Z_p = impedance(Side::outside);
  const Expr Y_m = 1.0 / Z_m, Y_p = 1.0 / Z_p;

  // epsilon dE/dt = curl H - sigma E,  mu dH/dt = -curl E
  set(maxwell.volume, E, (curl(H) - inside(sigma) * E_m) / epsilon);
  set(maxwell.volume, H, -curl(E) / mu);

  // Strong form: the face term is n x (H* - H_m) for E and -n x (E* - E_m) for H, with the states E*, H* that solve
  // the Riemann problem of the two impedances (Hesthaven & Warburton 2008, section 6.5; derived in docs/theory.md).
  set(maxwell.flux, E, -cross(n, Z_p * jump(H) - alpha * cross(n, jump(E))) / ((Z_m + Z_p) * epsilon));
  set(maxwell.flux, H, cross(n, Y_p * jump(E) + alpha * cross(n, jump(H))) / ((Y_m + Y_p) * mu));

  const auto boundary = [&](const char* name, const Vector& E_p, const Vector& H_p) {
    System::Boundary b{.name = name};
    set(b.outside, E, E_p);
    set(b.outside, H, H_p);
    maxwell.boundaries.push_back(b);
  };
  // PEC wall: the outside state mirrors tangential E and keeps H, so the flux needs no branch.
  boundary("pec", -E_m, H_m);
  boundary("pmc", E_m, -H_m);
  // Silver-Mueller: nothing comes in. The outside state is chosen so that for every alpha the flux is that of the
  // outgoing characteristic E - Z n x H alone.
  boundary("absorbing", (alpha * E_m - Z_m * cross(n, H_m)) / (1.0 + alpha),
           (alpha * H_m + Y_m * cross(n, E_m)) / (1.0 + alpha));

  maxwell.max_speed = 1.0 / sqrt(epsilon * mu);
  maxwell.relaxation_rate = abs(inside(sigma)) / epsilon;
  maxwell.energies = {{"electric", {}}, {"magnetic", {}}};
  const Vector none;
  set(maxwell.energies[0].weights, E, Expr(0.5) * epsilon * Vector(1.0, 1.0, 1.0));
  set(maxwell.energies[0].weights, H, none);
  set(maxwell.energies[1].weights, E, none);
  set(maxwell.energies[1].weights, H, Expr(0.5) * mu * Vector(1.0, 1.0, 1.0));
  maxwell.nominal_flux_operations = 78;  // the agreed count, docs/performance.md: 312 Nfp over four faces
  return maxwell;
}

std::vector<Expr> response(const System& system, const Vector& J, const Vector& K) {
  std::vector<Expr> answer;
  for (const Expr& equation : system.volume) {
    answer.push_back(substitute(equation, [&](const Symbol& s) {
      if (s.kind == Symbol::Kind::field) return Expr(0.0);
      if (s.kind == Symbol::Kind::curl) return s.index == H.first ? -J[s.axis] : K[s.axis];
      return Expr(s);
    }));
  }
  return answer;
}

}  // namespace maxwell_dg::dg::maxwell
