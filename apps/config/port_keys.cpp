#include "apps/config/port_keys.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_set>

#include "apps/config/transforms.hpp"
#include "apps/config/type.hpp"
#include "core/suggest.hpp"

namespace maxwell_dg::config {
namespace {

using core::Dimension;

std::vector<std::string> mode_names() {
  constexpr int most = 3;  // half waves along a side
  std::vector<std::string> names{"tem"};
  for (const char* kind : {"te", "tm"}) {
    const int least = std::string_view(kind) == "te" ? 0 : 1;  // no guide has tm10
    for (int m = 0; m <= most; ++m) {
      for (int n = least; n <= most; ++n) {
        if (m + n > 0) names.push_back(kind + std::to_string(m) + std::to_string(n));
      }
    }
  }
  return names;
}

using PortKind = decltype(Port::kind);

std::vector<Key> guide_keys(GuideEnd& guide) {
  return {{"mode", word(guide.mode, mode_names()),
           "`te10`, `tm11` and so on: a mode of a rectangular guide, with the numbers of half waves along its longer "
           "and its shorter side; `te11`, `tm01` and so on: of a round one, with the number of periods around its "
           "axis and the rank among the modes with as many; `tem`: the mode between two conductors, of a "
           "ring (a coaxial line) or around a strip of metal without thickness that ends on the port",
           required},
          {"polarization", optional(guide.polarization, [](Vector3& value) { return vector3(value); }),
           "of a mode of a round guide: the direction in which its radial E is largest, for te11 and tm11 that of E "
           "on the axis; by default the first coordinate axis in the plane of the port, or what `symmetry` leaves"},
          {"plane", number(guide.plane, {.dimension = Dimension::length}),
           "how far from the boundary, into the guide, the reference plane of the scattering parameters lies; below 0 "
           "outside of it"}};
}

std::vector<Key> lumped_keys(LumpedPort& port) {
  const std::string a_surface = "the name of a surface";
  return {{"impedance", positive(port.impedance, Dimension::impedance),
           "resistance of the source, which is the port's reference for scattering parameters", required},
          {"from", text(port.from, a_surface),
           "the conductor at one end of the gap, a surface of type pec or impedance: voltage is counted from it to the "
           "other, and current through the port into it",
           required},
          {"to", text(port.to, a_surface), "the conductor at the other end", required}};
}

void check_port(const Port& port, Reader& reader) {
  const auto* guide = std::get_if<GuideEnd>(&port.kind);
  if (guide != nullptr && guide->polarization == Vector3{}) {
    reader.error(reader.place_of("polarization"), "must not be zero", "polarization");
  }
  const auto* lumped = std::get_if<LumpedPort>(&port.kind);
  if (lumped != nullptr && lumped->from == lumped->to) {
    reader.error(reader.place_of("to"),
                 "is the conductor at the other end, too: a port lies in the gap between two; give each a name of its "
                 "own in the mesh",
                 "to");
  }
}

Object port_keys(Port& port) {
  return {
      .keys = {{"name", name(port.name), "name of the port in sources and files", required},
               {"boundary", text(port.boundary, "the name of a surface"),
                "of a guide a plane surface at its end, which ports of different modes may share; of a lumped port the "
                "faces that span the gap, between elements or on the outside of the mesh. No entry of `boundaries` may "
                "cover it",
                required}},
      .choice = choice<PortKind>(
          "type", port.kind, "kind of port",
          {kind_of<PortKind>(GuideEnd{}, "the end of a uniform guide, with a mode of it", guide_keys),
           kind_of<PortKind>(LumpedPort{}, "a source with a resistance across the gap between conductors",
                             lumped_keys)}),
      .check = [&port](Reader& reader) { check_port(port, reader); }};
}

Object s_parameter_keys(SParameterOutput& s) {
  return {.keys = {{"from", positive(s.from, Dimension::frequency), "lowest frequency", required},
                   {"to", positive(s.to, Dimension::frequency), "highest", required},
                   {"count", integer(s.count, {2, 10000}), "number of frequencies, evenly spaced, both ends included"},
                   {"reference", optional(s.reference, [](double& Z) { return positive(Z, Dimension::impedance); }),
                    "reference impedance of all ports in the Touchstone file; for lumped and coaxial ports",
                    Key::Presence::optional, "each port's own"}},
          .check = [&s](Reader& reader) {
            if (!(s.to > s.from)) reader.error(reader.place_of("to"), "must be above from", "to");
          }};
}

std::vector<std::string> names_of(const std::vector<Port>& ports) {
  std::vector<std::string> names;
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

void check_names(const Config& config, Reader& reader) {
  const std::vector<std::string> names = names_of(config.ports);
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string key = "ports." + std::to_string(i) + ".name";
    if (!seen.insert(names[i]).second) {
      reader.error(reader.place_of(key), "'" + names[i] + "' is the name of another port already", key);
    }
  }
}

/// A list of one name, or "*", stands under the key itself.
void check_driven(const Config& config, DrivenPorts& source, const std::string& key, Reader& reader) {
  const std::vector<std::string> known = names_of(config.ports);
  if (known.empty()) {
    reader.error(reader.place_of(key), "needs `ports`, of which there are none", key);
    return;
  }
  if (source.ports.empty() || source.ports == RegionNames{"*"}) source.ports = known;
  const std::unordered_set<std::string> all(known.begin(), known.end());
  for (std::size_t i = 0; i < source.ports.size(); ++i) {
    const std::string item = key + ".ports" + (source.ports.size() == 1 ? "" : "." + std::to_string(i));
    const std::string& name = source.ports[i];
    if (!all.contains(name)) {
      reader.error(reader.place_of(item), "no port has the name '" + name + "'" + core::did_you_mean(name, known),
                   item);
    }
  }
  if (source.ports.size() > 1 && !config.outputs.s_parameters) {
    reader.error(reader.place_of(key),
                 "drives several ports one after the other, which only outputs.s_parameters can use; "
                 "name one under `ports`, or ask for outputs.s_parameters",
                 key);
  }
  std::vector<std::string> mixing;
  for (const Transform& asked : transforms(config)) {
    if (asked.name != "s_parameters" && asked.name != "far_field") mixing.push_back(asked.name);
  }
  if (source.ports.size() > 1 && !mixing.empty()) {
    reader.error(reader.place_of(key),
                 "drives several ports one after the other, whose fields " + joined(mixing) +
                     " would mix; name one under `ports`",
                 key);
  }
}

}  // namespace

Key ports_key(Config& config) {
  return {"ports", list<Port>(config.ports, 0, [](Port& port) { return object(port_keys(port)); }),
          "where waves enter, are absorbed and are measured: ends of waveguides, and gaps between conductors"};
}

Key s_parameters_key(Outputs& outputs) {
  return {
      "s_parameters", optional(outputs.s_parameters, [](SParameterOutput& s) { return object(s_parameter_keys(s)); }),
      "scattering parameters of all ports as a Touchstone file, s_parameters.sNp, and the waves a and b at each port "
      "in port_waves.csv"};
}

void check_ports(Config& config, Reader& reader) {
  check_names(config, reader);
  std::size_t of_ports = 0;
  for (std::size_t i = 0; i < config.sources.size(); ++i) {
    auto* driven = std::get_if<DrivenPorts>(&config.sources[i]);
    if (driven == nullptr) continue;
    check_driven(config, *driven, "sources." + std::to_string(i), reader);
    ++of_ports;
  }
  if (config.outputs.s_parameters && (of_ports != 1 || config.sources.size() != 1)) {
    reader.error(reader.place_of("outputs.s_parameters"), "needs a source of type port, and no other source",
                 "outputs.s_parameters");
  }
}

}  // namespace maxwell_dg::config
