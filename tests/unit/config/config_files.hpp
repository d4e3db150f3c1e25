#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "apps/config/load.hpp"

namespace maxwell_dg::config {

/// A temporary folder with a config in it.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text, const std::string& name = "case.yaml")
      : folder_(std::filesystem::temp_directory_path() /
                ("maxwell_dg_config_" + std::to_string(::getpid()) + "_" + std::to_string(count_++))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(path_ = folder_ / name, std::ios::binary) << text;
  }
  ~ConfigFile() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] Config load(const std::vector<std::string>& overrides = {}) const {
    return load_config(path_, overrides);
  }

 private:
  static inline int count_ = 0;
  std::filesystem::path folder_, path_;
};

/// "pec, pmc, ...": the conditions of a system that a boundary may name.
inline std::string conditions_of(std::size_t system, const Systems& systems = *known_systems()) {
  std::string list;
  for (const dg::System::Condition& condition : systems.at(system).standard.conditions) {
    list += (list.empty() ? "" : ", ") + condition.name;
  }
  return list;
}

/// The shortest config that is complete.
inline const std::string minimal =
    "mesh: {box: {cells: [2, 2, 2]}}\n"
    "time: {end: \"10 ns\"}\n"
    "materials: [{region: \"*\"}]\n"
    "boundaries: [{region: \"*\", type: pec}]\n";

/// One with every key that Maxwell configs have.
inline const std::string everything = R"yaml(units: si
constants: {w: 2.2214, twice: 2 * w}
mesh: {file: ../meshes/sphere.msh, scale: 0.001}
solver: {order: 3, precision: double, flux: 0.25, integrator: lsrk54, cfl: 0.5}
device: cpu
time: {periods: 20}
materials:
  - {region: air, name: air}
  - {region: [core, "a b"], active: false, epsilon_r: 2.25, mu_r: 1.5, sigma: "5 mS/m"}
  - {region: lens, epsilon_r: "2 - x^2", mu_r: {from_mesh: mu}}
  - {region: crystal, epsilon_r: [2, "2 + x", 5], mu_r: [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 1]]}
boundaries:
  - {region: outer, type: absorbing}
  - {region: "*", type: pmc}
  - {region: wall, type: impedance, impedance: "50 ohm"}
  - {region: left, type: periodic, with: right}
initial_fields: {E: ["0", 0, "cos(pi*x/2)*cos(twice*y)"], H: [x, y, -z^2]
}
reference_solution: {E: ["sin(w*t)", "0", "0"]}
sources:
  - type: plane_wave
    direction: [0, 0, 1]
    polarization: [1, 0, 0]
    waveform: {type: gaussian_pulse, frequency: "1 GHz", bandwidth: "500 MHz", amplitude: 3, delay: "2 ns"}
    injection: {type: scattered_field}
  - type: plane_wave
    direction: [1, 0, 0]
    polarization: [0, 2, 0]
    waveform: {type: expression, value: "exp(-t^2)"}
    injection: {type: scattered_field}
outputs:
  directory: out/here
  fields: {every: "0.5 ns", quantities: [H]}
  probes: [{name: p1, at: [0, 0, "10 cm"]}, {name: p2, at: [1, 2, 3]}]
  energy: {every: 7}
)yaml";

}  // namespace maxwell_dg::config
