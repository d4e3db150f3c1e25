#include "dg/maxwell/maxwell.hpp"

#include <span>
#include <string>
#include <utility>

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

  // The outside state of each boundary condition.
  const auto state = [](const Vector& E_p, const Vector& H_p) {
    std::vector<Expr> outside;
    set(outside, E, E_p);
    set(outside, H, H_p);
    return outside;
  };
  const auto boundary = [&](const std::string& name, const std::string& doc, const System::Traits& traits,
                            const Vector& E_p, const Vector& H_p) {
    maxwell.add_condition(
        {.name = name, .doc = doc, .traits = traits, .outside = [q = state(E_p, H_p)](auto) { return q; }});
  };
  // PEC wall: the outside state mirrors tangential E and keeps H, so the flux needs no branch.
  boundary("pec", "perfect electric conductor", {.conducts = true, .no_tangential = "E"}, -E_m, H_m);
  boundary("pmc", "perfect magnetic conductor", {.no_tangential = "H"}, E_m, -H_m);
  // A surface of impedance Z_s: the state at the face keeps what goes out and fulfils E* = -Z_s n x H*, for every
  // alpha.
  const auto surface = [=](const Expr& Z_s) {
    const Expr share = 2.0 / (Z_m + Z_s);
    return std::pair{((alpha - 1.0) * E_m + Z_s * share * (E_m - Z_m * cross(n, H_m))) / (1.0 + alpha),
                     ((alpha - 1.0) * H_m + share * (Z_m * H_m + cross(n, E_m))) / (1.0 + alpha)};
  };
  // Silver-Mueller: nothing comes in, as from a surface of the medium's own impedance. Where that is Z_m, the flux is
  // that of the outgoing characteristic E - Z n x H alone.
  const auto [E_a, H_a] = options.anisotropic ? surface(medium.impedance_along(n))
                                              : std::pair{(alpha * E_m - Z_m * cross(n, H_m)) / (1.0 + alpha),
                                                          (alpha * H_m + Y_m * cross(n, E_m)) / (1.0 + alpha)};
  boundary("absorbing", "first-order (Silver-Mueller)", {.absorbs = true}, E_a, H_a);
  maxwell.add_condition(
      {.name = "impedance",
       .doc = "a surface of constant impedance",
       .traits = {.conducts = true},
       .numbers = {{"impedance",
                    {.doc = "tangential E over tangential H at the surface", .dimension = core::Dimension::impedance}}},
       .outside = [=](std::span<const double> numbers) {
         const auto [E_p, H_p] = surface(numbers[0]);
         return state(E_p, H_p);
       }});
  for (const double Z_s : options.impedances) maxwell.add_boundary("impedance", std::span(&Z_s, 1));

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
