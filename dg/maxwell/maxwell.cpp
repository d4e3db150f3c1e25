#include "dg/maxwell/maxwell.hpp"

#include <string>

#include "dg/maxwell/medium.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;  // the physics below should read as on paper

System system(const Options& options) {
  System maxwell{.name = options.anisotropic ? "maxwell_anisotropic" : "maxwell", .alpha = options.alpha};
  (void)add_vector(maxwell, "E");
  (void)add_vector(maxwell, "H");
  const Medium medium = options.anisotropic ? anisotropic(maxwell) : isotropic(maxwell);

  const Expr alpha = options.alpha;
  const Vector n = normal();
  const Vector E_m = inside(E), H_m = inside(H);
  const Expr sigma = inside(medium.sigma);
  const Expr Z_m = impedance(maxwell, Side::inside), Z_p = impedance(maxwell, Side::outside);
  const Expr Y_m = 1.0 / Z_m, Y_p = 1.0 / Z_p;

  // epsilon dE/dt = curl H - sigma E,  mu dH/dt = -curl E
  set(maxwell.volume, E, medium.over_epsilon(curl(H) - sigma * E_m, 1.0));
  set(maxwell.volume, H, medium.over_mu(-curl(E), 1.0));

  // Strong form: the face term is n x (H* - H_m) for E and -n x (E* - E_m) for H, with the states E*, H* that solve
  // the Riemann problem of the two impedances (Hesthaven & Warburton 2008, section 6.5; derived in docs/theory.md).
  set(maxwell.flux, E, medium.over_epsilon(-cross(n, Z_p * jump(H) - alpha * cross(n, jump(E))), Z_m + Z_p));
  set(maxwell.flux, H, medium.over_mu(cross(n, Y_p * jump(E) + alpha * cross(n, jump(H))), Y_m + Y_p));

  const auto boundary = [&](const std::string& name, const Vector& E_p, const Vector& H_p) {
    System::Boundary b{.name = name};
    set(b.outside, E, E_p);
    set(b.outside, H, H_p);
    maxwell.boundaries.push_back(b);
  };
  // PEC wall: the outside state mirrors tangential E and keeps H, so the flux needs no branch.
  boundary("pec", -E_m, H_m);
  boundary("pmc", E_m, -H_m);
  // A surface of impedance Z_s: the state at the face keeps what goes out and fulfils E* = -Z_s n x H*, for every
  // alpha.
  const auto surface = [&](const std::string& name, const Expr& Z_s) {
    const Expr share = 2.0 / (Z_m + Z_s);
    boundary(name, ((alpha - 1.0) * E_m + Z_s * share * (E_m - Z_m * cross(n, H_m))) / (1.0 + alpha),
             ((alpha - 1.0) * H_m + share * (Z_m * H_m + cross(n, E_m))) / (1.0 + alpha));
  };
  // Silver-Mueller: nothing comes in, as from a surface of the medium's own impedance. Where that is Z_m, the flux is
  // that of the outgoing characteristic E - Z n x H alone.
  if (options.anisotropic) {
    surface("absorbing", medium.impedance_along(n));
  } else {
    boundary("absorbing", (alpha * E_m - Z_m * cross(n, H_m)) / (1.0 + alpha),
             (alpha * H_m + Y_m * cross(n, E_m)) / (1.0 + alpha));
  }
  for (std::size_t i = 0; i < options.impedances.size(); ++i) {
    surface("impedance_" + std::to_string(i), options.impedances[i]);
  }

  maxwell.max_speed = 1.0 / sqrt(medium.epsilon(Side::inside) * medium.mu(Side::inside));
  maxwell.relaxation_rate = abs(sigma) / medium.epsilon(Side::inside);
  maxwell.energies = {medium.electric, medium.magnetic};
  for (System::Energy& energy : maxwell.energies) energy.weights.resize(maxwell.fields.size(), 0.0);
  // The agreed count, docs/performance.md: 312 Nfp over four faces. There is none for tensors.
  if (!options.anisotropic) maxwell.nominal_flux_operations = 78;
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
