#include "tests/support/all_terms.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "dg/maxwell/current.hpp"
#include "dg/maxwell/dispersion.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/plane_wave.hpp"
#include "dg/maxwell/pml.hpp"
#include "dg/maxwell/port.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/incident.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg::testing {
namespace {

maxwell::PlaneWave wave() {
  return {
      .direction = {1, 2, -1},
      .polarization = {1, 0, 1},
      .waveform = {.kind = maxwell::Waveform::Kind::gaussian_pulse, .frequency = 0.7, .bandwidth = 0.8, .delay = 0.1}};
}

/// A lumped port as no gap has it.
maxwell::Port driven_film(const Discretization& d, const std::vector<FaceTerm::Face>& sides) {
  maxwell::Port port{
      .mode = {.faces = {}, .e = {}, .weight = {}, .weight_of_H = {}}, .impedance = 0.4, .driven_from = 0.1};
  port.mode.film = maxwell::LumpedFilm{.resistance = 0.4, .squares = 2, .is_inside = true};
  for (const FaceTerm::Face& side : sides) {
    port.mode.faces.push_back({index(side.element), side.face});
    for (int i = 0; i < d.Nfp(); ++i) port.mode.e.push_back({0.1 * i, 0.3, -0.2 * side.face});
  }
  return port;
}

/// A term at faces with auxiliary variables.
FaceTerm with_memory(const Problem& problem, const Discretization& d, const std::vector<FaceTerm::Face>& faces) {
  using namespace symbolic;
  const System& system = problem.system;
  const int fields = system.field_count();
  const Expr u = inside(ScalarField{fields}), v = inside(ScalarField{fields + 1});
  const Expr own = inside(ParameterField{static_cast<int>(system.parameters.size())});
  FaceTerm term{.name = "memory", .flux = {}, .faces = faces, .auxiliary = {"u", "v"}, .fastest_rate = 2.0 + own};
  for (int f = 0; f < fields; ++f) {
    term.flux.push_back(f == 2 ? Expr(0.0)
                               : 0.2 * u - normal()[f % 3] * v + 0.1 * outside(ScalarField{(f + 1) % fields}));
  }
  term.rates = {inside(ScalarField{0}) - own * u + 0.3 * v, outside(ScalarField{1 % fields}) - profile(0) * v - u};
  term.parameters = {random_values(faces.size(), 8)};
  term.profiles = {random_values(faces.size() * static_cast<std::size_t>(d.Nfp()), 9)};
  return term;
}

}  // namespace

maxwell::PmlMotion radial_motion(const Point& centre, double slope, double begin) {
  const auto along = [centre](const Point& x) {
    const Point from = minus(x, centre);
    const double r = length(from);
    return std::pair{r, Point{from[0] / r, from[1] / r, from[2] / r}};
  };
  return {.displacement =
              [=](const Point& x) {
                const auto [r, e] = along(x);
                const double by = slope * (r - begin);
                return Point{by * e[0], by * e[1], by * e[2]};
              },
          .gradient =
              [=](const Point& x) {
                const auto [r, e] = along(x);
                const double across = slope * (1 - begin / r);
                std::array<Point, 3> G{};
                for (std::size_t i = 0; i < 3; ++i) {
                  for (std::size_t j = 0; j < 3; ++j) {
                    G.at(i).at(j) = (slope - across) * e.at(i) * e.at(j) + (i == j ? across : 0.0);
                  }
                }
                return G;
              }};
}

