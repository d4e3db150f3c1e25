// A run of a config in memory: waveguide_in_memory apps/examples/waveguide_in_memory/guide.yaml

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <string_view>
#include <vector>

#include "apps/config/load.hpp"
#include "apps/simulation/simulation.hpp"
#include "core/error.hpp"

using namespace maxwell_dg;

int main(int argc, char** argv) try {
  if (argc != 2) throw ConfigError("waveguide_in_memory: give one config");

  // All is made ready here: device, mesh, kernels, initial fields. Messages come to a function of ours.
  simulation::Simulation simulation(config::load_config(argv[1]), {.log = [](LogLevel level, std::string_view text) {
                                      if (level == LogLevel::warning)
                                        std::printf("warning: %.*s\n", static_cast<int>(text.size()), text.data());
                                    }});

  // Some steps at a time; what is known so far can be read between them.
  double largest = 0;
  while (simulation.step(100) > 0) {
    for (const double value : simulation.field("Ey")) largest = std::max(largest, std::abs(value));
  }
  const std::vector<double> signal = simulation.probes().column("middle.Ey");
  std::printf("%ld steps to t = %g s, the signal has %zu values, |Ey| was at most %.3g V/m\n", simulation.steps(),
              simulation.time(), signal.size(), largest);

  // The last step has ended the run: what belongs to the end is there.
  const dg::Network network = simulation.s_parameters().value();
  double reflected = 0, lost = 0;
  for (std::size_t f = 0; f < network.S.size(); ++f) {
    const std::complex<double> S11 = network.S[f](0, 0), S21 = network.S[f](1, 0);
    std::printf("%g MHz: |S11| = %.4f, |S21| = %.4f\n", network.frequencies[f] / 1e6, std::abs(S11), std::abs(S21));
    reflected = std::max(reflected, std::abs(S11));
    lost = std::max(lost, std::abs(1 - std::abs(S21)));
  }
  return reflected < 0.01 && lost < 0.01 ? 0 : 1;
} catch (const Error& error) {  // ConfigError, MeshError, DeviceError, DivergenceError or OutputError
  std::fprintf(stderr, "error: %s\n", error.what());
  return static_cast<int>(error.code());
}
