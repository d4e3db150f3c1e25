#include "dg/symbolic/incident.hpp"

#include <stdexcept>
#include <utility>

#include "dg/symbolic/differentiate.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

/// The system's flux with other expressions in place of the traces. It is linear in them.
std::vector<Expr> flux_of(const System& system, const std::vector<Expr>& inside, const std::vector<Expr>& outside) {
  std::vector<Expr> flux;
  for (const Expr& e : system.flux) {
    flux.push_back(substitute(e, [&](const Symbol& s) {
      if (s.kind != Kind::field) return Expr(s);
      return (s.side == Side::inside ? inside : outside)[static_cast<std::size_t>(s.index)];
    }));
  }
  return flux;
}

/// An expression of fields and their derivatives with those of the incident wave.
Expr value_for(const Expr& e, const IncidentField& incident) {
  const auto d = [&](int field, int axis) { return space_derivative(incident[static_cast<std::size_t>(field)], axis); };
  return substitute(e, [&](const Symbol& s) {
    const int j = (s.axis + 1) % 3, k = (s.axis + 2) % 3;
    switch (s.kind) {
      case Kind::field: return incident[static_cast<std::size_t>(s.index)];
      case Kind::derivative: return d(s.index, s.axis);
      case Kind::curl: return d(s.index + k, j) - d(s.index + j, k);
      case Kind::divergence: return d(s.index, 0) + d(s.index + 1, 1) + d(s.index + 2, 2);
      default: return Expr(s);
    }
  });
}

}  // namespace

FaceTerm outside_term(const System& system, std::string name, const std::vector<Expr>& more,
                      std::vector<FaceTerm::Face> faces) {
  const std::vector<Expr> none(more.size(), 0.0);
  return {.name = std::move(name), .flux = flux_of(system, none, more), .faces = std::move(faces)};
}

FaceTerm total_field_term(const System& system, const IncidentField& incident, std::vector<FaceTerm::Face> faces,
                          std::vector<double> sign) {
  const Expr s(Symbol{.kind = Kind::parameter, .index = static_cast<int>(system.parameters.size())});
  std::vector<Expr> outside;
  for (const Expr& e : incident) outside.push_back(s * e);
  FaceTerm term = outside_term(system, "total_field", outside, std::move(faces));
  term.parameters = {std::move(sign)};
  return term;
}

FaceTerm scattering_boundary_term(const System& system, int boundary, const IncidentField& incident,
                                  std::vector<FaceTerm::Face> faces) {
  const System::Boundary& condition = system.boundaries.at(static_cast<std::size_t>(boundary));
  std::vector<Expr> outside;
  for (const Expr& e : condition.outside) outside.push_back(value_for(e, incident));
  return {
      .name = "scattering_" + condition.name, .flux = flux_of(system, incident, outside), .faces = std::move(faces)};
}

ElementTerm scattering_medium_term(const System& system, const IncidentField& incident,
                                   std::vector<std::int32_t> elements) {
  ElementTerm term{.name = "scattering_medium", .elements = std::move(elements)};
  for (std::size_t f = 0; f < incident.size(); ++f) {
    term.added.push_back(value_for(system.volume[f], incident) - time_derivative(incident[f]));
  }
  return term;
}

}  // namespace maxwell_dg::dg