void add_all_terms(Problem& problem, const Discretization& d) {
  const System& system = problem.system;
  const std::vector<symbolic::Expr> incident = maxwell::fields(wave());
  std::vector<FaceTerm::Face> sides, walls;
  std::vector<double> sign;
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
    for (std::int32_t face = 0; face < 4; ++face) {
      const std::int32_t other = d.connectivity.neighbours[static_cast<std::size_t>(k)][static_cast<std::size_t>(face)];
      if (other < 0 && problem.boundary[static_cast<std::size_t>(-1 - other)] == 0) walls.push_back({k, face});
      if (other < 0 || (k < 10) == (other / 4 < 10)) continue;
      sides.push_back({k, face});
      sign.push_back(k < 10 ? 1 : -1);
    }
  }
  std::vector<FaceTerm::Face> others(sides.rbegin(), sides.rend());
  problem.face_terms.push_back(maxwell::sheet_term(system, sides, std::vector<double>(sides.size(), 0.7)));
  std::vector<symbolic::Expr> mixed;
  for (int f = 0; f < system.field_count(); ++f) mixed.push_back(0.3 * outside(symbolic::ScalarField{(f + 1) % 6}));
  problem.face_terms.push_back(outside_term(system, "from_elsewhere", mixed, sides));
  problem.face_terms.back().others = std::move(others);
  problem.face_terms.push_back(total_field_term(system, incident, sides, sign));
  problem.face_terms.push_back(scattering_boundary_term(system, 0, incident, walls));
  problem.element_terms.push_back(scattering_medium_term(system, incident, {2, 3, 11}));
  const maxwell::PmlMotion along_y{.displacement =
                                       [](const Point& x) {
                                         return Point{0, 2 * x[1] + x[1] * x[1], 0};
                                       },
                                   .gradient =
                                       [](const Point& x) {
                                         return std::array<Point, 3>{{{0, 0, 0}, {0, 2 + 2 * x[1], 0}, {0, 0, 0}}};
                                       }};
  const maxwell::PmlMotion along_several{.displacement =
                                             [](const Point& x) {
                                               return Point{x[0], 2 * x[1], 0};
                                             },
                                         .gradient =
                                             [](const Point&) {
                                               return std::array<Point, 3>{{{1, 0, 0}, {0, 2, 0}, {0, 0, 0}}};
                                             }};
  const maxwell::PmlMotion sheared{.displacement =
                                       [](const Point& x) {
                                         return Point{x[0] * (1 + x[1]), 2 * x[1], 3 * x[2] + x[0]};
                                       },
                                   .gradient =
                                       [](const Point& x) {
                                         return std::array<Point, 3>{{{1 + x[1], x[0], 0}, {0, 2, 0}, {1, 0, 3}}};
                                       }};
  const maxwell::PmlMotion along_radius = radial_motion({-2, -1, -3}, 1.5, 0.5);
  const auto add_pml = [&](const std::vector<std::int32_t>& elements, double alpha, const maxwell::PmlMotion& motion,
                           const std::vector<maxwell::DispersiveMedium>& media = {}) {
    for (auto& term : maxwell::pml_terms(problem, d, elements, alpha, motion, media)) {
      problem.element_terms.push_back(term);
    }
  };
  add_pml({0, 4}, 0.3, along_y);
  add_pml({5, 16}, 0.0, along_several);
  add_pml({3, 14}, 0.4, along_radius);
  add_pml({7, 12}, 0.2, sheared, {{.poles = {{maxwell::Pole::Model::lorentz, 1.5, 0.2, 3.0}}, .elements = {7, 12}}});
  using Model = maxwell::Pole::Model;
  const std::vector<maxwell::DispersiveMedium> media{
      {.poles = {{Model::debye, 2.0, 0.7}, {Model::lorentz, 1.5, 0.2, 3.0}}, .elements = {1, 9}},
      {.poles = {{Model::drude, 4.0, 0.4}}, .elements = {8}},
      {.poles = {{Model::debye, 1.0, 0.9}, {Model::lorentz, 0.5, 0.1, 2.0}}, .elements = {5}}};
  for (auto& term : maxwell::dispersion_terms(system, media)) problem.element_terms.push_back(term);
  const symbolic::Expr t = symbolic::time(), x = symbolic::coordinate(0);
  problem.element_terms.push_back(maxwell::current_term(system, {0, 1, 6}, {symbolic::sin(t + x), x, 2.0}));
  for (const auto kind : {maxwell::DipoleKind::electric, maxwell::DipoleKind::magnetic}) {
    problem.element_terms.push_back(
        maxwell::dipole_term(system, d, d.node(6, 0), kind, {symbolic::cos(t), 1.0, 0.5 * t}));
  }
  problem.face_terms.push_back(with_memory(problem, d, sides));
  for (FaceTerm& term : maxwell::port_terms(system, {driven_film(d, sides)}, symbolic::cos(t))) {
    problem.face_terms.push_back(std::move(term));
  }
}

void add_linear_terms(Problem& problem, const Discretization& d) {
  using namespace symbolic;
  const int fields = problem.system.field_count();
  const auto field = [&](int f) { return ScalarField{f % fields}; };
  ElementTerm on_elements{.name = "linear", .auxiliary = {"u"}};
  FaceTerm on_faces{.name = "linear_flux", .flux = {}, .faces = {}};
  for (int f = 0; f < fields; ++f) {
    on_elements.added.push_back(0.3 * inside(field(f + 1)) - inside(ScalarField{fields}) + coordinate(f % 3) * time());
    on_faces.flux.push_back(profile(0) + 0.3 * outside(field(f + 1)) - 0.2 * inside(field(f)));
  }
  on_elements.rates = {inside(field(1)) - 2.0 * inside(ScalarField{fields})};
  on_elements.fastest_rate = 2.0;
  on_elements.elements = {1, 2, 5, 8, 9, 13, 17};
  for (std::int32_t k = 0; k < static_cast<std::int32_t>(d.K()); ++k) {
    for (std::int32_t face = k % 2; face < 4; ++face) {
      if (d.connectivity.neighbours[static_cast<std::size_t>(k)][static_cast<std::size_t>(face)] >= 0) {
        on_faces.faces.push_back({k, face});
      }
    }
  }
  on_faces.profiles = {random_values(on_faces.faces.size() * static_cast<std::size_t>(d.Nfp()), 6)};
  problem.element_terms.push_back(std::move(on_elements));
  problem.face_terms.push_back(with_memory(problem, d, on_faces.faces));
  problem.face_terms.push_back(std::move(on_faces));
}

}  // namespace maxwell_dg::dg::testing
