#include "dg/maxwell/lumped_element.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

/// The system's flux at a face where the condition `absorbing` holds, of inside traces alone.
std::vector<Expr> absorbing_flux(const System& system) {
  const int absorbing = system.find_absorbing();
  if (absorbing < 0) throw std::logic_error("lumped_element_terms: the system has no absorbing condition");
  const std::vector<Expr>& outside = system.boundaries[static_cast<std::size_t>(absorbing)].outside;
  std::vector<Expr> flux;
  for (const Expr& e : system.flux) {
    flux.push_back(substitute(e, [&](const Symbol& s) {
      return s.kind == Symbol::Kind::field && s.side == Side::outside ? outside[static_cast<std::size_t>(s.index)]
                                                                      : Expr(s);
    }));
  }
  return flux;
}

/// How many numbers a term of one-ports with so many states has as parameters.
std::size_t parameters_of(int states) {
  const auto n = static_cast<std::size_t>(states);
  return n * n + 2 * n + 2;
}

/// The numbers of a one-port in the order in which a term has them as parameters: A by rows, B, C, D, the fastest rate.
std::vector<double> numbers_of(const OnePort& circuit) {
  std::vector<double> numbers;
  for (Eigen::Index i = 0; i < circuit.A.rows(); ++i) {
    for (Eigen::Index j = 0; j < circuit.A.cols(); ++j) numbers.push_back(circuit.A(i, j));
  }
  numbers.insert(numbers.end(), circuit.B.begin(), circuit.B.end());
  numbers.insert(numbers.end(), circuit.C.begin(), circuit.C.end());
  numbers.push_back(circuit.D);
  numbers.push_back(circuit.fastest_rate());
  return numbers;
}

/// Of films with so many states, all between elements or all on the outside, without faces.
FaceTerm film_term(const System& system, int states, bool is_inside) {
  int next = static_cast<int>(system.parameters.size());
  const auto own = [&] { return inside(ParameterField{next++}); };
  std::vector<std::vector<Expr>> A(static_cast<std::size_t>(states));
  for (auto& row : A) {
    for (int i = 0; i < states; ++i) row.push_back(own());
  }
  std::vector<Expr> B, C;
  for (int i = 0; i < states; ++i) B.push_back(own());
  for (int i = 0; i < states; ++i) C.push_back(own());
  const Expr D = own(), fastest = own();

  FaceTerm term{.name = "lumped_elements", .flux = {}, .faces = {}, .fastest_rate = fastest};
  std::vector<Vector> x;
  for (int i = 0; i < states; ++i) {
    x.push_back(inside(VectorField{system.field_count() + 3 * i}));
    for (const char* axis : {"x", "y", "z"}) term.auxiliary.push_back("film" + std::to_string(i) + axis);
  }
  const Vector n = normal();
  const Vector g = cross(cross(n, outgoing_into_film(system, is_inside)), n);
  Vector E_film = D * g;
  for (std::size_t i = 0; i < x.size(); ++i) E_film = E_film + C[i] * x[i];
  term.flux = flux_with(system, E_film, is_inside ? system.flux : absorbing_flux(system));
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vector rate = B[i] * g;
    for (std::size_t j = 0; j < x.size(); ++j) rate = rate + A[i][j] * x[j];
    for (int axis = 0; axis < 3; ++axis) term.rates.push_back(rate[axis]);
  }
  return term;
}

}  // namespace

std::vector<FaceTerm> lumped_element_terms(const System& system, const std::vector<LumpedElement>& elements) {
  using Place = std::pair<FaceTerm::Face, std::vector<double>>;
  std::map<std::pair<int, bool>, std::vector<Place>> alike;  // [states, is_inside]; perhaps all on other ranks
  for (const auto& [mode, circuit] : elements) {
    const LumpedFilm& film = mode.film.value();
    const OnePort of_square = circuit.times(1 / film.squares);
    auto& places = alike[{circuit.states(), film.is_inside}];
    for (std::size_t f = 0; f < mode.faces.size(); ++f) {
      const auto& [element, face] = mode.faces[f];
      if (element == PointLocation::elsewhere) continue;
      places.emplace_back(FaceTerm::Face{static_cast<std::int32_t>(element), face},
                          numbers_of(of_square.beside(film.admittances[f] + film.beyond[f])));
    }
  }
  std::vector<FaceTerm> terms;
  for (auto& [kind, places] : alike) {
    std::ranges::sort(places, {}, &Place::first);
    FaceTerm& term = terms.emplace_back(film_term(system, kind.first, kind.second));
    term.parameters.resize(parameters_of(kind.first));
    for (const auto& [face, numbers] : places) {
      term.faces.push_back(face);
      for (std::size_t i = 0; i < numbers.size(); ++i) term.parameters[i].push_back(numbers[i]);
    }
  }
  return terms;
}

}  // namespace maxwell_dg::dg::maxwell
