#include "apps/simulation/simulation.hpp"

#include <fstream>
#include <iostream>

#include "apps/config/load.hpp"

int main() {
  std::ofstream("cavity.yaml") << "units: normalized\n"
                                  "mesh: {box: {min: [0, 0, 0], max: [1, 1, 1], cells: [2, 2, 2]}}\n"
                                  "solver: {order: 2}\n"
                                  "time: {end: 1}\n"
                                  "materials: [{region: interior}]\n"
                                  "boundaries: [{region: '*', type: pec}]\n"
                                  "initial_fields: {E: [0, 0, 'sin(pi*x)*sin(pi*y)']}\n"
                                  "outputs: {directory: out}\n";
  maxwell_dg::simulation::Simulation simulation(maxwell_dg::config::load_config("cavity.yaml"));
  simulation.step(2);
  std::cout << simulation.steps() << " of " << simulation.plan().steps << " steps on "
            << simulation.plan().device.info().name << '\n';
}
