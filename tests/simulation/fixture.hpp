#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "apps/config/load.hpp"
#include "apps/simulation/simulation.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "tests/must_fail/app/program.hpp"
#include "tests/support/guide_with_ports.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::testing {

/// A waveguide whose two ports are driven in turn, with every result that memory can hold.
inline const std::string guide = guide_with_ports(R"yaml(solver: {order: 2, precision: double}
time: {end: 120}
outputs:
  s_parameters: {from: 0.34, to: 0.46, count: 3}
  probes: [{name: a, at: [0.3, 0.4, 1.1]}]
  energy: {every: 3, balance: true}
  surface_fields: {surfaces: [z_max], count: 2}
)yaml");

/// A box that a dipole rings, for spectra, resonances, and fields at frequencies.
constexpr const char* box = R"yaml(units: normalized
mesh: {box: {min: [0, 0, 0], max: [1, 1.1, 1.2], cells: [2, 2, 2]}}
solver: {order: 3}
time: {end: 30}
materials: [{region: "*", sigma: 0.05}]
boundaries: [{region: "*", type: pec}]
sources:
  - {type: dipole, at: [0.31, 0.37, 0.41], moment: [0.3, 0.5, 1],
     waveform: {type: gaussian_pulse, frequency: 0.8, bandwidth: 0.8}}
outputs:
  probes: [{name: p, at: [0.22, 0.61, 0.83]}]
  resonances: {from: 0.55, to: 0.9, start: 9}
  probe_spectra: {from: 0.5, to: 0.95, count: 6}
  fields: {count: 2, quantities: [H]}
  frequency_fields: {frequencies: [0.6, 0.7], quantities: [E]}
)yaml";

/// An empty folder is the current one, where everything that a run wrote would be seen; configs are elsewhere.
class SimulationTest : public ::testing::Test {
 protected:
  SimulationTest() : before_(std::filesystem::current_path()) { std::filesystem::current_path(empty_.path()); }
  ~SimulationTest() override { std::filesystem::current_path(before_); }

  [[nodiscard]] config::Config load(const std::string& text, const std::vector<std::string>& changes = {}) const {
    write_file_atomically(folder_ / "config.yaml", text);
    return config::load_config(folder_ / "config.yaml", changes);
  }
  /// A ConfigError whose text has the message in it.
  void expect_refused(const std::string& text, const std::string& message) const {
    try {
      const simulation::Simulation simulation(load(text));
      FAIL() << text << " was taken";
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
  /// By the program, with its files in folder() / `output`.
  [[nodiscard]] Outcome run_program_on(const std::string& text, const std::string& output,
                                       std::vector<std::string> more = {}) const {
    write_file_atomically(folder_ / "config.yaml", text);
    more.insert(more.begin(), {(folder_ / "config.yaml").string(), "--output", (folder_ / output).string(), "--quiet"});
    return run_program(more, folder_.path());
  }
  [[nodiscard]] const TemporaryDirectory& folder() const { return folder_; }
  [[nodiscard]] bool nothing_was_written() const { return std::filesystem::is_empty(empty_.path()); }

 private:
  std::filesystem::path before_;
  TemporaryDirectory folder_, empty_;
};

}  // namespace maxwell_dg::testing
