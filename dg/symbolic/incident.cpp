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
Expr value_for(const Expr& e, const std::vector<Expr>& incident) {
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

std::vector<Expr> IncidentField::behind(std::size_t parameters_of_term, const System& system) const {
  const auto first = static_cast<int>(system.parameters.size() + parameters_of_term);
  std::vector<Expr> shifted;
  for (const Expr& e : fields) {
    shifted.push_back(substitute(e, [&](const Symbol& s) {
      return s.kind == Kind::parameter ? Expr(Symbol{.kind = Kind::parameter, .index = first + s.index}) : Expr(s);
    }));
  }
  return shifted;
}

void IncidentField::append_to(std::vector<std::vector<double>>& parameters_of_term, std::size_t places) const {
  for (const double value : parameters) parameters_of_term.emplace_back(places, value);
}

FaceTerm outside_term(const System& system, std::string name, const std::vector<Expr>& more,
                      std::vector<FaceTerm::Face> faces) {
  const std::vector<Expr> none(more.size(), 0.0);
  return {.name = std::move(name), .flux = flux_of(system, none, more), .faces = std::move(faces)};
}

FaceTerm total_field_term(const System& system, const IncidentField& incident, std::vector<FaceTerm::Face> faces,
                          std::vector<double> sign) {
  const Expr s(Symbol{.kind = Kind::parameter, .index = static_cast<int>(system.parameters.size())});
  std::vector<Expr> outside;
  for (const Expr& e : incident.behind(1, system)) outside.push_back(s * e);
  FaceTerm term = outside_term(system, "total_field", outside, std::move(faces));
  term.parameters = {std::move(sign)};
  incident.append_to(term.parameters, term.faces.size());
  return term;
}

FaceTerm scattering_boundary_term(const System& system, int boundary, const IncidentField& incident,
                                  std::vector<FaceTerm::Face> faces) {
  const System::Boundary& condition = system.boundaries.at(static_cast<std::size_t>(boundary));
  const std::vector<Expr> fields = incident.behind(0, system);
  std::vector<Expr> outside;
  for (const Expr& e : condition.outside) outside.push_back(value_for(e, fields));
  FaceTerm term{
      .name = "scattering_" + condition.name, .flux = flux_of(system, fields, outside), .faces = std::move(faces)};
  incident.append_to(term.parameters, term.faces.size());
  return term;
}

ElementTerm scattering_medium_term(const System& system, const IncidentField& incident,
                                   std::vector<std::int32_t> elements) {
  ElementTerm term{.name = "scattering_medium", .elements = std::move(elements)};
  const std::vector<Expr> fields = incident.behind(0, system);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    term.added.push_back(value_for(system.volume[f], fields) - time_derivative(fields[f]));
  }
  incident.append_to(term.parameters, term.elements.size());
  return term;
}

}  // namespace maxwell_dg::dg
