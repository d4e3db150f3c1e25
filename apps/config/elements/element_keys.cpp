#include "apps/config/elements/element_keys.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_set>

#include "core/counted.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;
namespace maxwell = dg::maxwell;
using ElementKind = decltype(LumpedElement::kind);

constexpr std::size_t most_states = 12;  // of a network: kernels have all of its numbers in a line

TypePtr part(std::optional<double>& target, Dimension dimension) {
  return optional(target, [dimension](double& value) { return positive(value, dimension); });
}

std::vector<Key> rlc_keys(RlcElement& rlc) {
  using Connection = RlcElement::Connection;
  return {{"topology",
           word<Connection>(rlc.connection, {{"series", Connection::series}, {"parallel", Connection::parallel}}),
           "how the parts are connected that are given"},
          {"resistance",
           optional(rlc.resistance,
                    [](double& value) { return number(value, {.dimension = Dimension::impedance, .min = 0}); }),
           "of a resistor. What is left out, here and below, is in series a short, in parallel an open end"},
          {"inductance", part(rlc.inductance, Dimension::inductance), "of a coil"},
          {"capacitance", part(rlc.capacitance, Dimension::capacitance), "of a capacitor"}};
}

TypePtr numbers(std::vector<double>& target) {
  return list<double>(target, 0, [](double& value) { return number(value, {}); });
}

std::vector<Key> network_keys(NetworkElement& network) {
  return {
      {"A", list<std::vector<double>>(network.A, 0, [](std::vector<double>& row) { return numbers(row); }),
       "rows of the matrix in dx/dt = A x + B V and I = C x + D V, with the voltage V across the gap, the current I "
       "through it, and up to 12 states x of any unit; in the config's units: V in volt, I in ampere, t in seconds",
       required},
      {"B", numbers(network.B), "a number for each state", required},
      {"C", numbers(network.C), "a number for each state", required},
      {"D", number(network.D, {.dimension = Dimension::none, .min = 0}),
       "the conductance at high frequencies, I over V"}};
}

std::string frequency_text(double angular, const Config& config) {
  const double frequency = angular / (2 * M_PI);
  return core::format_quantity(frequency, config.units == Units::si ? Dimension::frequency : Dimension::none, 4);
}

/// In the config's units.
std::string objection(const maxwell::ActiveAt& active, const Config& config) {
  const std::string at = frequency_text(active.angular_frequency, config);
  if (active.is_unstable) {
    return "is not passive: a state grows by itself, since A has an eigenvalue with a positive real part, at " + at +
           "; fit the network again, with stable poles";
  }
  return "is not passive: at " + at + " the real part of its admittance is " + core::brief(active.response.real()) +
         (config.units == Units::si ? " S" : "") +
         ", so that it could give energy for ever; fit it again with passivity" + " enforced";
}

void check_element(LumpedElement& element, Reader& reader) {
  if (element.name.empty()) element.name = element.boundary;
  if (element.from == element.to) {
    reader.error(reader.place_of("to"),
                 "is the conductor at the other end, too: an element lies in the gap between two; give each a name of "
                 "its own in the mesh",
                 "to");
  }
  const bool is_network = std::holds_alternative<NetworkElement>(element.kind);
  try {
    const maxwell::OnePort circuit = circuit_of(element, {});
    if (!is_network) return;
    if (const auto active = maxwell::find_active(circuit)) {
      reader.error(reader.place_of("A"), objection(*active, reader.config()), "A");
    }
  } catch (const std::invalid_argument& error) {
    const std::string key = is_network ? "A" : "type";
    reader.error(reader.place_of(key), error.what(), key);
  }
}

Object element_keys(LumpedElement& element) {
  const std::string a_surface = "the name of a surface";
  return {
      .keys =
          {{"name", name(element.name), "name of the element in files", Key::Presence::optional,
            "that of its boundary"},
           {"boundary", text(element.boundary, a_surface),
            "the faces that span the gap, between elements of the mesh or on its outside. No entry of `boundaries`, "
            "`ports` or `elements` may cover it besides",
            required},
           {"from", text(element.from, a_surface),
            "the conductor at one end of the gap, a surface of type pec or impedance: voltage is counted from it to "
            "the other, and current through the element to the other",
            required},
           {"to", text(element.to, a_surface), "the conductor at the other end", required}},
      .choice = choice<ElementKind>(
          "type", element.kind, "kind of element",
          {kind_of<ElementKind>(RlcElement{}, "a resistance, an inductance and a capacitance, or some of them",
                                rlc_keys),
           kind_of<ElementKind>(NetworkElement{}, "a passive circuit by its equations of state", network_keys)},
          required),
      .check = [&element](Reader& reader) { check_element(element, reader); }};
}

