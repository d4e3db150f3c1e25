#include "dg/acoustics/acoustics.hpp"

#include "dg/symbolic/fields.hpp"

namespace maxwell_dg::dg::acoustics {

using namespace symbolic;  // the physics below should read as on paper

System system(const Options& options) {
  System acoustics{.name = "acoustics", .alpha = options.alpha};
  const ScalarField p = add_scalar(acoustics, "p");
  const VectorField u = add_vector(acoustics, "u");
  const ParameterField density =
      add_parameter(acoustics, "rho", 1.0, {.doc = "density", .dimension = core::Dimension::density});
  const ParameterField speed =
      add_parameter(acoustics, "c", 1.0, {.doc = "speed of sound", .dimension = core::Dimension::speed});

  const Expr alpha = options.alpha;
  const Vector n = normal();
  const Expr p_m = inside(p);
  const Vector u_m = inside(u);
  const Expr rho = inside(density), c = inside(speed);
  const Expr Z_m = rho * c, Z_p = outside(density) * outside(speed);
  const Expr Y_m = 1.0 / Z_m, Y_p = 1.0 / Z_p;

  // dp/dt = -rho c^2 div u,  du/dt = -(1/rho) grad p
  set(acoustics.volume, p, -rho * c * c * divergence(u));
  set(acoustics.volume, u, -gradient(p) / rho);

  // Face terms rho c^2 n.(u_m - u*) and n (p_m - p*) / rho, with p*, u* of the Riemann problem of the impedances.
  const Expr jump_un = dot(n, jump(u));
  set(acoustics.flux, p, rho * c * c * (Z_p * jump_un - alpha * jump(p)) / (Z_m + Z_p));
  set(acoustics.flux, u, ((Y_p * jump(p) - alpha * jump_un) / ((Y_m + Y_p) * rho)) * n);

  const auto boundary = [&](const std::string& name, const std::string& doc, const System::Traits& traits,
                            const Expr& p_p, const Vector& u_p) {
    std::vector<Expr> outside;
    set(outside, p, p_p);
    set(outside, u, u_p);
    acoustics.add_condition(
        {.name = name, .doc = doc, .traits = traits, .outside = [outside](auto) { return outside; }});
  };
  boundary("rigid", "no normal velocity", {}, p_m, u_m - Expr(2.0) * dot(n, u_m) * n);
  boundary("pressure_release", "no pressure", {}, -p_m, u_m);
  // Nothing comes in: for every alpha the flux is that of the outgoing characteristic p + Z n.u alone.
  boundary("absorbing", "first-order", {.absorbs = true}, (alpha * p_m + Z_m * dot(n, u_m)) / (1.0 + alpha),
           ((alpha * dot(n, u_m) + Y_m * p_m) / (1.0 + alpha)) * n);

  acoustics.max_speed = c;
  acoustics.energies = {{"potential", {}}, {"kinetic", {}}};
  set(acoustics.energies[0].weights, p, 0.5 / (rho * c * c));
  set(acoustics.energies[0].weights, u, Vector());
  set(acoustics.energies[1].weights, p, 0.0);
  set(acoustics.energies[1].weights, u, Expr(0.5) * rho * Vector(1.0, 1.0, 1.0));
  acoustics.nominal_flux_operations = 50;  // the agreed count, docs/performance.md: 200 Nfp over four faces
  return acoustics;
}

}  // namespace maxwell_dg::dg::acoustics
