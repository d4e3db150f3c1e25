#include "apps/simulation/surroundings.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/mpi/of_all.hpp"
#include "dg/partition/distributed/cell_slice.hpp"

namespace maxwell_dg::simulation {

using dg::index;

std::vector<bool> surfaces_with_modes(const config::Config& config, const std::vector<std::string>& surfaces) {
  std::vector<bool> result;
  if (config.ports.empty() && config.elements.empty()) return result;
  for (const std::string& surface : surfaces) {
    result.push_back(std::ranges::count(config.ports, surface, &config::Port::boundary) > 0 ||
                     std::ranges::count(config.elements, surface, &config::LumpedElement::boundary) > 0);
  }
  return result;
}

Surroundings::Surroundings(const config::Config& config, dg::CellsAround around, const dg::Discretization& part,
                           const dg::Problem& problem, const std::vector<int>& ports, const core::Communicator& ranks)
    : numbers_(std::move(around.numbers)),
      d_(std::move(around.mesh), part.N()),
      problem_{.system = problem.system, .parameters = {}, .boundary = {}},
      in_part_(numbers_.size(), dg::PointLocation::elsewhere) {
  bool is_moved = false;
  for (std::size_t k = 0; k < part.own(); ++k) {
    const auto here = find(part.whole_numbers[k]);
    if (!here) continue;
    in_part_[*here] = k;
    for (std::size_t i = 0; i < 4; ++i) {
      is_moved = is_moved || part.mesh.vertices[index(part.mesh.cells[k].at(i))] !=
                                 d_.mesh.vertices[index(d_.mesh.cells[*here].at(i))];
    }
  }
  if (core::on_any(ranks, is_moved))
    throw dg::NeedsWholeMesh("its PML is stretched where a port or a lumped element is");
  std::vector<Element> mine;
  std::vector<double> values;  // [element][parameter]
  for (std::size_t here = 0; here < numbers_.size(); ++here) {
    const std::size_t k = in_part_[here];
    if (k == dg::PointLocation::elsewhere) continue;
    Element& element = mine.emplace_back();
    element.number = numbers_[here];
    element.varies = problem.varying.find(k) >= 0 ? 1 : 0;
    for (std::size_t face = 0; face < 4; ++face) {
      const std::int32_t n = part.connectivity.neighbours[k].at(face);
      element.faces.at(face) = n >= 0 ? Face{-1, -1} : Face{problem.boundary[index(-1 - n)], ports[index(-1 - n)]};
    }
    for (const std::vector<double>& parameter : problem.parameters) values.push_back(parameter[k]);
  }
  const std::vector<Element> all = core::all_of(ranks, mine);
  const std::vector<double> of_all = core::all_of(ranks, values);
  std::vector<Element> elements(numbers_.size());
  const std::size_t parameters = problem.parameters.size();
  problem_.parameters.assign(parameters, std::vector<double>(numbers_.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t here = find(all[i].number).value();
    elements[here] = all[i];
    for (std::size_t p = 0; p < parameters; ++p) problem_.parameters[p][here] = of_all[i * parameters + p];
    if (all[i].varies != 0) problem_.varying.elements.push_back(static_cast<std::int32_t>(here));
  }
  std::ranges::sort(problem_.varying.elements);
  take_conditions(config, elements);
  gather_terms(part, problem, ranks);
}

std::optional<std::size_t> Surroundings::find(std::int32_t number) const {
  const auto found = std::ranges::lower_bound(numbers_, number);
  if (found == numbers_.end() || *found != number) return std::nullopt;
  return static_cast<std::size_t>(found - numbers_.begin());
}

void Surroundings::take_conditions(const config::Config& config, const std::vector<Element>& elements) {
  const std::vector<bool> has_mode = surfaces_with_modes(config, d_.mesh.surfaces);
  const int last = static_cast<int>(problem_.system.boundaries.size()) - 1;
  for (const dg::Connectivity::BoundaryFace& face : d_.connectivity.boundary_faces) {
    const Face& known = elements[index(face.cell)].faces.at(index(face.face));
    if (known.condition < 0 && face.surface >= 0 && has_mode[index(face.surface)]) {
      throw dg::NeedsWholeMesh("a port or a lumped element lies on periodic surfaces");
    }
    problem_.boundary.push_back(known.condition < 0 ? last : known.condition);
    ports_.push_back(known.port);
  }
}

void Surroundings::gather_terms(const dg::Discretization& part, const dg::Problem& problem,
                                const core::Communicator& ranks) {
  const auto around = [&](const std::vector<std::int32_t>& elements) {
    std::vector<std::int32_t> mine;
    for (const std::int32_t k : elements) {
      if (index(k) >= part.own()) continue;
      if (const auto here = find(part.whole_numbers[index(k)])) mine.push_back(static_cast<std::int32_t>(*here));
    }
    std::vector<std::int32_t> all = core::all_of(ranks, mine);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  for (const dg::ElementTerm& term : problem.element_terms) {
    problem_.element_terms.push_back({.name = term.name,
                                      .auxiliary = {},
                                      .added = {},
                                      .rates = {},
                                      .fastest_rate = 0.0,
                                      .elements = around(term.elements)});
  }
  for (const dg::FaceTerm& term : problem.face_terms) {
    std::vector<std::int32_t> elements;
    for (const dg::FaceTerm::Face& face : term.faces) elements.push_back(face.element);
    dg::FaceTerm& here = problem_.face_terms.emplace_back(dg::FaceTerm{.name = term.name, .flux = {}, .faces = {}});
    for (const std::int32_t k : around(elements)) here.faces.push_back({k, 0});
  }
}

void Surroundings::number_as_part(dg::maxwell::PortMode& mode) const {
  for (dg::ElementFace& face : mode.faces) face.element = in_part_[face.element];
}

}  // namespace maxwell_dg::simulation
