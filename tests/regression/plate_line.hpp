#pragma once

#include <cmath>
#include <string>

#include "dg/mesh/mesh.hpp"
#include "tests/support/named_faces.hpp"

namespace maxwell_dg::testing {

/// A line between plates at x = 0 and plate_gap, from z = -1 to 1, of impedance 0.5 (one as wide as it is high would
/// have 1), with a lumped port at its beginning.
constexpr double plate_gap = 0.3, plate_width = 0.6;

/// Its mesh, with the faces "gap" across its middle, and "half" across half of its width at z = 0.25. At the edge of
/// these begins "at_half", along the line in its middle; "touching_half" has a corner there, and "behind_half" nothing.
inline dg::Mesh mesh_of_plate_line() {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, -1}, .max = {plate_gap, plate_width, 1}, .cells = {1, 2, 8}});
  name_faces(mesh, "gap", [](const dg::Point& x) { return std::abs(x[2]) < 1e-9; });
  name_faces(mesh, "half",
             [](const dg::Point& x) { return std::abs(x[2] - 0.25) < 1e-9 && x[1] < plate_width / 2 + 1e-9; });
  const auto along_middle = [](const dg::Point& x) { return std::abs(x[1] - plate_width / 2) < 1e-9; };
  const auto lies_in = [](const dg::Point& x, double from, double to) {
    return x[2] > from - 1e-9 && x[2] < to + 1e-9;
  };
  name_faces(mesh, "at_half", [&](const dg::Point& x) { return along_middle(x) && lies_in(x, 0.25, 0.5); });
  name_faces(mesh, "behind_half", [&](const dg::Point& x) { return along_middle(x) && lies_in(x, 0.5, 0.75); });
  name_faces(mesh, "touching_half", [&](const dg::Point& x) {  // one of two triangles
    return along_middle(x) && lies_in(x, 0, 0.25) && (x[0] > 0 || x[2] < 0.2);
  });
  dg::prepare(mesh, "line", dg::Orientation::any);
  return mesh;
}

/// Its config, for the mesh as line.h5: matched at its end, with S-parameters at so many frequencies from 0.3 to 0.5.
/// `across`: lines below the port's, where something lies across it.
inline std::string config_of_plate_line(const std::string& across, int frequencies) {
  return R"yaml(units: normalized
mesh: {file: line.h5}
solver: {order: 4, precision: double}
time: {end: 40}
materials: [{region: "*"}]
boundaries:
  - {region: [x_min, x_max], type: pec}
  - {region: [y_min, y_max], type: pmc}
  - {region: z_max, type: absorbing}
ports:
  - {name: end, type: lumped, boundary: z_min, impedance: 0.5, from: x_max, to: x_min}
)yaml" + across +
         R"yaml(sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.4, bandwidth: 0.4}}]
outputs:
  s_parameters: {from: 0.3, to: 0.5, count: )yaml" +
         std::to_string(frequencies) + "}\n";
}

}  // namespace maxwell_dg::testing
