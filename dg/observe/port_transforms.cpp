#include "dg/observe/port_transforms.hpp"

#include <algorithm>
#include <complex>
#include <span>
#include <utility>

#include "dg/maxwell/film_power.hpp"

namespace maxwell_dg::dg {

std::vector<std::size_t> driven_in_turn(const std::vector<maxwell::Port>& ports) {
  std::vector<std::size_t> driven;
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (ports[p].driven_from) driven.push_back(p);
  }
  std::ranges::sort(driven, {}, [&](std::size_t p) { return *ports[p].driven_from; });
  return driven;
}

symbolic::Expr in_turn_of(const maxwell::Port& port, const symbolic::Expr& voltage) {
  return symbolic::substitute(voltage, [&](const symbolic::Symbol& s) {
    const symbolic::Expr symbol(s);
    return s.kind == symbolic::Symbol::Kind::time ? symbol - *port.driven_from : symbol;
  });
}

PortTransforms::PortTransforms(const Operator& op, Options options)
    : options_(std::move(options)), driven_(driven_in_turn(options_.ports)), transforms_(op, of_faces()) {}

TransformsInTurn::Options PortTransforms::of_faces() const {
  std::vector<ElementFace> faces;
  for (const maxwell::Port& port : options_.ports) {
    faces.insert(faces.end(), port.mode.faces.begin(), port.mode.faces.end());
  }
  TransformsInTurn::Options all{.selection = {.frequencies = options_.frequencies,
                                              .fields = {0, 1, 2, 3, 4, 5},
                                              .faces = std::move(faces),
                                              .lists_all = true},
                                .sampling = options_.sampling,
                                .turns = {},
                                .resumed = options_.resumed};
  for (std::size_t turn = 0; turn < driven_.size(); ++turn) {
    all.turns.push_back({.name = options_.name + "." + std::to_string(turn),
                         .reference = in_turn_of(options_.ports[driven_[turn]], options_.voltage)});
  }
  return all;
}

PortTransforms::Amplitudes PortTransforms::amplitudes(const Operator& op, std::size_t frequency) const {
  const std::vector<maxwell::Port>& ports = options_.ports;
  const auto values_of_a_face = static_cast<std::size_t>(6 * op.discretization().Nfp());
  const auto rows = static_cast<Eigen::Index>(ports.size()), turns = static_cast<Eigen::Index>(driven_.size());
  Amplitudes found{.V = Eigen::MatrixXcd::Zero(rows, turns),
                   .I = Eigen::MatrixXcd::Zero(rows, turns),
                   .uneven = Eigen::MatrixXd::Zero(rows, turns)};
  for (std::size_t turn = 0; turn < driven_.size(); ++turn) {
    const std::vector<std::complex<double>> traces = transforms_[turn].get(frequency);
    if (!op.ranks().is_first()) continue;
    std::span<const std::complex<double>> rest(traces);
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const std::size_t size = ports[p].mode.faces.size() * values_of_a_face;
      const bool is_driven = driven_[turn] == p;
      const auto [V, I] = maxwell::modal_amplitudes(ports[p], is_driven, rest.first(size));
      const auto row = static_cast<Eigen::Index>(p), column = static_cast<Eigen::Index>(turn);
      found.V(row, column) = V;
      found.I(row, column) = I;
      found.uneven(row, column) = maxwell::power_of_unevenness(ports[p], is_driven, rest.first(size), V);
      rest = rest.subspan(size);
    }
  }
  return found;
}

}  // namespace maxwell_dg::dg