Eigen::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

maxwell::OnePort circuit_of(const RlcElement& rlc, const Scaling& scaling) {
  const auto inside = [&](const std::optional<double>& value, Dimension dimension) {
    return value ? std::optional(*value * scaling.number(dimension)) : std::nullopt;
  };
  const maxwell::Rlc parts{.resistance = inside(rlc.resistance, Dimension::impedance),
                           .inductance = inside(rlc.inductance, Dimension::inductance),
                           .capacitance = inside(rlc.capacitance, Dimension::capacitance)};
  return rlc.connection == RlcElement::Connection::series ? maxwell::in_series(parts) : maxwell::in_parallel(parts);
}

maxwell::OnePort circuit_of(const NetworkElement& network, const Scaling& scaling) {
  const std::size_t n = network.A.size();
  if (n > most_states) {
    throw std::invalid_argument("has " + core::counted(n, "state", "states") + "; up to " +
                                std::to_string(most_states) + " are possible: fit fewer poles");
  }
  const bool is_square = std::ranges::all_of(network.A, [n](const auto& row) { return row.size() == n; });
  if (!is_square || network.B.size() != n || network.C.size() != n) {
    throw std::invalid_argument("has " + core::counted(n, "row", "rows") +
                                ": each needs as many numbers, and so do B and C");
  }
  const auto states = static_cast<Eigen::Index>(n);
  maxwell::OnePort circuit{.A = Eigen::MatrixXd(states, states),
                           .B = vector_of(network.B),
                           .C = vector_of(network.C).transpose(),
                           .D = network.D / scaling.impedance};
  for (std::size_t i = 0; i < n; ++i) circuit.A.row(static_cast<Eigen::Index>(i)) = vector_of(network.A[i]).transpose();
  circuit.A /= scaling.time;
  // With states of another unit, so that what drives them and what they drive is alike.
  circuit.B /= scaling.time;
  circuit.C /= scaling.impedance;
  const double in = circuit.B.norm(), out = circuit.C.norm();
  if (in > 0 && out > 0) {
    circuit.B *= std::sqrt(out / in);
    circuit.C *= std::sqrt(in / out);
  }
  return circuit;
}

}  // namespace

Key elements_key(Config& config) {
  return {"elements",
          list<LumpedElement>(config.elements, 0, [](LumpedElement& element) { return object(element_keys(element)); }),
          "resistors, inductors, capacitors and passive networks across gaps between conductors"};
}

Key element_output_key(Outputs& outputs) {
  return {"elements",
          optional(outputs.elements,
                   [](ElementOutput& e) {
                     return object({.keys = {{"every", integer(e.every, {1}), "steps between two lines"}}});
                   }),
          "voltage across and current through each entry of `elements` over time, in elements.csv"};
}

void check_elements(const Config& config, Reader& reader) {
  if (config.outputs.elements && config.elements.empty()) {
    reader.error(reader.place_of("outputs.elements"), "needs `elements`, of which there are none", "outputs.elements");
  }
  if (config.has_phases() && !config.elements.empty()) {
    reader.error(reader.place_of("elements"), "cannot be used with a phase between periodic surfaces", "elements");
  }
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < config.elements.size(); ++i) {
    const std::string key = "elements." + std::to_string(i) + ".name";
    if (!seen.insert(config.elements[i].name).second) {
      reader.error(reader.place_of(key), "'" + config.elements[i].name + "' is the name of another element already",
                   key);
    }
  }
}

dg::maxwell::OnePort circuit_of(const LumpedElement& element, const Scaling& scaling) {
  return std::visit([&](const auto& kind) { return circuit_of(kind, scaling); }, element.kind);
}

}  // namespace maxwell_dg::config
