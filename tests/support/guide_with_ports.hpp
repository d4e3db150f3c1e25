#pragma once

#include <string>

namespace maxwell_dg::testing {

/// The config of a waveguide with a port at each end, which are driven in turn. `more`: lines below, of solver, time
/// and outputs among others.
inline std::string guide_with_ports(const std::string& more) {
  return R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [2, 1, 3], cells: [2, 1, 3]}}
materials: [{region: "*", epsilon_r: 1}]
boundaries: [{region: "*", type: pec}]
ports:
  - {name: p1, boundary: z_min, mode: te10}
  - {name: p2, boundary: z_max, mode: te10}
sources: [{type: port, waveform: {type: gaussian_pulse, frequency: 0.4, bandwidth: 0.16}}]
)yaml" + more;
}

}  // namespace maxwell_dg::testing
